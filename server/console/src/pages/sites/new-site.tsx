import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { keys, useAction } from '../../app/data';
import { fieldErrors } from '../../app/errors';
import { Button, Card, Form, PageHeader, TextField, useDraft } from '../../ui';
import { problemsOf, toDomain, toDomains } from './domains';
import { type Draft, FIRST, toBody } from './draft';
import { SettingsStep } from './settings-step';
import { Steps } from './steps';

/**
 * A new site in three steps: its domain, its settings, and the snippet to paste, which has a page of its own.
 */
export default function NewSite() {
  const [step, setStep] = useState<1 | 2>(1);
  const draft = useDraft<Draft>(FIRST);
  const navigate = useNavigate();
  const create = useAction((api, body: ReturnType<typeof toBody>) => api.createEnvironment({ body }), {
    changes: [keys.sites],
    onDone: ({ token }) => void navigate(`/sites/${token}/install`),
  });
  useEffect(() => {
    // The server may refuse a field of the first step.
    if (fieldErrors(create.error).some(({ path }) => /^(name|domain)/.test(path))) setStep(1);
  }, [create.error]);
  const { value, set } = draft;
  const submit = () => {
    if (step === 2) return create.run(toBody(value));
    set({ domain: toDomain(value.domain), domains: toDomains(value.domains) });
    setStep(2);
  };
  return (
    <>
      <PageHeader title="New site" />
      <Steps current={step} />
      <Card title={step === 1 ? 'Which site?' : 'How should it ask?'}>
        <Form
          action={create}
          onSubmit={submit}
          check={() => (step === 1 ? problemsOf(value) : {})}
          dirty={draft.dirty}
          submit={step === 1 ? 'Next' : 'Create site'}
          extra={step === 2 && <Button onPress={() => setStep(1)}>Back</Button>}
        >
          {step === 1 ? <Domain draft={draft} /> : <SettingsStep draft={draft} />}
        </Form>
      </Card>
    </>
  );
}

interface StepProps {
  draft: ReturnType<typeof useDraft<Draft>>;
}

function Domain({ draft: { bind, value, set } }: StepProps) {
  return (
    <>
      <TextField
        label="Name"
        {...bind('name')}
        description="The name that your team uses."
        isRequired
        maxLength={200}
      />
      <TextField
        label="Domain"
        {...bind('domain')}
        description="Such as www.example.com. A pasted address is shortened to its domain."
        placeholder="www.example.com"
        onBlur={() => set({ domain: toDomain(value.domain) })}
        isRequired
      />
      <TextField
        label="Further domains"
        {...bind('domains')}
        description="Other names of the same site, separated by commas."
        onBlur={() => set({ domains: toDomains(value.domains) })}
      />
    </>
  );
}
