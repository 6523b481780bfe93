import { deleteAuditBefore, insertAudit, NO_ACCOUNT, NO_SITE } from '../../server/src/db/audit-events';
import { erasureOf } from '../../server/src/db/erase-site';
import { newId } from '../../server/src/domain/ids';
import { createJobs } from '../../server/src/jobs';
import { useServer } from '../helpers/server';
import { DAY } from '../helpers/site/data-subject-requests';
import { until } from '../helpers/until';

const server = useServer({ variables: { ROLE: 'api', AUDIT_RETENTION_DAYS: '100' } });
const db = () => server.service.context.db;

/** An event of so many days ago. */
const old = (days: number, environment_id = NO_SITE) =>
  insertAudit(db(), {
    ...{ environment_id, account_id: NO_ACCOUNT, audit_id: newId() },
    occurred_at: new Date(Date.now() - days * DAY).toISOString(),
    ...{
      operation: `old ${days}`,
      kind: 'change',
      via: 'command',
      begun_by: null,
      user_id: null,
      key_id: null,
    },
    os_user: null,
    ...{ ip_masked: null, request_id: null, resource: null, resource_id: null },
    ...{ changes: [], changes_left_out: 0 },
  });
const left = async (): Promise<string[]> =>
  (await db()('audit_events').whereLike('operation', 'old %').orderBy('occurred_at')).map(
    ({ operation }) => operation,
  );

test('events of every trail go after AUDIT_RETENTION_DAYS, and not before', async () => {
  const { token } = await server.site();
  const { id } = await db()('environments').where({ token }).first('id');
  for (const days of [900, 101]) await old(days);
  await old(500, id);
  await old(99);
  const jobs = createJobs(server.service.context);
  jobs.start();
  try {
    await until('the job has run', async () => (await left()).length < 4);
  } finally {
    await jobs.stop();
  }
  expect(await left()).toEqual(['old 99']);
});

test('however many there are', async () => {
  await db().raw(
    `INSERT INTO audit_events (environment_id, account_id, occurred_at, audit_id, operation, kind, via, changes,
       changes_left_out)
     SELECT ?, 0, now() - interval '200 days' - n * interval '1 second', gen_random_uuid(), 'many', 'change', 'key', '[]', 0
     FROM generate_series(1, 12000) AS n`,
    [NO_SITE],
  );
  expect(await deleteAuditBefore(db(), new Date(Date.now() - 150 * DAY))).toBe(12_000);
});

test('those of a deleted site stay when its records are erased', async () => {
  const { client, token } = await server.site();
  const { id } = await db()('environments').where({ token }).first('id');
  await client.updateEnvironment({ token, body: { status: 'archived' } });
  await client.deleteEnvironment({ token, name: 'Example shop' });
  for await (const _ of erasureOf(db(), id));
  expect(await db()('environments').where({ id })).toEqual([]);
  const events = await db()('audit_events').where({ environment_id: id }).orderBy('occurred_at');
  expect(events.map(({ operation }) => operation)).toEqual(['createEnvironment', 'updateEnvironment']);
});
