import { lazy, Suspense } from 'react';
import { keys, type Schemas, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Button, Form, RadioGroup, Switch, TextArea, TextField, Time, useZone } from '../../ui';
import { useKeptDraft } from '../../ui/kept-draft';
import { fromWall, toWall } from '../../ui/zone';
import { RESOLUTIONS } from './names';
import { StillOpen, useOpenSearches } from './open-searches';

type Dsar = Schemas['Dsar'];

// Loaded when somebody answers.
const TemplateChoice = lazy(() => import('./template-choice'));

interface StepProps {
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
function useStep({ dsar, close }: StepProps, success: string, discard: () => void) {
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

const Cancel = ({ close }: { close: () => void }) => <Button onPress={close}>Cancel</Button>;

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
  const { request, ...after } = useStep(props, 'The deadline is extended.', draft.discard);
  const extend = useAction(
    (api, { reason, told_on }: { reason: string; told_on: string }) =>
      api.extendDsar({ ...request, body: { reason, ...(told_on && { told_on }) } }),
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
        description="What you tell the person. Where the request has an e-mail address, it is mailed."
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

/** Marks the request as answered. */
export function ResolveForm(props: StepProps) {
  const draft = useKeptDraft(`dsar:resolve:${props.dsar.request_id}`, {
    resolution: (props.dsar.possible_duplicate_of === null ? 'fulfilled' : 'duplicate') as NonNullable<
      Dsar['resolution']
    >,
    note: '',
    answer: '',
    mail: true,
  });
  const { request, ...after } = useStep(props, 'The request is resolved.', draft.discard);
  const searches = useOpenSearches(props.dsar);
  const resolve = useAction(
    (api, { resolution, note, answer, mail }: typeof draft.value) =>
      api.resolveDsar({
        ...request,
        body: { resolution, mail, ...(note && { note }), ...(answer && { answer }) },
      }),
    after,
  );
  return (
    <Form
      action={resolve}
      submit={searches.asks ? 'Resolve all the same' : 'Resolve'}
      extra={<Cancel close={props.close} />}
      onSubmit={() => searches.unlessOpen(() => resolve.run(draft.value))}
    >
      <RadioGroup label="Outcome" {...draft.bind('resolution')} options={RESOLUTIONS} />
      {props.dsar.email === '' && (
        <Suspense>
          <TemplateChoice dsar={props.dsar} onText={(note) => draft.set({ note })} />
        </Suspense>
      )}
      <TextArea
        label="Note"
        {...draft.bind('note')}
        description="What you did and told the person; it is the evidence of your answer (GDPR Art. 5(2)). The person does not see it."
        maxLength={10000}
      />
      {props.dsar.email !== '' && (
        <>
          <Switch
            {...draft.bind('mail')}
            label="Mail the answer"
            hint={`To ${props.dsar.email}, with a link to the files of the answer, if there are any.`}
          />
          {draft.value.mail && (
            <>
              <Suspense>
                <TemplateChoice dsar={props.dsar} onText={(answer) => draft.set({ answer })} />
              </Suspense>
              <TextArea
                label="Answer"
                {...draft.bind('answer')}
                description="What the mail says besides the outcome."
                maxLength={10000}
              />
            </>
          )}
        </>
      )}
      {searches.asks && <StillOpen {...searches} />}
    </Form>
  );
}

/** Takes back a resolution that was a mistake. Its deadline goes on as if it had never been resolved. */
export function ReopenForm(props: StepProps) {
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
        The deadline stays <Time at={props.dsar.extended_until ?? props.dsar.due_at} />. The answer before
        stays in the history.
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
