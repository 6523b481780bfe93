import { randomUUID } from 'node:crypto';
import { ensurePartitions, listPartitions } from '../../server/src/db/partitions';
import { seenOf } from '../../server/src/domain/banner/sources';
import { clock } from '../../server/src/domain/clock';
import { refusal } from '../helpers/http/refusal';
import { query } from '../helpers/processes/evidence';
import { type Client, useServer } from '../helpers/server';
import { rowsIn } from '../helpers/site/people';
import { eventually } from '../helpers/until';

const server = useServer();

const log = (token: string, session_id: string, body: object) =>
  server.visitor.logConsent({ token, body: { session_id, ...body } as never });

test('the latest decision of a session stands', async () => {
  const { client, token } = await server.site();
  const record = await log(token, randomUUID(), { decision: 'accept_all' });
  await log(token, randomUUID(), { decision: 'reject_all' });
  const { consent_id } = record;
  const proof = await client.getConsent({ token, consent_id: consent_id.toUpperCase() });
  expect(proof).toMatchObject({ ...record, superseded_by: null, withdrawn_at: null, shown: { version: 1 } });
});

test('a withdrawal counts for every reader, although what it withdraws was dated half a minute ahead', async () => {
  const { client, token } = await server.site();
  const session_id = randomUUID();
  const now = jest.spyOn(clock, 'now').mockReturnValue(Date.now() + 30_000);
  const accepted = await log(token, session_id, { decision: 'accept_all' });
  now.mockRestore();
  const rejected = await log(token, session_id, { decision: 'reject_all' });
  const { consent_id, decision, recorded_at } = rejected;
  expect(Date.parse(accepted.recorded_at)).toBeGreaterThan(Date.parse(recorded_at));
  expect(await server.visitor.getPreferences({ token, session_id })).toMatchObject({ decision, recorded_at });
  expect(await client.getConsent({ token, consent_id: accepted.consent_id })).toMatchObject({
    superseded_by: { consent_id, decision, recorded_at },
    withdrawn_at: recorded_at,
  });
  expect(await client.getConsent({ token, consent_id })).toMatchObject({
    superseded_by: null,
    withdrawn_at: null,
  });
});

type Categories = Awaited<ReturnType<Client['getEnvironment']>>['settings']['categories'];

/** A site whose categories are changed between a first decision, which allows marketing, and a next one. */
async function changedBetween(change: (categories: Categories) => Categories, next: object) {
  const { client, token } = await server.site();
  const session_id = randomUUID();
  const categories = { marketing: true };
  const first = await log(token, session_id, { decision: 'save_preferences', categories });
  const { settings } = await client.getEnvironment({ token });
  await client.updateEnvironment({ token, body: { settings: { categories: change(settings.categories) } } });
  const later = await log(token, session_id, next);
  return { later, proof: await client.getConsent({ token, consent_id: first.consent_id }) };
}

const changes: Record<string, (categories: Categories) => Categories> = {
  renamed: (all) => all.map((one) => (one.key === 'marketing' ? { ...one, key: 'advertising' } : one)),
  removed: (all) => all.filter(({ key }) => key !== 'marketing'),
  'made required': (all) => all.map((one) => (one.key === 'marketing' ? { ...one, required: true } : one)),
};

test.each(Object.entries(changes))('reject_all withdraws a category that was %s since', async (_, change) => {
  const { later, proof } = await changedBetween(change, { decision: 'reject_all' });
  expect(proof).toMatchObject({
    superseded_by: { consent_id: later.consent_id, decision: 'reject_all' },
    withdrawn_at: later.recorded_at,
  });
});

test.each(Object.entries(changes))(
  'the next decision is said not to have asked for a category that was %s',
  async (_, change) => {
    const { proof } = await changedBetween(change, {
      decision: 'save_preferences',
      categories: { analytics: true },
    });
    expect(proof).toMatchObject({ superseded_by: { not_asked: ['marketing'] }, withdrawn_at: null });
  },
);

test('who allowed nothing has nothing to withdraw', async () => {
  const { client, token } = await server.site();
  const session_id = randomUUID();
  const { settings } = await client.getEnvironment({ token });
  const needed = { key: 'needed', name: 'Needed', description: '', required: true };
  await client.updateEnvironment({
    token,
    body: { settings: { categories: [...settings.categories, needed] } },
  });
  const { consent_id } = await log(token, session_id, { decision: 'reject_all' });
  const later = await log(token, session_id, { decision: 'reject_all' });
  expect(await client.getConsent({ token, consent_id })).toMatchObject({
    categories: { marketing: false },
    superseded_by: { consent_id: later.consent_id },
    withdrawn_at: null,
  });
});

test('a later decision supersedes, and withdraws when it takes back what was allowed', async () => {
  const { client, token } = await server.site();
  const session = randomUUID();
  const first = await log(token, session, { decision: 'save_preferences', categories: { analytics: true } });
  const second = await log(token, session, { decision: 'accept_all' });
  const third = await log(token, session, { decision: 'save_preferences', categories: { marketing: true } });
  const fourth = await log(token, session, { decision: 'reject_all' });
  const proofs = [];
  for (const { consent_id } of [first, second, third, fourth])
    proofs.push(await client.getConsent({ token, consent_id }));
  const named = ({ consent_id, decision, recorded_at }: typeof first) => ({
    consent_id,
    decision,
    recorded_at,
    not_asked: [],
  });
  expect(proofs.map(({ superseded_by }) => superseded_by)).toEqual([
    named(second),
    named(third),
    named(fourth),
    null,
  ]);
  expect(proofs.map(({ withdrawn_at }) => withdrawn_at)).toEqual([
    ...[third.recorded_at, third.recorded_at, fourth.recorded_at, null],
  ]);
});

test('what followed is looked for in the months since the record, not in all that there are', async () => {
  const { client, token } = await server.site();
  const { db } = server.service.context;
  await ensurePartitions(db, new Date(Date.now() - 400 * 86_400_000), new Date());
  const { consent_id } = await log(token, randomUUID(), { decision: 'accept_all' });
  const asked: { sql: string; bindings: unknown[] }[] = [];
  const listen = (query: { sql: string; bindings: unknown[] }): void => {
    if (query.sql.includes('"consents"')) asked.push(query);
  };
  db.on('query', listen);
  await client.getConsent({ token, consent_id });
  db.off('query', listen);
  expect(asked.length).toBeGreaterThan(0);
  const all = (await listPartitions(db)).filter(({ table }) => table === 'consents');
  expect(all.length).toBeGreaterThanOrEqual(17);
  for (const { sql, bindings } of asked) {
    const plan = JSON.stringify(await query(server.databaseUrl, `EXPLAIN ${sql}`, bindings));
    const read = new Set(plan.match(/consents_\d{4}_\d{2}/g));
    // The month of the record, and the three that are made ahead.
    expect(read.size).toBeLessThanOrEqual(4);
    expect(read.size).toBeGreaterThan(0);
  }
});

test('a refusal cannot be withdrawn', async () => {
  const { client, token } = await server.site();
  const session = randomUUID();
  const first = await log(token, session, { decision: 'reject_all' });
  await log(token, session, { decision: 'reject_all' });
  const proof = await client.getConsent({ token, consent_id: first.consent_id });
  expect([proof.superseded_by === null, proof.withdrawn_at]).toEqual([false, null]);
});

test('a category that the site gave up was not taken back by the visitor', async () => {
  const { client, token } = await server.site();
  const session = randomUUID();
  const first = await log(token, session, { decision: 'accept_all' });
  const { settings } = await client.getEnvironment({ token });
  const categories = settings.categories.filter(({ key }) => key !== 'marketing');
  await client.updateEnvironment({ token, body: { settings: { categories } } });
  const again = () => log(token, session, { decision: 'accept_all' });
  await eventually(again, ({ banner_version }) => banner_version === 2);
  const proof = await client.getConsent({ token, consent_id: first.consent_id });
  expect([proof.superseded_by === null, proof.withdrawn_at]).toEqual([false, null]);
});

test('what was shown stays as it was, whatever the settings are now', async () => {
  const { client, token } = await server.site();
  const texts = (title: string) => ({ en: { title } });
  const { settings } = await client.getEnvironment({ token });
  const banner = { ...settings.banner, texts: texts('First words') };
  const shown = await client.updateEnvironment({ token, body: { settings: { banner } } });
  const ask = () => log(token, randomUUID(), { decision: 'accept_all' });
  const record = await eventually(ask, ({ banner_version }) => banner_version === 2);
  await client.updateEnvironment({
    token,
    body: { settings: { banner: { ...banner, texts: texts('Other words') } } },
  });
  const older = await eventually(ask, ({ banner_version }) => banner_version === 3);
  const stated = await log(token, randomUUID(), { decision: 'accept_all', banner_version: 2 });
  for (const { consent_id } of [record, stated]) {
    const proof = await client.getConsent({ token, consent_id });
    expect(proof.shown).toEqual({
      version: 2,
      created_at: proof.shown.created_at,
      settings: seenOf(shown.settings),
    });
    expect(proof.shown.settings.banner.texts.en?.title).toBe('First words');
  }
  expect((await client.getConsent({ token, consent_id: older.consent_id })).shown.version).toBe(3);
});

test('an id of any version that names no record is unknown', async () => {
  const { client, token } = await server.site();
  for (const consent_id of [
    randomUUID(),
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '00000000-0000-0000-0000-000000000000',
  ]) {
    const error = await refusal(client.getConsent({ token, consent_id }));
    expect([error.status, error.code]).toEqual([404, 'not_found']);
  }
});

test('erasing a session deletes its records and choice, in this environment alone', async () => {
  const [here, there] = [await server.site(), await server.site()];
  const session_id = randomUUID();
  const other = await log(here.token, randomUUID(), { decision: 'accept_all' });
  const elsewhere = await log(there.token, session_id, { decision: 'accept_all' });
  const record = await log(here.token, session_id, { decision: 'accept_all' });
  await log(here.token, session_id, { decision: 'reject_all' });
  const { token, client } = here;
  expect(await client.eraseSession({ token, session_id: session_id.toUpperCase() })).toEqual({
    session_id,
    complete: true,
    consents: 2,
    form_consents: 0,
  });
  expect((await client.listConsents({ token })).items).toEqual([other]);
  expect((await refusal(client.getConsent({ token, consent_id: record.consent_id }))).status).toBe(404);
  expect(await server.visitor.getPreferences({ token, session_id })).toMatchObject({
    decision: null,
    reason: 'no_choice',
  });
  expect((await there.client.listConsents({ token: there.token })).items).toEqual([elsewhere]);
  expect((await server.visitor.getPreferences({ token: there.token, session_id })).decision).toBe(
    'accept_all',
  );
  expect((await client.eraseSession({ token, session_id })).consents).toBe(0);
});

test('an erased record does not come back by its idempotency key', async () => {
  const { client, token } = await server.site();
  const body = { session_id: randomUUID(), decision: 'accept_all' as const };
  const options = { idempotencyKey: randomUUID() };
  await server.visitor.logConsent({ token, body }, options);
  await client.eraseSession({ token, session_id: body.session_id });
  const error = await refusal(server.visitor.logConsent({ token, body }, options));
  expect([error.status, error.code]).toEqual([409, 'conflict']);
  expect((await client.listConsents({ token })).items).toEqual([]);
});

test('a session with more events than a statement takes values goes in portions, none of which holds its choice for long', async () => {
  const { token, client } = await server.site();
  const session_id = randomUUID();
  await log(token, session_id, { decision: 'accept_all' });
  const { db } = server.service.context;
  await db.raw(
    `INSERT INTO events (environment_id, event_id, occurred_at, event, subject_id, payload)
     SELECT id, gen_random_uuid(), now(), 'consent.accept_all', ?, '{}' FROM environments, generate_series(1, 66000) WHERE token = ?`,
    [session_id, token],
  );
  const statements: string[] = [];
  const note = ({ sql, __knexTxId: inTransaction }: { sql: string; __knexTxId?: string }) =>
    void statements.push(inTransaction === undefined ? sql : `in a transaction: ${sql}`);
  db.on('query', note);
  const erase = () => client.eraseSession({ token, session_id });
  const answers = [await erase()];
  while (answers.at(-1)?.complete === false) answers.push(await erase());
  db.off('query', note);
  expect(answers.map(({ complete, consents }) => [complete, consents])).toEqual([
    ...Array(3).fill([false, 0]),
    [true, 1],
  ]);
  const erasing = statements.filter((sql) => /delete from/i.test(sql));
  expect(erasing.length).toBeGreaterThan(66);
  expect(erasing.at(-2)).toMatch(/^delete from .*session_choices/);
  expect(erasing.at(-1)).toMatch(/^delete from .*link_tokens/);
  for (const table of ['events', 'consents', 'session_choices'])
    expect(await rowsIn(server, table, token)).toEqual([]);
});

test('a withdrawal is told of, however many repetitions come before it', async () => {
  const { token, client } = await server.site();
  const session_id = randomUUID();
  const record = await log(token, session_id, { decision: 'accept_all' });
  const { db } = server.service.context;
  await db.raw(
    `INSERT INTO consents SELECT environment_id, recorded_at + n * interval '1 microsecond', gen_random_uuid(), session_id, decision, categories,
       policy_version, banner_version, bundle_hash, method, language, page_url, ip_masked, user_agent, gpc, tc_string, gpp_string, expires_at
     FROM consents, generate_series(1, 1200) AS n WHERE consent_id = ?`,
    [record.consent_id],
  );
  const proof = () => client.getConsent({ token, consent_id: record.consent_id });
  expect(await proof()).toMatchObject({ withdrawn_at: null });
  const { recorded_at } = await log(token, session_id, { decision: 'reject_all' });
  expect(await proof()).toMatchObject({ withdrawn_at: recorded_at });
  // Of one whose word says it.
  await eventually(
    async () => {
      await log(token, session_id, { decision: 'reject_all' });
      return rowsIn(server, 'consents', token).whereNotNull('kind');
    },
    (rows) => rows.length > 0,
  );
  await db('consents').where({ session_id, recorded_at }).delete();
  const withdrawn = (await proof()).withdrawn_at as string;
  expect(withdrawn > recorded_at).toBe(true);
});
