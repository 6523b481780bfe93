import type { Avow, Item, Schemas } from '@avow/sdk';
import { keys, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Button, Form, RadioGroup, Select, Switch, TextArea, TextField, useDraft } from '../../ui';
import { assigneeOf, useAssignees } from './assign';
import { needsReasons, whyNotMailed } from './mailing';
import { RESOLUTIONS } from './names';

type Outcomes = Schemas['DsarOutcomes'];

interface BulkProps {
  requests: readonly Item<'listDsar'>[];
  close: () => void;
  /** Told what became of each. */
  done: (outcomes: Outcomes) => void;
}

type Call<Values> = (
  api: Avow,
  input: { token: string; request_ids: string[] },
  values: Values,
) => Promise<Outcomes>;

/** The action of a step on all of them. */
function useBulk<Values>({ requests, done }: BulkProps, call: Call<Values>) {
  const { token } = useSite();
  const request_ids = requests.map(({ request_id }) => request_id);
  return useAction((api, values: Values) => call(api, { token, request_ids }, values), {
    success: ({ items }) => `Done: ${items.filter((one) => one.done).length} of ${items.length}.`,
    changes: [keys.site(token, 'dsar'), keys.site(token, 'warnings'), keys.site(token, 'events')],
    onDone: done,
  });
}

const Cancel = ({ close }: { close: () => void }) => <Button onPress={close}>Cancel</Button>;

/** Gives them to one person, or to nobody. */
export function BulkAssign(props: BulkProps) {
  const draft = useDraft({ assignee: 'me' });
  const assign = useBulk(props, (api, { token, request_ids }, { assignee }: typeof draft.value) =>
    api.assignDsars({ token, body: { request_ids, assignee: assigneeOf(assignee) } }),
  );
  return (
    <Form
      action={assign}
      submit="Assign"
      extra={<Cancel close={props.close} />}
      onSubmit={() => assign.run(draft.value)}
    >
      <Select label="Person" {...draft.bind('assignee')} options={useAssignees()} isRequired />
    </Form>
  );
}

/** Begins to work on them, with one remark for the history of each. */
export function BulkStart(props: BulkProps) {
  const draft = useDraft({ note: '' });
  const start = useBulk(props, (api, { token, request_ids }, { note }: typeof draft.value) =>
    api.startDsars({ token, body: { request_ids, ...(note && { note }) } }),
  );
  return (
    <Form
      action={start}
      submit="Start"
      extra={<Cancel close={props.close} />}
      onSubmit={() => start.run(draft.value)}
    >
      <TextArea
        label="Note"
        {...draft.bind('note')}
        description="For the history of each."
        maxLength={2000}
        autoFocus
      />
    </Form>
  );
}

/** Extends the deadlines, with the reason that each person is told. */
export function BulkExtend(props: BulkProps) {
  const draft = useDraft({ reason: '', told_on: '' });
  const whys = props.requests.map(({ mailing }) => whyNotMailed(mailing));
  const why = whys.find((one) => one !== undefined);
  // Where nobody is mailed, no mail is asked for that would be told of as lost.
  const mail = whys.includes(undefined);
  const extend = useBulk(props, (api, { token, request_ids }, { reason, told_on }: typeof draft.value) =>
    api.extendDsars({ token, body: { request_ids, reason, mail, ...(told_on && { told_on }) } }),
  );
  const isLate = props.requests.some(({ overdue }) => overdue);
  return (
    <Form
      action={extend}
      submit="Extend"
      extra={<Cancel close={props.close} />}
      onSubmit={() => extend.run(draft.value)}
    >
      <Alert>
        Each deadline is extended by two months, at most 60 days, once. Tell each person and why within the
        first month (GDPR Art. 12(3)).
      </Alert>
      <TextArea
        label="Reason"
        {...draft.bind('reason')}
        description={`What you tell each person. ${why ?? 'It is mailed to each.'}`}
        maxLength={2000}
        isRequired
        autoFocus
      />
      {isLate && (
        <TextField
          label="Told on"
          {...draft.bind('told_on')}
          type="date"
          description="Some are overdue: say on which day before it you told these people. Nobody is mailed then."
        />
      )}
    </Form>
  );
}

/** Marks them as answered, all with the same outcome. */
export function BulkResolve(props: BulkProps) {
  const draft = useDraft({
    ...{
      resolution: 'duplicate' as NonNullable<Item<'listDsar'>['resolution']>,
      note: '',
      answer: '',
      mail: true,
    },
  });
  const whys = props.requests.map(({ mailing }) => whyNotMailed(mailing));
  const reached = whys.filter((why) => why === undefined).length;
  const isMailed = reached > 0 && draft.value.mail;
  const resolve = useBulk(
    props,
    (api, { token, request_ids }, { resolution, note, answer }: typeof draft.value) =>
      api.resolveDsars({
        token,
        body: { request_ids, resolution, mail: isMailed, ...(note && { note }), ...(answer && { answer }) },
      }),
  );
  return (
    <Form
      action={resolve}
      submit="Resolve"
      extra={<Cancel close={props.close} />}
      onSubmit={() => resolve.run(draft.value)}
    >
      <p>
        All get this outcome and answer. A request that needs files or words of its own is resolved on its
        page.
      </p>
      <RadioGroup label="Outcome" {...draft.bind('resolution')} options={RESOLUTIONS} />
      <TextArea
        label="Note"
        {...draft.bind('note')}
        description="For the record of each; the people do not see it."
        maxLength={10000}
      />
      <Switch
        {...draft.bind('mail')}
        value={isMailed}
        isDisabled={reached === 0}
        label="Mail the outcome"
        hint={
          reached === whys.length
            ? 'To each person.'
            : `To ${reached} of ${whys.length}. ${whys.find((why) => why !== undefined)}`
        }
      />
      <TextArea
        label="Answer"
        {...draft.bind('answer')}
        description={`What each person is told besides the outcome${needsReasons(draft.value.resolution) ? ', with the reasons (GDPR Art. 12(4))' : ''}. It is kept with each request.`}
        maxLength={10000}
        isRequired={isMailed && needsReasons(draft.value.resolution)}
      />
    </Form>
  );
}
