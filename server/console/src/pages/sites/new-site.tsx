import './new-site.css';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { keys, useAction } from '../../app/data';
import { fieldErrors } from '../../app/errors';
import { languageNames, timeZones, toList } from '../../app/lists';
import { Button, Card, Form, NumberField, PageHeader, Select, TextField, useDraft } from '../../ui';
import { Steps } from './steps';

const ZONES = timeZones();
const FIRST = {
  name: '',
  domain: '',
  domains: '',
  'settings.privacy_policy_url': '',
  'settings.imprint_url': '',
  'settings.languages': 'en',
  'settings.time_zone': Intl.DateTimeFormat().resolvedOptions().timeZone,
  'settings.consent_lifetime_days': 180 as number | undefined,
};
type Draft = typeof FIRST;

/** A new site in three steps: its domain, its settings, and the snippet to paste, which has a page of its own. */
export default function NewSite() {
  const [step, setStep] = useState<1 | 2>(1);
  const draft = useDraft<Draft>(FIRST);
  const navigate = useNavigate();
  const create = useAction((api, body: ReturnType<typeof toBody>) => api.createEnvironment({ body }), {
    changes: [keys.sites],
    onDone: ({ token }) => void navigate(`/sites/${token}/install`),
  });
  useEffect(() => {
    // What is wrong may be on the step before.
    if (fieldErrors(create.error).some(({ path }) => /^(name|domain)/.test(path))) setStep(1);
  }, [create.error]);
  const submit = () => (step === 1 ? setStep(2) : create.run(toBody(draft.value)));
  return (
    <>
      <PageHeader title="New site" />
      <Steps current={step} />
      <Card title={step === 1 ? 'Which site?' : 'How should it ask?'}>
        <Form
          action={create}
          onSubmit={submit}
          dirty={draft.dirty}
          submit={step === 1 ? 'Next' : 'Create site'}
          extra={step === 2 && <Button onPress={() => setStep(1)}>Back</Button>}
        >
          {step === 1 ? <Domain draft={draft} /> : <Settings draft={draft} />}
        </Form>
      </Card>
    </>
  );
}

interface StepProps {
  draft: ReturnType<typeof useDraft<Draft>>;
}

function Domain({ draft: { bind } }: StepProps) {
  return (
    <>
      <TextField
        label="Name"
        {...bind('name')}
        description="As your team calls it."
        isRequired
        maxLength={200}
      />
      <TextField
        label="Domain"
        {...bind('domain')}
        description="Without https://, such as www.example.com."
        placeholder="www.example.com"
        isRequired
      />
      <TextField
        label="Further domains"
        {...bind('domains')}
        description="Other names of the same site, separated by commas."
      />
    </>
  );
}

function Settings({ draft: { bind, value } }: StepProps) {
  const languages = toList(value['settings.languages']);
  return (
    <>
      <TextField
        label="Languages"
        {...bind('settings.languages')}
        description={`Tags such as de, en, pt-BR; the first is the default. ${languageNames(languages)}`}
        isRequired
      />
      <Select
        label="Time zone"
        {...bind('settings.time_zone')}
        description="Reports use the days of this zone, and the console shows its time."
        options={ZONES}
        isRequired
      />
      <TextField
        label="Address of the privacy policy"
        {...bind('settings.privacy_policy_url')}
        placeholder="https://"
        type="url"
      />
      <TextField
        label="Address of the imprint"
        {...bind('settings.imprint_url')}
        placeholder="https://"
        type="url"
      />
      <NumberField
        label="Ask again after"
        {...bind('settings.consent_lifetime_days')}
        description="Days. Authorities recommend 6 months, and at most 13."
        isRequired
      />
    </>
  );
}

function toBody(draft: Draft) {
  const languages = toList(draft['settings.languages']);
  const urls = { privacy: draft['settings.privacy_policy_url'], imprint: draft['settings.imprint_url'] };
  return {
    name: draft.name,
    domain: draft.domain.trim(),
    domains: toList(draft.domains),
    settings: {
      languages,
      ...(languages[0] !== undefined && { default_language: languages[0] }),
      time_zone: draft['settings.time_zone'],
      ...(urls.privacy !== '' && { privacy_policy_url: urls.privacy }),
      ...(urls.imprint !== '' && { imprint_url: urls.imprint }),
      // An empty field is refused by the server, which says what it takes.
      consent_lifetime_days: draft['settings.consent_lifetime_days'] ?? 0,
    },
  };
}
