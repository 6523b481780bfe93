import { randomUUID } from 'node:crypto';
import type { Output } from '@avow/sdk';
import { refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { submit } from '../helpers/site/data-subject-requests';
import { member, rowsIn } from '../helpers/site/people';

const server = useServer();

const ADA = 'ada@example.com';

const consented = (token: string, subject: object, session_id?: string) =>
  server.visitor.recordFormConsent({
    token,
    body: {
      form_id: 'news',
      form_url: 'https://shop.example.com/',
      subject,
      statements: [{ key: 'a', text: 'Yes.', accepted: true }],
      ...(session_id === undefined ? {} : { session_id }),
    },
  });

const decided = (token: string, session_id: string) =>
  server.visitor.logConsent({ token, body: { session_id, decision: 'accept_all' } });

const counts = (report: Output<'eraseSubject'>) =>
  Object.fromEntries(report.erased.map(({ kind, count }) => [kind, count]));

/** A site with a webhook, the whole trace of one person, and that of another one. */
async function withTraces() {
  const site = await server.site();
  const { client, token } = site;
  await client.createWebhook({ token, body: { url: 'https://93.184.216.34/hook', events: '*' } });
  const [own, others] = [randomUUID(), randomUUID()];
  for (const session of [own, own, others]) await decided(token, session);
  await consented(token, { email: 'Ada@Example.com' }, own);
  await consented(token, { email: 'eve@example.com' }, others);
  const { request_id } = await submit(server, token, { email: ADA, name: 'Ada', message: 'Please.' });
  await submit(server, token, { email: 'eve@example.com', name: 'Eve' });
  return { ...site, own, others, request_id };
}

const resolve = ({ client, token, request_id }: Awaited<ReturnType<typeof withTraces>>) =>
  client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });

test('everything of a person goes by the address, with the sessions that it leads to, and says what', async () => {
  const site = await withTraces();
  const { client, token, own } = site;
  await resolve(site);
  const body = { subject: { email: 'ADA@example.com' } };
  const preview = await client.eraseSubject({ token, body: { ...body, preview: true } });
  expect(preview).toMatchObject({ preview: true, sessions: [own] });
  const expected = { consents: 2, choices: 1, form_consents: 1, requests: 1, events: 4, deliveries: 4 };
  expect(counts(preview)).toEqual(expected);
  expect(await rowsIn(server, 'consents', token)).toHaveLength(3);
  const report = await client.eraseSubject({ token, body });
  expect(report).toMatchObject({ preview: false, complete: true, sessions: [own] });
  expect(counts(report)).toEqual(expected);
  expect(report.kept.map(({ kind, count }) => [kind, count])).toEqual([
    ['requests', 1],
    ['repeated_answers', null],
    ['counts', null],
  ]);
  // Nothing of her is left but the proof that her request was answered; nothing of the other one is gone.
  const left = await rowsIn(server, 'dsar_requests', token).orderBy('created_at');
  expect(left.map(({ email, name, message, resolution }) => [email, name, message, resolution])).toEqual([
    [ADA, null, null, 'fulfilled'],
    ['eve@example.com', 'Eve', null, null],
  ]);
  for (const table of ['consents', 'session_choices', 'form_consents', 'events', 'deliveries']) {
    const rows = JSON.stringify(await rowsIn(server, table, token));
    expect([table, rows.includes(own), rows.toLowerCase().includes(ADA)]).toEqual([table, false, false]);
  }
  expect(await rowsIn(server, 'consents', token)).toHaveLength(1);
  expect(await rowsIn(server, 'form_consents', token)).toHaveLength(1);
  expect(await rowsIn(server, 'events', token)).toHaveLength(2);
});

test('a repetition erases nothing more, and says so', async () => {
  const site = await withTraces();
  await resolve(site);
  const call = () => site.client.eraseSubject({ token: site.token, body: { subject: { email: ADA } } });
  await call();
  const again = await call();
  expect(again.complete).toBe(true);
  expect(Object.values(counts(again))).toEqual([0, 0, 0, 0, 0, 0]);
});

test('a request that is still to be answered stays whole with its event, and the reason is said', async () => {
  const site = await withTraces();
  const { client, token, request_id } = site;
  const report = await client.eraseSubject({ token, body: { subject: { email: ADA } } });
  expect(report.kept[0]).toMatchObject({
    ...{ kind: 'requests', count: 1, reason: expect.stringContaining('still open') },
  });
  expect(await client.getDsar({ token, request_id })).toMatchObject({ name: 'Ada', message: 'Please.' });
  const { items } = await client.listEvents({ token, event: 'dsar.created', order: 'newest' });
  expect(items).toHaveLength(2);
});

test('by session, and by the site’s own id', async () => {
  const { client, token } = await server.site();
  const session = randomUUID();
  await decided(token, session);
  await consented(token, { external_id: 'customer 7' }, session);
  await consented(token, { external_id: 'customer 8' });
  const bySession = await client.eraseSubject({
    token,
    body: { subject: { session_id: session.toUpperCase() } },
  });
  expect(counts(bySession)).toMatchObject({ consents: 1, choices: 1, form_consents: 1 });
  const byId = await client.eraseSubject({ token, body: { subject: { external_id: 'customer 8' } } });
  expect(counts(byId)).toMatchObject({ consents: 0, form_consents: 1 });
  expect(await rowsIn(server, 'form_consents', token)).toEqual([]);
});

test('a form consent of another person in the same browser stays', async () => {
  const { client, token } = await server.site();
  const shared = randomUUID();
  await consented(token, { email: ADA }, shared);
  await consented(token, { email: 'eve@example.com' }, shared);
  await client.eraseSubject({ token, body: { subject: { email: ADA } } });
  expect((await rowsIn(server, 'form_consents', token)).map(({ email }) => email)).toEqual([
    'eve@example.com',
  ]);
});

test('form consents only, by address or session: everything else stays', async () => {
  const site = await withTraces();
  const { client, token, own } = site;
  await resolve(site);
  await consented(token, { external_id: 'customer 7' }, own);
  const erase = (subject: object) =>
    client.eraseSubject({ token, body: { subject, form_consents_only: true } });
  expect(counts(await erase({ email: ADA }))).toMatchObject({ form_consents: 1, consents: 0, events: 0 });
  expect(counts(await erase({ session_id: own }))).toMatchObject({ form_consents: 1, consents: 0 });
  expect(await rowsIn(server, 'consents', token)).toHaveLength(3);
  expect((await rowsIn(server, 'form_consents', token)).map(({ email }) => email)).toEqual([
    'eve@example.com',
  ]);
});

test('thousands of records go in portions: a call that has done its share says that there is more', async () => {
  const { client, token } = await server.site();
  const session = randomUUID();
  await decided(token, session);
  const { db } = server.service.context;
  const { id } = await db('environments').where({ token }).first('id');
  await db.raw(
    `INSERT INTO consents SELECT environment_id, recorded_at, gen_random_uuid(), session_id, decision, categories, policy_version,
       banner_version, bundle_hash, method, language, page_url, ip_masked, user_agent, gpc, tc_string, gpp_string, expires_at
     FROM consents, generate_series(1, 20999) WHERE environment_id = ?`,
    [id],
  );
  const statements: string[] = [];
  const note = ({ sql }: { sql: string }) => void statements.push(sql);
  db.on('query', note);
  const erase = () => client.eraseSubject({ token, body: { subject: { session_id: session } } });
  const first = await erase();
  db.off('query', note);
  expect([first.complete, counts(first).consents]).toEqual([false, 20_000]);
  // No transaction around all of them, and each statement has its bound.
  expect(statements.filter((sql) => /delete from consents/i.test(sql)).length).toBeGreaterThanOrEqual(20);
  const second = await erase();
  expect([second.complete, counts(second).consents]).toEqual([true, 1_000]);
});

test('only owners erase; nobody is named by nothing', async () => {
  const site = await withTraces();
  const body = { subject: { email: ADA } };
  for (const role of ['viewer', 'operator'] as const) {
    const other = await member(server, site, role);
    expect((await refusal(other.client.eraseSubject({ token: site.token, body }))).status).toBe(403);
  }
  const nobody = refusal(site.client.eraseSubject({ token: site.token, body: { subject: {} as never } }));
  expect((await nobody).status).toBe(400);
  expect(await rowsIn(server, 'consents', site.token)).toHaveLength(3);
});

test('another site’s records of the same person stay', async () => {
  const [mine, theirs] = [await server.site(), await server.site()];
  const session = randomUUID();
  for (const { token } of [mine, theirs]) {
    await decided(token, session);
    await consented(token, { email: ADA }, session);
  }
  await mine.client.eraseSubject({ token: mine.token, body: { subject: { email: ADA } } });
  expect(await rowsIn(server, 'consents', theirs.token)).toHaveLength(1);
  expect(await rowsIn(server, 'form_consents', theirs.token)).toHaveLength(1);
});
