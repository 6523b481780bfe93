import { randomUUID } from 'node:crypto';
import { ensurePartitions, listPartitions } from '../../server/src/db/partitions';
import { refusal } from '../helpers/http/refusal';
import { query } from '../helpers/processes/evidence';
import { useServer } from '../helpers/server';
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
    expect(proof.shown).toEqual({ version: 2, created_at: proof.shown.created_at, settings: shown.settings });
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
