import { randomUUID } from 'node:crypto';
import { createAvow, type Item } from '@avow/sdk';
import { addTrigger, hold, waitingForLocks } from '../helpers/cluster/instruments';
import { checkedFetch } from '../helpers/contract';
import { bearerOf } from '../helpers/http/contract-requests';
import { refusal } from '../helpers/http/refusal';
import { endChildren, ServerProcess } from '../helpers/processes/child';
import { useServer } from '../helpers/server';
import { submit } from '../helpers/site/data-subject-requests';
import { member, rowsIn } from '../helpers/site/people';
import { until } from '../helpers/until';

const KEY = { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
const SIGNING = { JWT_SECRET: 'a secret of at least 32 characters!' };
const server = useServer({ variables: { ...KEY, ...SIGNING } });
afterAll(endChildren);

const ADA = 'ada@example.com';
const EXTERNAL = 'customer-4711';

type Erasure = Item<'listErasures'>;

const counted = ({ erased }: Pick<Erasure, 'erased'>) =>
  Object.fromEntries(erased.map(({ kind, count }) => [kind, count]));

/** A site where a person left two decisions, a form consent and an answered request. */
async function withTraces() {
  const site = await server.site();
  const { client, token } = site;
  await client.createWebhook({ token, body: { url: 'https://93.184.216.34/hook', events: '*' } });
  const session_id = randomUUID();
  for (const decision of ['accept_all', 'reject_all'] as const)
    await server.visitor.logConsent({ token, body: { session_id, decision } });
  await server.visitor.recordFormConsent({
    token,
    body: {
      ...{ form_id: 'news', form_url: 'https://shop.example.com/', session_id },
      ...{ subject: { email: ADA, external_id: EXTERNAL } },
      statements: [{ key: 'a', text: 'Yes.', accepted: true }],
    },
  });
  const { request_id } = await submit(server, token, { email: ADA, name: 'Ada', message: 'Please.' });
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
  return { ...site, session_id, request_id };
}

const list = async ({ client, token }: Pick<Awaited<ReturnType<typeof withTraces>>, 'client' | 'token'>) =>
  (await client.listErasures({ token })).items;

test('an erasure leaves when, by whom, by what and how much, and nothing of the person', async () => {
  const site = await withTraces();
  const { client, token, userId, session_id } = site;
  const { key } = await client.createKey({ body: { name: 'erases', scopes: ['erasures:write'] } });
  const program = createAvow({ baseUrl: server.url, apiKey: key, fetch: checkedFetch, retries: 0 });
  const subject = { email: ADA, external_id: EXTERNAL };
  const report = await program.eraseSubject({ token, body: { subject, sessions: [session_id] } });
  expect(report.complete).toBe(true);
  const [erasure, ...others] = await list(site);
  expect(others).toEqual([]);
  expect(erasure).toMatchObject({
    ...{ kind: 'person', found_by: ['email', 'external_id', 'sessions'], user_id: userId, complete: true },
    ...{ key_id: key.slice(5, 17), rule: null, day: null, finished_at: expect.any(String) },
  });
  expect(erasure?.erased).toEqual(report.erased.filter(({ count }) => count > 0));
  expect(counted(erasure as Erasure)).toMatchObject({
    consents: 2,
    choices: 1,
    form_consents: 1,
    requests: 1,
  });
  const stored = JSON.stringify(await rowsIn(server, 'erasures', token));
  for (const personal of [ADA, EXTERNAL, session_id, 'Ada', '203.0', '127.0'])
    expect([personal, stored.includes(personal)]).toEqual([personal, false]);
});

test('that of a session names it by nothing; what finds nothing, and a preview, leave no record', async () => {
  const site = await withTraces();
  const { client, token, userId, session_id } = site;
  await client.eraseSession({ token, session_id: randomUUID() });
  await client.eraseSubject({ token, body: { subject: { email: 'nobody@example.com' } } });
  await client.eraseSubject({ token, body: { subject: { email: ADA }, preview: true } });
  expect(await list(site)).toEqual([]);
  const before = await rowsIn(server, 'consents', token);
  expect(before).toHaveLength(2);
  await client.eraseSession({ token, session_id });
  const [erasure, ...others] = await list(site);
  expect(others).toEqual([]);
  expect(erasure).toMatchObject({ kind: 'session', found_by: ['session_id'], user_id: userId, key_id: null });
  expect(counted(erasure as Erasure)).toMatchObject({ consents: 2, choices: 1, form_consents: 1, events: 2 });
  expect(JSON.stringify(erasure)).not.toContain(session_id);
});

test('one that fails in the middle stays incomplete, and says what had gone', async () => {
  const site = await withTraces();
  const { client, token, session_id } = site;
  const mend = await addTrigger(server.databaseUrl, {
    ...{
      name: 'refuse_erasure',
      table: 'form_consents',
      event: 'BEFORE DELETE',
      body: "RAISE 'not this one';",
    },
  });
  expect(await refusal(client.eraseSession({ token, session_id }))).toMatchObject({ status: 500 });
  await mend();
  const [broken] = await list(site);
  expect(broken).toMatchObject({ kind: 'session', complete: false, finished_at: null });
  expect(counted(broken as Erasure)).toMatchObject({ consents: 2, events: 2 });
  expect(counted(broken as Erasure)).not.toHaveProperty('form_consents');
  await client.eraseSession({ token, session_id });
  const [again, first] = await list(site);
  expect(first).toEqual(broken);
  expect(again).toMatchObject({
    complete: true,
    erased: [
      { kind: 'choices', count: 1 },
      { kind: 'form_consents', count: 1 },
    ],
  });
});

/** Erasures by session and by person, whose audit event is written with the first batch. */
const erasures = [
  ['session', ({ client, token, session_id }) => client.eraseSession({ token, session_id })],
  [
    'person',
    ({ client, token, session_id }) =>
      client.eraseSubject({ token, body: { subject: { email: ADA }, sessions: [session_id] } }),
  ],
] satisfies [string, (site: Awaited<ReturnType<typeof withTraces>>) => Promise<unknown>][];

const audited = async (token: string) =>
  (await rowsIn(server, 'audit_events', token)).filter(({ operation }) => operation.startsWith('erase'));

test.each(erasures)(
  'that of a %s in many batches has one audit event, from the first on',
  async (_, erase) => {
    const site = await withTraces();
    const { token, userId } = site;
    const { db } = server.service.context;
    await db.raw(
      `INSERT INTO consents SELECT environment_id, recorded_at, gen_random_uuid(), session_id, decision, categories, policy_version,
       banner_version, bundle_hash, method, language, page_url, ip_masked, user_agent, gpc, tc_string, gpp_string, expires_at
     FROM consents, generate_series(1, 1249)
     WHERE environment_id = (SELECT id FROM environments WHERE token = ?)`,
      [token],
    );
    // The first batch is of events, the second of consents.
    const mend = await addTrigger(server.databaseUrl, {
      ...{ name: 'refuse_second', table: 'consents', event: 'BEFORE DELETE', body: "RAISE 'not these';" },
    });
    expect(await refusal(erase(site))).toMatchObject({ status: 500 });
    await mend();
    expect(counted((await list(site))[0] as Erasure)).toMatchObject({ events: expect.any(Number) });
    expect(await rowsIn(server, 'consents', token)).toHaveLength(2_500);
    const [first, ...others] = await audited(token);
    expect([first?.user_id, others]).toEqual([userId, []]);
    await erase(site);
    expect(await rowsIn(server, 'consents', token)).toEqual([]);
    const again = (await audited(token)).filter(({ audit_id }) => audit_id !== first?.audit_id);
    expect(again).toEqual([expect.objectContaining({ user_id: userId, resource_id: token })]);
  },
);

test('one whose process is killed in the middle is there, incomplete, with what was erased', async () => {
  const site = await withTraces();
  const { token, userId, session_id } = site;
  const child = await ServerProcess.start({
    ...{ DATABASE_URL: server.databaseUrl, ROLE: 'api', ...KEY, ...SIGNING },
  });
  const release = await hold(server.databaseUrl, 'LOCK TABLE form_consents IN SHARE ROW EXCLUSIVE MODE');
  const doomed = createAvow({
    ...{ baseUrl: child.url, token: await bearerOf(server, userId), retries: 0 },
  }).eraseSession({ token, session_id });
  const outcome = doomed.then(
    () => 'answered',
    () => 'broken off',
  );
  await until('the erasure waits', async () => (await waitingForLocks(server.databaseUrl)) > 0);
  await child.kill('SIGKILL');
  expect(await outcome).toBe('broken off');
  await release();
  expect(await rowsIn(server, 'consents', token)).toEqual([]);
  const [erasure] = await list(site);
  expect(erasure).toMatchObject({ kind: 'session', complete: false, finished_at: null });
  expect(counted(erasure as Erasure)).toMatchObject({ consents: 2, events: 2 });
});

test('they are listed newest first, page by page, by kind and time, for viewers too, and exported', async () => {
  const site = await withTraces();
  const { client, token, session_id } = site;
  await client.eraseSession({ token, session_id });
  await client.eraseSubject({ token, body: { subject: { email: ADA } } });
  const viewer = (await member(server, { client, token }, 'viewer')).client;
  const first = await viewer.listErasures({ token, limit: 1 });
  const second = await viewer.listErasures({ token, limit: 1, cursor: first.next_cursor as string });
  const all = [...first.items, ...second.items];
  expect(all.map(({ kind }) => kind)).toEqual(['person', 'session']);
  expect(second.next_cursor).toBeNull();
  expect((await viewer.listErasures({ token, kind: 'session' })).items).toEqual(second.items);
  expect((await viewer.listErasures({ token, to: second.items[0]?.begun_at as string })).items).toEqual([]);
  const lines = (await (await viewer.exportErasures({ token })).text()).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([...all].reverse());
  const csv = await (await viewer.exportErasures({ token, format: 'csv', kind: 'person' })).text();
  expect(csv.trimEnd().split('\n')).toHaveLength(2);
});
