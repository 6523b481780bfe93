import type { Avow, Input } from '@avow/sdk';
import type { ReactNode } from 'react';
import { keys, type Schemas, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Button, Form, TextArea } from '../../ui';
import { useKeptDraft } from '../../ui/kept-draft';

interface Props {
  breach: Schemas['Breach'];
  close: () => void;
}

interface Assessment {
  /** Identifies the draft. */
  name: string;
  /** The question that the reason answers. */
  label: string;
  description?: string;
  /** The text of the button. */
  submit: string;
  success: string;
  send: (api: Avow, request: Input<'reopenBreach'>) => Promise<unknown>;
  children: ReactNode;
}

/** A change of the assessment. Its reason is kept in the register. */
function AssessmentForm({ breach, close, ...form }: Props & Assessment) {
  const { token } = useSite();
  const draft = useKeptDraft(`breach:${form.name}:${breach.breach_id}`, { reason: '' });
  const assess = useAction(
    (api, reason: string) => form.send(api, { token, breach_id: breach.breach_id, body: { reason } }),
    {
      success: form.success,
      changes: [keys.site(token, 'breaches'), keys.site(token, 'warnings'), keys.site(token, 'score')],
      onDone: () => {
        draft.discard();
        close();
      },
    },
  );
  return (
    <Form
      action={assess}
      submit={form.submit}
      extra={<Button onPress={close}>Cancel</Button>}
      onSubmit={() => assess.run(draft.value.reason)}
    >
      {form.children}
      <TextArea
        label={form.label}
        {...draft.bind('reason')}
        description={form.description}
        maxLength={5000}
        isRequired
        autoFocus
      />
    </Form>
  );
}

/** Marks a breach that is unlikely to be a risk for people: no report, but a reason (GDPR Art. 33(1) and (5)). */
export const NotReportableForm = (props: Props) => (
  <AssessmentForm
    {...props}
    name="not-reportable"
    label="Why a risk is unlikely"
    description="The authority may ask for it (GDPR Art. 33(5))."
    submit="Need not be reported"
    success="The breach need not be reported; its clock has stopped."
    send={(api, request) => api.markBreachNotReportable(request)}
  >
    <Alert>
      Only if a risk for the rights and freedoms of people is unlikely. The breach stays in the register, and
      can be reopened when you learn more.
    </Alert>
  </AssessmentForm>
);

/** Reopens a breach after a new assessment. Its 72 hours run as if they had never stopped. */
export const ReopenForm = (props: Props) => (
  <AssessmentForm
    {...props}
    name="reopen"
    label="What has changed"
    submit="Reopen"
    success="The breach is open again."
    send={(api, request) => api.reopenBreach(request)}
  >
    <p>
      The 72 hours count from the moment that you became aware. If they are over, the report must say why it
      is late.
    </p>
  </AssessmentForm>
);
