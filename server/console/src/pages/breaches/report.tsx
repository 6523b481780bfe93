import { keys, type Schemas, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Button, DateTimeField, Form, TextArea, TextField, Time } from '../../ui';
import { useKeptDraft } from '../../ui/kept-draft';

/** The report to the authority: time, authority, its reference, and the reason for a delay. */
export function ReportForm({ breach, close }: { breach: Schemas['Breach']; close: () => void }) {
  const { token, settings } = useSite();
  const draft = useKeptDraft(`breach:report:${breach.breach_id}`, {
    reported_at: '',
    authority: settings.controller.authority ?? '',
    authority_reference: '',
    late_reason: '',
  });
  const report = useAction(
    (api, typed: typeof draft.value) => {
      const body = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''));
      return api.reportBreach({ token, breach_id: breach.breach_id, body });
    },
    {
      success: 'The breach is marked as reported.',
      changes: [keys.site(token, 'breaches'), keys.site(token, 'warnings'), keys.site(token, 'events')],
      onDone: () => {
        draft.discard();
        close();
      },
    },
  );
  const { reported_at } = draft.value;
  const when = reported_at === '' ? Date.now() : Date.parse(reported_at);
  const isLate = when > Date.parse(breach.notify_by);
  return (
    <Form
      action={report}
      submit="Mark as reported"
      extra={<Button onPress={close}>Cancel</Button>}
      onSubmit={() => report.run(draft.value)}
    >
      {breach.reported_at !== null && (
        <Alert tone="warn">
          It has been reported <Time at={breach.reported_at} />
          {breach.authority && ` to ${breach.authority}`}.
        </Alert>
      )}
      <DateTimeField label="Reported" {...draft.bind('reported_at')} description="Empty for now." />
      <TextField label="Supervisory authority" {...draft.bind('authority')} maxLength={200} />
      <TextField label="Reference of the authority" {...draft.bind('authority_reference')} maxLength={200} />
      {(isLate || draft.value.late_reason !== '') && (
        <TextArea
          label="Why it is late"
          {...draft.bind('late_reason')}
          maxLength={5000}
          isRequired={isLate}
          description="The 72 hours are over: the law asks for reasons (GDPR Art. 33(1))."
        />
      )}
    </Form>
  );
}
