import { useState } from 'react';
import { keys, type Schemas, useAction, useAnswer } from '../../app/data';
import { toLines } from '../../app/lists';
import { useSite } from '../../app/site';
import {
  Alert,
  Button,
  Card,
  type Column,
  Dialog,
  Form,
  Link,
  QueryState,
  RadioGroup,
  Table,
  TextArea,
  Time,
  useDraft,
} from '../../ui';

type Schedule = Schemas['ScanSchedule'];
type Every = Schedule['every'];
type Page = Schedule['pages'][number];

/** The pages that are scanned again and again, how their last turns ended, and for owners a form to change them. */
export function ScanSchedule() {
  const { token } = useSite();
  const schedule = useAnswer(keys.site(token, 'scan-schedule'), (api, signal) =>
    api.getScanSchedule({ token }, { signal }),
  );
  return (
    <Card title="Scheduled scans">
      <QueryState query={schedule}>{(found) => <Shown schedule={found} />}</QueryState>
    </Card>
  );
}

function Shown({ schedule }: { schedule: Schedule }) {
  const { may, path } = useSite();
  const [isOpen, open] = useState(false);
  return (
    <>
      <State schedule={schedule} />
      {schedule.pages.length > 0 && schedule.every !== 'off' && (
        <Table
          label="Scheduled scans"
          columns={columns(path)}
          rows={schedule.pages}
          rowKey={({ url }) => url}
        />
      )}
      {may('owner') && (
        <div>
          <Button onPress={() => open(true)}>Change the schedule</Button>
        </div>
      )}
      <Dialog isOpen={isOpen} title="Change the schedule" onClose={() => open(false)}>
        <Change schedule={schedule} close={() => open(false)} />
      </Dialog>
    </>
  );
}

const EVERY: Record<Exclude<Every, 'off'>, string> = { daily: 'every day', weekly: 'every week' };

function State({ schedule: { every, state, set_by } }: { schedule: Schedule }) {
  const { may } = useSite();
  if (every === 'off')
    return (
      <p>
        No scans are scheduled.{may('owner') ? '' : ' An owner can have pages scanned every day or week.'}
      </p>
    );
  if (state === 'not_here')
    return (
      <Alert tone="warn" title="Scans are turned off on this server">
        Whoever runs the server can turn them on again; the schedule stays until then.
      </Alert>
    );
  if (state === 'stopped')
    return (
      <Alert tone="warn" title="No scans are started">
        {set_by === null ? 'Whoever set this schedule' : set_by} is no owner of this site any more or may not
        log in, or the site is archived. An owner can save the schedule again.
      </Alert>
    );
  return (
    <p>
      These pages are scanned {EVERY[every]}, as set by {set_by}. Each has a time of its own.
    </p>
  );
}

const columns = (path: (to: string) => string): Column<Page>[] => [
  { title: 'Page', cell: ({ url }) => url },
  {
    title: 'Last scan',
    cell: ({ last_scan_id, last_started_at }) =>
      last_scan_id === null || last_started_at === null ? (
        'Not yet'
      ) : (
        <Link to={path(`scans/${last_scan_id}`)}>
          <Time at={last_started_at} />
        </Link>
      ),
  },
  {
    title: 'Next scan',
    cell: ({ next_at }) => (next_at === null ? '–' : <Time at={next_at} />),
  },
  {
    title: 'Failures',
    cell: ({ failures, error }) =>
      failures === 0 ? (
        'None'
      ) : (
        <>
          {failures === 1 ? 'The last turn failed' : `${failures} turns in a row failed`}
          <span className="hint block">{error}</span>
        </>
      ),
  },
];

function Change({ schedule, close }: { schedule: Schedule; close: () => void }) {
  const { token, url, domains } = useSite();
  const draft = useDraft({
    every: schedule.every,
    pages: schedule.pages.map((page) => page.url).join('\n') || url,
  });
  const { every, pages } = draft.value;
  const save = useAction(
    (api, body: { every: Every; pages: string[] }) =>
      api.setScanSchedule({ token, body: { ...body, expected_version: schedule.version } }),
    {
      success: 'Schedule saved',
      changes: [keys.site(token, 'scan-schedule'), keys.site(token, 'warnings')],
      onDone: close,
    },
  );
  return (
    <Form
      action={save}
      submit="Save the schedule"
      extra={<Button onPress={close}>Cancel</Button>}
      onSubmit={() => save.run({ every, pages: toLines(pages) })}
    >
      <RadioGroup
        label="How often"
        {...draft.bind('every')}
        options={[
          ['off', 'Off', 'Scans are started by hand only.'],
          ['daily', 'Every day', 'Once a day, each at a time of its own.'],
          ['weekly', 'Every week', 'Once a week, each at a time of its own.'],
        ]}
      />
      {every !== 'off' && (
        <TextArea
          label="Pages"
          {...draft.bind('pages')}
          isRequired
          description={`One address on each line, at most 10, on ${domains.join(', ')}. Only pages on proven domains are visited. The scans are yours: they stop when you are no owner any more.`}
        />
      )}
    </Form>
  );
}
