import { useAction } from '../../app/data';
import { Form, TextArea, Time } from '../../ui';
import { useKeptDraft } from '../../ui/kept-draft';
import { Cancel, type StepProps, useStep } from './forms';

/** Takes back a resolution that was a mistake. Its deadline goes on as if it had never been resolved. */
export default function ReopenForm(props: StepProps) {
  const draft = useKeptDraft(`dsar:reopen:${props.dsar.request_id}`, { reason: '' });
  const { request, ...after } = useStep(props, 'The request is open again.', draft.discard);
  const reopen = useAction((api, reason: string) => api.reopenDsar({ ...request, body: { reason } }), after);
  return (
    <Form
      action={reopen}
      submit="Reopen"
      extra={<Cancel close={props.close} />}
      onSubmit={() => reopen.run(draft.value.reason)}
    >
      <p>
        The deadline stays <Time at={props.dsar.extended_until ?? props.dsar.due_at} />. The history keeps how
        it was answered; the words of the answer stay until there is another one.
      </p>
      <TextArea
        label="Reason"
        {...draft.bind('reason')}
        description="Why the request is not answered. Receivers of webhooks are not told until it is resolved again."
        maxLength={2000}
        isRequired
        autoFocus
      />
    </Form>
  );
}
