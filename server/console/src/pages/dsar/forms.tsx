import { keys, type Schemas, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Button, Form, TextArea, TextField, Time, useZone } from '../../ui';
import { useKeptDraft } from '../../ui/kept-draft';
import { fromWall, toWall } from '../../ui/zone';
import { whyNotMailed } from './mailing';

type Dsar = Schemas['Dsar'];

export interface StepProps {
  dsar: Dsar;
  close: () => void;
}

/** Two months later, at most 60 days (GDPR Art. 12(3)). */
function extendedUntil(due: string, zone: string): string {
  const days = Date.parse(due) + 60 * 86_400_000;
  const [year = 0, month = 0, day = 0] = toWall(due, zone).slice(0, 10).split('-').map(Number);
  const last = new Date(Date.UTC(year, month + 2, 0)).getUTCDate();
  const date = new Date(Date.UTC(year, month + 1, Math.min(day, last))).toISOString().slice(0, 10);
  return new Date(Math.min(days, Date.parse(fromWall(`${date}T23:59`, zone)))).toISOString();
}

/** The request, the changed data and the next action of every step. */
export function useStep({ dsar, close }: StepProps, success: string, discard: () => void) {
  const { token } = useSite();
  return {
    success,
    changes: [keys.site(token, 'dsar'), keys.site(token, 'warnings'), keys.site(token, 'events')],
    onDone: () => {
      discard();
      close();
    },
    request: { token, request_id: dsar.request_id },
  };
}

export const Cancel = ({ close }: { close: () => void }) => <Button onPress={close}>Cancel</Button>;

/** Changes the state from created to in progress. */
export function StartForm(props: StepProps) {
  const draft = useKeptDraft(`dsar:start:${props.dsar.request_id}`, { note: '' });
  const { request, ...after } = useStep(props, 'Work has started.', draft.discard);
  const start = useAction(
    (api, note: string) => api.startDsar({ ...request, body: { ...(note && { note }) } }),
    after,
  );
  return (
    <Form
      action={start}
      submit="Start"
      extra={<Cancel close={props.close} />}
      onSubmit={() => start.run(draft.value.note)}
    >
      <TextArea
        label="Note"
        {...draft.bind('note')}
        description="For the history, such as how the person proved who they are."
        maxLength={2000}
        autoFocus
      />
    </Form>
  );
}

/** Extends the deadline, once and with a reason. The new date is shown before it is sent. */
export function ExtendForm(props: StepProps) {
  const draft = useKeptDraft(`dsar:extend:${props.dsar.request_id}`, { reason: '', told_on: '' });
  const why = whyNotMailed(props.dsar.mailing);
  const { request, ...after } = useStep(props, 'The deadline is extended.', draft.discard);
  const extend = useAction(
    (api, { reason, told_on }: { reason: string; told_on: string }) =>
      api.extendDsar({ ...request, body: { reason, mail: why === undefined, ...(told_on && { told_on }) } }),
    after,
  );
  const until = extendedUntil(props.dsar.due_at, useZone());
  return (
    <Form
      action={extend}
      submit="Extend"
      extra={<Cancel close={props.close} />}
      onSubmit={() => extend.run(draft.value)}
    >
      <p>
        The new deadline will be{' '}
        <strong>
          <Time at={until} />
        </strong>{' '}
        instead of <Time at={props.dsar.due_at} />.
      </p>
      <Alert>
        This is possible once, when requests are complex or many. Tell the person and why within the first
        month (GDPR Art. 12(3)).
      </Alert>
      <TextArea
        label="Reason"
        {...draft.bind('reason')}
        description={`What you tell the person. ${why ?? 'It is mailed to them.'}`}
        maxLength={2000}
        isRequired
        autoFocus
      />
      {props.dsar.overdue && (
        <TextField
          label="Told on"
          {...draft.bind('told_on')}
          type="date"
          description="The deadline is over: say on which day before it you told the person. If you did not, answer now."
          isRequired
        />
      )}
    </Form>
  );
}
