import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import knex, { type Knex } from 'knex';
import { ensurePartitions } from '../../server/src/db/partitions';
import { KEYS_STEP, KeyWatch } from '../../server/src/ingest/key-use';
import { refusal } from '../helpers/http/refusal';
import { startServer, type TestServer } from '../helpers/server';
import { countsOf } from '../helpers/site/counts';
import { rowsIn } from '../helpers/site/people';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

let one: TestServer;
let two: TestServer;
let db: Knex;
beforeAll(async () => {
  const variables = {
    JWT_SECRET: 'a secret of at least 32 characters!',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  one = await startServer({ variables });
  two = await startServer({ variables, databaseUrl: one.databaseUrl });
  db = one.service.context.db;
  await db('contract_steps').update({ started_at: new Date(Date.now() - 3_600_000) });
  for (const { service } of [one, two])
    await until('no rows are made for event ids', async () => !service.context.keys.use.inRows);
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

interface RecordRow {
  environment_id: string;
  recorded_at: Date;
}

const report = (stated: object = {}) => ({
  ...{ event_id: randomUUID(), session_id: randomUUID(), decision: 'accept_all' as const },
  ...stated,
});
type Report = ReturnType<typeof report>;
const send = (token: string, body: Report, server = one) =>
  server.visitor.recordVisitorConsent({ token, body });
const keysOf = async (token: string) => (await rowsIn(one, 'idempotency_keys', token)) as { scope: string }[];

test('a report that both processes get at once, many times, is stored and counted once; no row is made for it', async () => {
  const { token } = await one.site();
  const reports = Array.from({ length: 20 }, () => report());
  const answers = await Promise.all(
    reports.flatMap((body) => [one, two, one, two].map((server) => send(token, body, server))),
  );
  expect(new Set(answers.map(({ consent_id }) => consent_id)).size).toBe(20);
  expect(await rowsIn(one, 'consents', token)).toHaveLength(20);
  expect((await countsOf(one, token))['decision accept_all en unknown']).toBe(20);
  expect(await keysOf(token)).toEqual([]);
});

test('decisions of one session that come at once, each to both processes, are all stored once', async () => {
  const { token } = await one.site();
  const session_id = randomUUID();
  const reports = Array.from({ length: 10 }, () => report({ session_id }));
  await Promise.all(reports.flatMap((body) => [send(token, body, one), send(token, body, two)]));
  expect(await rowsIn(one, 'consents', token)).toHaveLength(10);
});

test('another body under an id is refused; an id of another session is another', async () => {
  const { token } = await one.site();
  const body = report();
  const { consent_id } = await send(token, body);
  const error = await refusal(send(token, { ...body, decision: 'reject_all' as never }, two));
  expect([error.status, error.code]).toEqual([409, 'conflict']);
  const other = await send(token, { ...body, session_id: randomUUID() });
  expect(other.consent_id).not.toBe(consent_id);
  expect(await rowsIn(one, 'consents', token)).toHaveLength(2);
});

test('a report that was claimed by a row before the contract step is recognised', async () => {
  const { token } = await one.site();
  const body = report();
  const { consent_id } = await send(token, body);
  const [{ environment_id }] = (await rowsIn(one, 'consents', token)) as [{ environment_id: string }];
  // As a process stored it whose ids are random.
  const old = consent_id.slice(0, 21) + randomUUID().slice(21);
  for (const table of ['consents', 'session_choices'])
    await db(table).where({ environment_id, consent_id }).update({ consent_id: old });
  await db('idempotency_keys').insert({
    ...{ environment_id, scope: 'consent', key: body.event_id, resource_id: old },
    ...{ body_hash: Buffer.from('00', 'hex'), expires_at: new Date(Date.now() + 86_400_000) },
  });
  expect((await refusal(send(token, body))).status).toBe(409);
  await db('idempotency_keys')
    .where({ environment_id })
    .update({ body_hash: createHash('sha256').update(JSON.stringify(body)).digest() });
  expect(await send(token, body, two)).toEqual({ consent_id: old });
  expect(await rowsIn(one, 'consents', token)).toHaveLength(1);
});

test('an event id is known for 30 days, among the last 100 decisions of its session', async () => {
  const { token } = await one.site();
  const session_id = randomUUID();
  const reports = Array.from({ length: 101 }, () => report({ session_id }));
  const ids: string[] = [];
  for (const body of reports) ids.push((await send(token, body)).consent_id);
  expect(await send(token, reports[1] as Report)).toEqual({ consent_id: ids[1] });
  expect((await send(token, reports[0] as Report)).consent_id).not.toBe(ids[0]);
  const body = report();
  const { consent_id } = await send(token, body);
  const [row] = (await rowsIn(one, 'consents', token).where({ consent_id })) as [RecordRow];
  /** Another month's partition may be the place. */
  const age = async (days: number): Promise<void> => {
    await db('consents').where({ environment_id: row.environment_id, consent_id }).delete();
    const recorded_at = new Date(row.recorded_at.getTime() - days * 86_400_000);
    await db('consents').insert({ ...row, recorded_at });
  };
  // Two months back, which the first days of March need.
  await ensurePartitions(db, new Date(Date.now() - 30 * 86_400_000));
  await age(29);
  // Its answer is looked for at the time in its id.
  expect((await refusal(send(token, body))).status).toBe(409);
  await age(30.1);
  expect((await send(token, body)).consent_id).not.toBe(consent_id);
});

test.each([
  [
    'its session',
    (site: Awaited<ReturnType<TestServer['site']>>, session_id: string) =>
      site.client.eraseSession({ token: site.token, session_id }),
  ],
  [
    'a person',
    (site: Awaited<ReturnType<TestServer['site']>>, session_id: string) =>
      site.client.eraseSubject({ token: site.token, body: { subject: { session_id } } }),
  ],
])(
  'a report that comes again after the erasure of %s brings no record back, and what is left names nobody',
  async (_, erase) => {
    const site = await one.site();
    const { token } = site;
    const body = report();
    const { consent_id } = await send(token, body);
    const other = await send(token, report());
    await erase(site, body.session_id);
    for (const server of [one, two]) {
      const error = await refusal(send(token, body, server));
      expect([error.status, error.message]).toEqual([409, expect.stringMatching(/was erased/)]);
    }
    expect((await refusal(send(token, { ...body, decision: 'reject_all' as never }))).message).toMatch(
      /another body/,
    );
    expect(await rowsIn(one, 'consents', token)).toMatchObject([{ consent_id: other.consent_id }]);
    const left = await keysOf(token);
    expect(left).toMatchObject([{ scope: 'erased', resource_id: null, answer: null }]);
    const text = JSON.stringify(left);
    for (const id of [body.session_id, body.event_id, consent_id]) expect(text).not.toContain(id);
    const { expires_at } = left[0] as unknown as { expires_at: string };
    const days = (Date.parse(expires_at) - Date.now()) / 86_400_000;
    expect(days > 29.9 && days < 30.1).toBe(true);
    // Another decision of the session is taken.
    expect(await send(token, report({ session_id: body.session_id }))).toMatchObject({
      consent_id: expect.any(String),
    });
  },
);

test('a report that comes while its session is erased is stored once or not at all', async () => {
  const site = await one.site();
  const { token, client } = site;
  for (let round = 0; round < 10; round += 1) {
    const body = report();
    await send(token, body);
    const outcomes = await Promise.allSettled([
      client.eraseSession({ token, session_id: body.session_id }),
      send(token, body, one),
      send(token, body, two),
    ]);
    for (const outcome of outcomes.slice(1))
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409 });
    expect((await refusal(send(token, body))).status).toBe(409);
  }
  expect(await rowsIn(one, 'consents', token)).toEqual([]);
});

test('a process that has not looked for the step yet, or cannot, looks in both: others may make no rows', async () => {
  const { visitorDb, log } = one.service.context;
  expect(new KeyWatch(visitorDb, log).use).toEqual({ inRows: true, inRecords: true });
  const away = knex({ client: 'pg', connection: 'postgres://nobody@127.0.0.1:1/nowhere' });
  const watch = new KeyWatch(away, log);
  watch.start();
  await delay(200);
  await watch.stop();
  await away.destroy();
  expect(watch.use).toEqual({ inRows: true, inRecords: true });
});

test('a process uses rows while there is no step, and both until all processes have seen it', async () => {
  const steps = db('contract_steps').where({ name: KEYS_STEP });
  const [row] = await steps.clone();
  await steps.clone().delete();
  const three = await startServer({ databaseUrl: one.databaseUrl });
  try {
    const { keys } = three.service.context;
    await until('it knows that there is none', async () => !keys.use.inRecords);
    await db('contract_steps').insert({ ...row, started_at: db.fn.now() });
    await until('the step is seen', async () => keys.use.inRecords);
    expect(keys.use.inRows).toBe(true);
    await steps.clone().update({ started_at: row.started_at });
    await until('rows are left out', async () => !keys.use.inRows);
  } finally {
    await three.stop();
  }
});
