import { randomUUID } from 'node:crypto';
import type { Output } from '@avow/sdk';
import { waitingForLocks } from '../helpers/cluster/instruments';
import { refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { submit } from '../helpers/site/data-subject-requests';
import { member, rowsIn } from '../helpers/site/people';
import { until } from '../helpers/until';

const server = useServer();

const ADA = 'ada@example.com';

const form = (subject: object, session_id?: string) => ({
  form_id: 'news',
  form_url: 'https://shop.example.com/',
  subject,
  statements: [{ key: 'a', text: 'Yes.', accepted: true }],
  ...(session_id === undefined ? {} : { session_id }),
});

/** By a page, where anybody may name any session. */
const consented = (token: string, subject: object, session_id?: string) =>
  server.visitor.recordFormConsent({ token, body: form(subject, session_id) });

/** By the owner's side. */
const recorded = ({ client, token }: Pick<Site, 'client' | 'token'>, subject: object, session_id: string) =>
  client.recordFormConsentForVisitor({
    token,
    body: { ...form(subject, session_id), visitor: { address: '203.0.113.9' } },
  });

type Site = Awaited<ReturnType<typeof server.site>>;

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
  await recorded(site, { email: 'Ada@Example.com' }, own);
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
  const expected = {
    ...{ consents: 2, choices: 1, form_consents: 1, requests: 1, events: 4, deliveries: 4 },
    ...{ searches: 0, mails: 2, answer_files: 0 },
  };
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
  expect(Object.values(counts(again))).toEqual(Array(9).fill(0));
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
  const site = await server.site();
  const { client, token } = site;
  const shared = randomUUID();
  await recorded(site, { email: ADA }, shared);
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

test('more sessions than a call finds: nothing that leads to the others is erased before them', async () => {
  const site = await server.site();
  const { client, token } = site;
  const { db } = server.service.context;
  // The records of the person are the oldest, and their sessions anywhere among the others.
  const own = Array.from({ length: 12 }, () => randomUUID());
  for (const session of own) {
    await decided(token, session);
    await recorded(site, { email: ADA }, session);
  }
  await db.raw(
    `INSERT INTO form_consents (environment_id, recorded_at, form_consent_id, form_id, form_url, email, email_key, statements,
       double_opt_in, by_owner, language, ip_masked, session_id)
     SELECT f.environment_id, f.recorded_at + n * interval '1 millisecond', gen_random_uuid(), f.form_id, f.form_url, f.email, f.email_key, f.statements,
       f.double_opt_in, f.by_owner, f.language, f.ip_masked, gen_random_uuid()
     FROM form_consents f, generate_series(1000, 46000) AS n WHERE f.session_id = ?`,
    [own[0] as string],
  );
  const erase = () => client.eraseSubject({ token, body: { subject: { email: ADA } } });
  const answers = [await erase()];
  while (answers.at(-1)?.complete === false && answers.length < 10) answers.push(await erase());
  expect(answers.at(-1)?.complete).toBe(true);
  expect(answers.length).toBeGreaterThanOrEqual(3);
  for (const table of ['consents', 'session_choices', 'form_consents'])
    expect([table, await rowsIn(server, table, token)]).toEqual([table, []]);
});

describe('a form consent that is sent during an erasure', () => {
  /** Erases while a row is locked, and does something as soon as the erasure waits for it. */
  async function meanwhile<Report>(
    token: string,
    [table, where]: [table: string, where: object],
    erase: () => Promise<Report>,
    act: () => Promise<unknown>,
  ): Promise<Report> {
    const { db } = server.service.context;
    const { id: environment_id } = await db('environments').where({ token }).first('id');
    const holder = await db.transaction();
    await holder(table)
      .where({ environment_id, ...where })
      .forUpdate();
    const report = erase();
    await until('it waits', async () => (await waitingForLocks(server.databaseUrl)) > 0);
    await act();
    await holder.commit();
    return report;
  }

  test('before form consents are erased leads to its session: by the next call', async () => {
    const site = await withTraces();
    const { client, token, own, others } = site;
    const erase = () => client.eraseSubject({ token, body: { subject: { email: ADA } } });
    const report = await meanwhile(token, ['session_choices', { session_id: own }], erase, () =>
      recorded(site, { email: ADA }, others),
    );
    expect([report.complete, report.sessions]).toEqual([false, [own]]);
    const next = await erase();
    expect([next.complete, next.sessions.includes(others)]).toEqual([true, true]);
    expect(await rowsIn(server, 'consents', token)).toEqual([]);
  });

  test('after form consents were erased stays until the next call', async () => {
    const site = await withTraces();
    const { client, token, request_id } = site;
    await resolve(site);
    const erase = () => client.eraseSubject({ token, body: { subject: { email: ADA } } });
    const report = await meanwhile(token, ['dsar_requests', { request_id }], erase, () =>
      consented(token, { email: ADA }),
    );
    expect(report.complete).toBe(false);
    const next = await erase();
    expect([next.complete, counts(next).form_consents]).toEqual([true, 1]);
  });

  test('after those of a session were erased stays until the next call', async () => {
    const { client, token, own } = await withTraces();
    const erase = () => client.eraseSession({ token, session_id: own });
    const report = await meanwhile(token, ['session_choices', { session_id: own }], erase, () =>
      consented(token, { email: ADA }, own),
    );
    expect(report).toMatchObject({ complete: false, form_consents: 1 });
    expect(await erase()).toMatchObject({ complete: true, form_consents: 1 });
  });
});

test('calls at the same time count a request once', async () => {
  const site = await withTraces();
  const { client, token, request_id } = site;
  await resolve(site);
  const { db } = server.service.context;
  const { id: environment_id } = await db('environments').where({ token }).first('id');
  const holder = await db.transaction();
  try {
    await holder('dsar_requests').where({ environment_id, request_id }).forUpdate();
    const erase = () => client.eraseSubject({ token, body: { subject: { email: ADA } } });
    const reports = Promise.all([erase(), erase(), erase()]);
    await until('all wait', async () => (await waitingForLocks(server.databaseUrl)) >= 3);
    await holder.commit();
    const erased = (await reports).map((report) => counts(report).requests ?? 0);
    expect(erased.sort()).toEqual([0, 0, 1]);
  } finally {
    if (!holder.isCompleted()) await holder.rollback();
  }
  const { items } = await client.listErasures({ token });
  const noted = items.flatMap((one) => one.erased.filter(({ kind }) => kind === 'requests'));
  expect(noted).toEqual([{ kind: 'requests', count: 1 }]);
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
  for (const site of [mine, theirs]) {
    await decided(site.token, session);
    await recorded(site, { email: ADA }, session);
  }
  await mine.client.eraseSubject({ token: mine.token, body: { subject: { email: ADA } } });
  expect(await rowsIn(server, 'consents', theirs.token)).toHaveLength(1);
  expect(await rowsIn(server, 'form_consents', theirs.token)).toHaveLength(1);
});

/** A visitor's record, and the request of somebody else's page that names the visitor's session as its own. */
async function withClaim(claim: (token: string, email: string, session: string) => Promise<unknown>) {
  const site = await server.site();
  const { client, token } = site;
  await client.createWebhook({ token, body: { url: 'https://93.184.216.34/hook', events: '*' } });
  const victim = randomUUID();
  for (let n = 0; n < 2; n += 1) await decided(token, victim);
  const eve = 'eve@example.com';
  await claim(token, eve, victim);
  return { ...site, victim, body: { subject: { email: eve } } };
}

const proofOf = async (token: string, session: string) =>
  Promise.all(
    ['consents', 'session_choices', 'events'].map(
      async (table) => JSON.stringify(await rowsIn(server, table, token)).split(`"${session}"`).length > 1,
    ),
  );

const claims = [
  ['form consent', (token, email, session) => consented(token, { email }, session)],
  ['request', (token, email, session_id) => submit(server, token, { email, session_id })],
] satisfies [string, Parameters<typeof withClaim>[0]][];

test.each(claims)(
  "an erasure by address leaves the session that a stranger's %s claims, and lists it",
  async (_, claim) => {
    const { client, token, victim, body } = await withClaim(claim);
    const claimed = { claimed_sessions: [{ session_id: victim, consents: 2 }], sessions: [] };
    const preview = await client.eraseSubject({ token, body: { ...body, preview: true } });
    expect(preview).toMatchObject(claimed);
    expect(counts(preview)).toMatchObject({ consents: 0, choices: 0 });
    const report = await client.eraseSubject({ token, body });
    // What nobody has proven is no reason to call again.
    expect(report).toMatchObject({ ...claimed, complete: true });
    expect(report.kept[0]).toMatchObject({
      ...{ kind: 'consents', count: 2, reason: expect.stringContaining('claimed_sessions') },
    });
    expect(await proofOf(token, victim)).toEqual([true, true, true]);
  },
);

test("nor does the site's own id in a page's form lead to a session", async () => {
  const { client, token, victim } = await withClaim((token, _, session) =>
    consented(token, { external_id: 'customer 7' }, session),
  );
  const report = await client.eraseSubject({ token, body: { subject: { external_id: 'customer 7' } } });
  expect(report.claimed_sessions).toEqual([{ session_id: victim, consents: 2 }]);
  expect(counts(report)).toMatchObject({ consents: 0, form_consents: 1 });
  expect(await proofOf(token, victim)).toEqual([true, true, true]);
});

test('claimed sessions go once the owner names them, before or after the address, and no others', async () => {
  const { client, token, victim, body } = await withClaim((token, email, session) =>
    consented(token, { email }, session),
  );
  const other = randomUUID();
  await decided(token, other);
  await consented(token, body.subject, other);
  const { claimed_sessions } = await client.eraseSubject({ token, body: { ...body, preview: true } });
  expect(claimed_sessions.map(({ session_id }) => session_id)).toEqual([victim, other]);
  const sessions = [victim.toUpperCase()];
  const report = await client.eraseSubject({ token, body: { ...body, sessions } });
  expect(report).toMatchObject({
    ...{ complete: true, sessions: [victim], claimed_sessions: [{ session_id: other, consents: 1 }] },
  });
  expect(counts(report)).toMatchObject({
    consents: 2,
    choices: 1,
    form_consents: 2,
    events: 2,
    deliveries: 2,
  });
  expect(await proofOf(token, victim)).toEqual([false, false, false]);
  expect(await proofOf(token, other)).toEqual([true, true, true]);
  // The claim is gone with the address; the name is enough.
  const later = await client.eraseSubject({ token, body: { ...body, sessions: [other] } });
  expect([later.sessions, counts(later).consents]).toEqual([[other], 1]);
});

test('a session that both the owner and a page recorded is the person’s; so is one of a recorded letter', async () => {
  const site = await server.site();
  const { client, token } = site;
  const [both, letter] = [randomUUID(), randomUUID()];
  for (const session of [both, letter]) await decided(token, session);
  await consented(token, { email: ADA }, both);
  await recorded(site, { email: ADA }, both);
  await client.recordDsar({
    token,
    body: {
      ...{ request_type: 'erasure', channel: 'letter', received_on: '2026-01-30' },
      ...{ email: ADA, session_id: letter },
    },
  });
  const report = await client.eraseSubject({ token, body: { subject: { email: ADA } } });
  expect([...report.sessions].sort()).toEqual([both, letter].sort());
  expect(report.claimed_sessions).toEqual([]);
  expect(counts(report)).toMatchObject({ consents: 2, choices: 2 });
});

test('no claim to a session goes before an answer has listed it, however many others strangers send', async () => {
  const { client, token } = await server.site();
  for (let sent = 0; sent < 410; sent += 10)
    await Promise.all(Array.from({ length: 10 }, () => consented(token, { email: ADA }, randomUUID())));
  const session = randomUUID();
  await decided(token, session);
  await consented(token, { email: ADA }, session);
  const told = new Set<string>();
  let calls = 0;
  for (let complete = false; !complete && calls < 5; calls++) {
    const report = await client.eraseSubject({ token, body: { subject: { email: ADA } } });
    for (const claim of report.claimed_sessions) told.add(claim.session_id);
    complete = report.complete;
    const left = await rowsIn(server, 'form_consents', token);
    expect(left.map(({ session_id }) => session_id).filter((one) => told.has(one as string))).toEqual([]);
  }
  expect([calls, told.size, told.has(session)]).toEqual([3, 411, true]);
});
