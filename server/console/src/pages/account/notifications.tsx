import { keys, type Schemas, useAction, useAnswer } from '../../app/data';
import { Alert, Card, Form, PageHeader, QueryState, Select, useDraft } from '../../ui';

type Notifications = Schemas['NotificationSettings'];

const TOPICS: readonly (readonly [keyof Notifications, string])[] = [
  ['request_received', 'A new request'],
  ['request_assigned', 'A request that is assigned to me'],
  ['request_due', 'A request 7 days and 1 day before it is due'],
  ['request_overdue', 'A request that is overdue'],
  ['breach_clock', 'A breach after 24, 48, 60 and 72 hours'],
  ['webhook_failing', 'A webhook that fails'],
  ['webhook_disabled', 'A webhook that is disabled'],
  ['score_fell', 'A compliance score that falls'],
  ['new_cookies', 'New cookies before consent'],
  ['script_missing', 'A script that is no longer seen on the site'],
  ['evidence_failing', 'An evidence log that is damaged, or whose sealing or time-stamps fail'],
  ['members_and_keys', 'Members, API keys and the rule for second factors that change (owners only)'],
  ['new_device', 'A log-in from a new device'],
];

const MODES = [
  ['at_once', 'At once'],
  ['daily', 'Once a day'],
  ['off', 'Not at all'],
] as const;

/** What the user is told by mail, on every site. */
export default function NotificationsPage() {
  const settings = useAnswer([...keys.me, 'notifications'], (api, signal) =>
    api.getNotificationSettings(undefined, { signal }),
  );
  const me = useAnswer(keys.me, (api, signal) => api.getMe(undefined, { signal }));
  return (
    <>
      <PageHeader title="Notifications" back={['/account', 'Your account']}>
        What you are told by mail about every site where you are a member. The daily mail comes after 06:00
        UTC, if there is something to tell.
      </PageHeader>
      {me.data?.email_verified === false && (
        <Alert tone="warn">
          Where this server sends mail, you get none of it before you verify your address under Your account.
        </Alert>
      )}
      <QueryState query={settings}>{(present) => <Choices present={present} />}</QueryState>
    </>
  );
}

function Choices({ present }: { present: Notifications }) {
  const draft = useDraft(present);
  const save = useAction((api, body: Notifications) => api.updateNotificationSettings({ body }), {
    success: 'Your choice is saved.',
    changes: [[...keys.me, 'notifications']],
    onDone: (saved) => draft.saved(saved),
  });
  return (
    <Card title="Tell me about">
      <Form action={save} submit="Save" dirty={draft.dirty} onSubmit={() => save.run(draft.value)}>
        {TOPICS.map(([topic, label]) => (
          <Select key={topic} label={label} {...draft.bind(topic)} options={MODES} isRequired />
        ))}
      </Form>
    </Card>
  );
}
