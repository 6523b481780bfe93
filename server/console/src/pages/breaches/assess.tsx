import { keys, type Schemas, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Button, Form, TextArea } from '../../ui';
import { useKeptDraft } from '../../ui/kept-draft';

interface AssessProps {
  breach: Schemas['Breach'];
  close: () => void;
}

/** A judgement and its reason, which stays in the register. */
function useReason(name: string, { breach, close }: AssessProps) {
  const { token } = useSite();
  const draft = useKeptDraft(`breach:${name}:${breach.breach_id}`, { reason: '' });
  return {
    draft,
    request: { token, breach_id: breach.breach_id, body: { reason: draft.value.reason } },
    changes: [keys.site(token, 'breaches'), keys.site(token, 'warnings'), keys.site(token, 'score')],
    onDone: () => {
      draft.discard();
      close();
    },
  };
}

/** A risk for people is unlikely: no report, and the reason for it (GDPR Art. 33(1) and (5)). */
export function NotReportableForm(props: AssessProps) {
  const { draft, request, ...after } = useReason('not-reportable', props);
  const mark = useAction((api) => api.markBreachNotReportable(request), {
    ...after,
    success: 'The breach need not be reported; its clock has stopped.',
  });
  return (
    <Form
      action={mark}
      submit="Need not be reported"
      extra={<Button onPress={props.close}>Cancel</Button>}
      onSubmit={() => mark.run(undefined)}
    >
      <Alert>
        Only where a risk for the rights and freedoms of people is unlikely. It stays in the register, and can
        be reopened when you learn more.
      </Alert>
      <TextArea
        label="Why a risk is unlikely"
        {...draft.bind('reason')}
        description="The authority may ask for it (GDPR Art. 33(5))."
        maxLength={5000}
        isRequired
        autoFocus
      />
    </Form>
  );
}

/** The assessment has changed: the clock is that of the breach, as if it had never stopped. */
export function ReopenForm(props: AssessProps) {
  const { draft, request, ...after } = useReason('reopen', props);
  const reopen = useAction((api) => api.reopenBreach(request), {
    ...after,
    success: 'The breach is open again.',
  });
  return (
    <Form
      action={reopen}
      submit="Reopen"
      extra={<Button onPress={props.close}>Cancel</Button>}
      onSubmit={() => reopen.run(undefined)}
    >
      <p>
        The 72 hours are those from the moment that you became aware. When they are over, the report says why.
      </p>
      <TextArea label="What has changed" {...draft.bind('reason')} maxLength={5000} isRequired autoFocus />
    </Form>
  );
}
