import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { WORDS_STEP } from '../../server/src/db/consent-records';
import { eraseUnnamedWords, type WordKey, WordStore } from '../../server/src/db/consent-words';
import { Hosts } from '../../server/src/db/hosts';
import { connect } from '../../server/src/db/knex';
import { SEALED_STEP } from '../../server/src/db/ledger/began';
import { migrate } from '../../server/src/db/migrate';
import { ensurePartitions } from '../../server/src/db/partitions';
import { Ingest } from '../../server/src/ingest/ingest';
import { KEYS_STEP } from '../../server/src/ingest/key-use';
import { WordMemory, type WordOptions } from '../../server/src/ingest/words';
import { createLogger } from '../../server/src/observability/logger';
import { addTrigger } from '../helpers/cluster/instruments';
import { emptyDatabase } from '../helpers/database';
import { GROUP_KEY } from '../helpers/ledger/group-key';
import { knowing } from '../helpers/migrations/released';
import { type Client, useServer } from '../helpers/server';
import { until } from '../helpers/until';
import { decide, siteWith } from './entries';

const DAY = 86_400_000;
const log = createLogger('silent');
const server = useServer({ words: { sightings: 3, pace: 10 } });
let db: Knex;
const ends: (() => Promise<unknown>)[] = [];
beforeAll(() => {
  db = connect(server.databaseUrl, 3);
  ends.push(() => db.destroy());
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

const idOf = async (token: string): Promise<string> =>
  (await db('environments').where({ token }).first('id')).id;
const wordsOf = (environment_id: string): Promise<{ type: string; text: string; word: string }[]> =>
  db('consent_words').where({ environment_id }).select('type', 'text', db.raw('word::text')).orderBy('text');

/** Decides the same again and again until the records name a word for everything, and some times more. */
async function decideShort(client: Client, token: string, body: object) {
  const made: Awaited<ReturnType<Client['logConsent']>>[] = [];
  const isShort = async () =>
    db('consents')
      .whereIn(
        'consent_id',
        made.map(({ consent_id }) => consent_id),
      )
      .whereNotNull('kind')
      .whereNotNull('agent')
      .whereNotNull('page')
      .count({ n: '*' })
      .first();
  await until('records name words', async () => {
    const told = { session_id: randomUUID(), ...body } as Parameters<Client['logConsent']>[0]['body'];
    made.push(await client.logConsent({ token, body: told }));
    return Number((await isShort())?.n) >= 3;
  });
  return made;
}

const page = (path: string): { page_url: string } => ({ page_url: `https://shop.example.com/${path}` });

test('records that name words say the same as those with texts, in every answer', async () => {
  const { client, token } = await server.site({ regions: { rules: 'law' }, choice_by_vendor: true });
  const environment_id = await idOf(token);
  const body = {
    ...{ decision: 'save_preferences', categories: { marketing: true, analytics: false }, language: 'de-AT' },
    ...{ bundle_hash: 'ab'.repeat(32), method: 'settings', tc_string: 'CPX', ...page('a,b;c/ü') },
    ...{ region: 'US-CA', rule: 'opt_out', vendors: { 755: true, 1201: false } },
  };
  const records = await decideShort(server.visitor, token, body);
  const stored = await db('consents').where({ environment_id }).orderBy(['recorded_at', 'consent_id']);
  const [first, last] = [stored[0], stored.at(-1)];
  expect(first).toMatchObject({ kind: null, agent: null, page: null, language: 'de-AT', choice: null });
  expect(last).toMatchObject({
    ...{ decision: null, categories: null, policy_version: null, banner_version: null, bundle_hash: null },
    ...{
      method: null,
      recorded_by: null,
      language: null,
      page_url: null,
      user_agent: null,
      gpc: null,
      region: null,
      rule: null,
      vendors: null,
      expires_at: null,
    },
    ...{ choice: 's', tc_string: 'CPX' },
  });

  const exported = (await (await client.exportConsents({ token })).text()).trimEnd().split('\n');
  expect(exported.map((line) => JSON.parse(line))).toStrictEqual(records);
  // Byte for byte, but for what differs from record to record.
  const alike = (line: string): string =>
    line.replace(/"(consent_id|recorded_at|session_id|expires_at)":"[^"]*"/g, '');
  expect(new Set(exported.map(alike)).size).toBe(1);
  const { items } = await client.listConsents({ token, limit: 200 });
  expect(items).toStrictEqual([...records].reverse());
  for (const record of [records[0], records.at(-1)] as typeof records) {
    expect(await client.getConsent({ token, consent_id: record.consent_id })).toMatchObject(record);
    const { session_id } = record;
    const found = await client.listConsents({ token, session_id, decision: 'save_preferences' });
    expect(found.items).toStrictEqual([record]);
    expect((await client.listConsents({ token, session_id, decision: 'accept_all' })).items).toEqual([]);
    const { recorded_at, expires_at, categories, policy_version, decision } = record;
    expect(await server.visitor.getPreferences({ token, session_id })).toMatchObject({
      ...{ recorded_at, expires_at, categories, policy_version, decision },
      ...{ region: 'US-CA', rule: 'opt_out', vendors: { 755: true, 1201: false } },
      reason: 'none',
    });
  }
});

test('a repetition is answered with the record that names words', async () => {
  const { token } = await server.site();
  await decideShort(server.visitor, token, { decision: 'accept_all', ...page('') });
  const told = { decision: 'accept_all' as const, session_id: randomUUID(), ...page('') };
  const log = (body: typeof told) =>
    server.visitor.logConsent({ token, body }, { headers: { 'Idempotency-Key': told.session_id } });
  const first = await log(told);
  expect(await log(told)).toStrictEqual(first);
  const row = await db('consents').where({ consent_id: first.consent_id }).first();
  expect(row).toMatchObject({ user_agent: null, page_url: null, choice: 'a' });
});

test('a withdrawal is found between records of both kinds', async () => {
  const { client, token } = await server.site();
  const session_id = randomUUID();
  const body = { decision: 'accept_all' as const, session_id };
  const accepted = await server.visitor.logConsent({ token, body });
  await decideShort(server.visitor, token, { decision: 'reject_all', ...page('') });
  const rejected = await server.visitor.logConsent({
    token,
    body: { decision: 'reject_all', session_id, ...page('') },
  });
  expect(await client.getConsent({ token, consent_id: accepted.consent_id })).toMatchObject({
    superseded_by: { consent_id: rejected.consent_id, decision: 'reject_all' },
    withdrawn_at: rejected.recorded_at,
  });
});

test('what comes less often than three times is no word', async () => {
  const { token } = await server.site();
  const environment_id = await idOf(token);
  await decideShort(server.visitor, token, { decision: 'accept_all', ...page('often') });
  for (let n = 0; n < 30; n += 1) {
    const body = { decision: 'accept_all' as const, session_id: randomUUID(), ...page(`once/${n >> 1}`) };
    await server.visitor.logConsent({ token, body });
  }
  await decideShort(server.visitor, token, { decision: 'accept_all', ...page('often') });
  const pages = (await wordsOf(environment_id)).filter(({ type }) => type === 'p');
  expect(pages.map(({ text }) => text)).toEqual(['https://shop.example.com/often']);
});

test('words go when no record names them any more, with the last session that did', async () => {
  const { client, token } = await server.site();
  const environment_id = await idOf(token);
  await decideShort(server.visitor, token, { decision: 'accept_all', ...page('') });
  const session_id = randomUUID();
  await decideShort(server.visitor, token, { decision: 'accept_all', session_id, ...page('u/ada-lovelace') });
  const texts = async () => (await wordsOf(environment_id)).map(({ text }) => text);
  const all = await texts();
  expect(all).toContain('https://shop.example.com/u/ada-lovelace');

  const inDays = (days: number) => new Date(Date.now() + days * DAY);
  // Two records at a time.
  await eraseUnnamedWords(db, inDays(40), { records: 2 });
  expect(await texts()).toEqual(all);
  await client.eraseSession({ token, session_id });
  await eraseUnnamedWords(db, inDays(1));
  // A process may still use them.
  expect(await texts()).toEqual(all);
  await eraseUnnamedWords(db, inDays(2));
  expect(await texts()).toEqual(all.filter((text) => !text.includes('ada')));
  const { items } = await client.listConsents({ token });
  expect(items.every(({ page_url, user_agent }) => page_url !== null && user_agent !== null)).toBe(true);
});

test('a site whose words cannot be erased does not keep those of the others', async () => {
  const sites = await Promise.all([server.site(), server.site(), server.site()]);
  const ids = await Promise.all(sites.map(({ token }) => idOf(token)));
  for (const { token } of sites)
    await decideShort(server.visitor, token, { decision: 'accept_all', ...page('gone') });
  await db('consents').whereIn('environment_id', ids).delete();
  const [, middle] = ids.toSorted();
  const remove = await addTrigger(server.databaseUrl, {
    name: 'refuse',
    table: 'consent_words',
    event: 'BEFORE DELETE',
    condition: `old.environment_id = '${middle}'`,
    body: "RAISE 'refused';",
  });
  await expect(eraseUnnamedWords(db, new Date(Date.now() + 40 * DAY))).rejects.toThrow('refused');
  const left = await Promise.all(ids.map(async (id) => [id, (await wordsOf(id)).length > 0]));
  expect(left).toEqual(ids.map((id) => [id, id === middle]));
  await remove();
});

test('an erasure asks for the words that were made of the erased texts, too', async () => {
  const { client, token } = await server.site();
  const environment_id = await idOf(token);
  const session_id = randomUUID();
  const own = page(`profiles/${session_id}`);
  const ofPage = () =>
    db('consent_words')
      .where({ environment_id, text: own.page_url })
      .first(db.raw('check_on <= current_date AS asked'));
  for (let n = 0; n < 3; n += 1)
    await server.visitor.logConsent({ token, body: { session_id, decision: 'accept_all', ...own } });
  await until('it is a word', async () => (await ofPage()) !== undefined);
  expect(await db('consents').where({ session_id }).whereNotNull('page')).toEqual([]);
  expect(await ofPage()).toEqual({ asked: false });
  await client.eraseSubject({ token, body: { subject: { session_id } } });
  expect(await ofPage()).toEqual({ asked: true });
  await eraseUnnamedWords(db, new Date(Date.now() + 2 * DAY));
  expect(await ofPage()).toBeUndefined();
});

test("an erasure by a person's session asks for its words too", async () => {
  const { client, token } = await server.site();
  const environment_id = await idOf(token);
  const session_id = randomUUID();
  await decideShort(server.visitor, token, { decision: 'accept_all', session_id, ...page('u/ada') });
  const { erased } = await client.eraseSubject({ token, body: { subject: { session_id } } });
  expect(erased.find(({ kind }) => kind === 'consents')?.count).toBeGreaterThan(3);
  await eraseUnnamedWords(db, new Date(Date.now() + 2 * DAY));
  expect(await wordsOf(environment_id)).toEqual([]);
});

/** A write path of its own on the server's database. */
function start(options: WordOptions, store = new WordStore(db)) {
  const words = new WordMemory(store, log, { sightings: 1, pace: 10, ...options });
  const ingest = new Ingest({
    hosts: new Hosts(server.databaseUrl),
    groupKey: () => GROUP_KEY,
    log,
    onMissingPartition: () => Promise.reject(new Error('no partition should be missing')),
    words,
  });
  words.start();
  ends.push(() => Promise.all([words.stop(), ingest.stop()]));
  return ingest;
}

const rowsOf = (
  environment_id: string,
): Promise<{ kind: string | null; agent: string | null; user_agent: string }[]> =>
  db('consents').where({ environment_id }).orderBy(['recorded_at', 'consent_id']);

test('two texts with one hash are not taken for each other', async () => {
  const site = siteWith();
  const key = { environment_id: site.id, type: 'a' as const, word: '-42' };
  const store = new WordStore(db);
  const first = { ...key, text: 'first' };
  expect([...(await store.keep([first, { ...key, text: 'second' }]))]).toEqual([`a${site.id}first`]);
  expect([...(await store.keep([{ ...key, text: 'second' }]))]).toEqual([`a${site.id}first`]);
  expect((await wordsOf(site.id)).map(({ text }) => text)).toEqual(['first']);
});

test('a site has a limited number of words, and those it has stay in use', async () => {
  const site = siteWith();
  const store = new WordStore(db);
  const words = Array.from(
    { length: 5_100 },
    (_, n): WordKey => ({
      ...{ environment_id: site.id, type: 'a', word: String(n), text: `agent ${n}` },
    }),
  );
  expect((await store.keep(words)).size).toBe(5_000);
  expect((await store.keep(words.slice(4_900))).size).toBe(100);
  expect((await store.keep([{ ...words[0], type: 'p', word: '-1' } as WordKey])).size).toBe(1);
});

test('a word is named only for as long as the database was told, and told again', async () => {
  const site = siteWith();
  const ingest = start({ trust: 300 });
  const isShort = async () => (await rowsOf(site.id)).at(-1)?.agent !== null;
  const again = async (): Promise<boolean> => {
    await ingest.record(decide(site));
    return isShort();
  };
  await until('a record names a word', again);
  await db('consent_words').where({ environment_id: site.id }).update({ used_on: '2020-01-01' });
  await until('the time is over', async () => !(await again()));
  await until('a record names it again', again);
  const [{ used_on }] = await db('consent_words')
    .where({ environment_id: site.id, type: 'a' })
    .select('used_on');
  expect(used_on > '2026').toBe(true);
});

test('after another connection a word is named only when the database was asked for it again', async () => {
  const site = siteWith();
  const ingest = start({});
  const again = async (): Promise<boolean> => {
    await ingest.record(decide(site));
    return (await rowsOf(site.id)).at(-1)?.agent !== null;
  };
  await until('a record names a word', again);
  // As after the promotion of a stand-by that was behind.
  await db('consent_words').where({ environment_id: site.id }).delete();
  await db.raw(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'avow ingest%'",
  );
  await until('it is stored', () =>
    again().then(
      () => true,
      () => false,
    ),
  );
  await until('a record names it again', again);
  const rows = await db('consents AS c')
    .leftJoin('consent_words AS w', (on) =>
      on.on('w.environment_id', 'c.environment_id').on('w.word', 'c.agent'),
    )
    .where({ 'c.environment_id': site.id })
    .select('c.user_agent', 'w.text')
    .orderBy('c.recorded_at');
  const lost = rows.findIndex(({ user_agent, text }) => user_agent === null && text === null);
  expect(lost).toBe(-1);
});

test('while words cannot be stored, decisions hold their texts', async () => {
  const site = siteWith();
  const store = new WordStore(db);
  let asked = 0;
  store.keep = async () => {
    asked += 1;
    throw new Error('not now');
  };
  const ingest = start({}, store);
  await until('it was tried twice', async () => {
    await ingest.record(decide(site));
    return asked >= 2;
  });
  expect((await rowsOf(site.id)).every(({ kind, agent }) => kind === null && agent === null)).toBe(true);
});

test('a filled database of the version before is read beside what comes after it, and before the last step no record names a word', async () => {
  const database = await emptyDatabase();
  const old = connect(database.url, 4);
  ends.push(async () => {
    await old.destroy();
    await database.drop();
  });
  await knowing(
    (name) => name < '20261122220000',
    () => migrate(old),
  );
  await ensurePartitions(old, new Date());
  const site = siteWith();
  const entry = decide(site, {
    categories: { analytics: true },
    decision: 'save_preferences',
    ...page('old'),
  });
  const { decision } = entry;
  /** As the version before writes it. */
  const insertOld = async (row = decision): Promise<void> => {
    const { region: _, rule: __, vendors: ___, linked_from: ____, ...known } = row;
    await old('consents').insert(known);
    const { environment_id, session_id, consent_id, categories, policy_version, recorded_at, expires_at } =
      row;
    await old('session_choices').insert({
      ...{ environment_id, session_id, consent_id, categories, policy_version, recorded_at, expires_at },
      decision: row.decision,
    });
  };
  await insertOld();
  await migrate(old, { background: true });
  const later = decide(site).decision;
  await insertOld(later);
  expect(await new WordStore(old).mayName()).toBe(false);
  const words = new WordMemory(new WordStore(old), log, { sightings: 1, pace: 5 });
  const ingest = new Ingest({
    ...{ hosts: new Hosts(database.url), log, words, groupKey: () => GROUP_KEY },
    onMissingPartition: () => Promise.reject(new Error('no partition should be missing')),
  });
  words.start();
  ends.push(() => Promise.all([words.stop(), ingest.stop()]));
  for (let n = 0; n < 20; n += 1) await ingest.record(decide(site));
  expect(await old('consents').whereNotNull('choice')).toEqual([]);
  await migrate(old, { contract: true, version: '99.0.0' });
  expect(await old('contract_steps').pluck('name')).toEqual([WORDS_STEP, KEYS_STEP, SEALED_STEP]);
  await until('records name words', async () => {
    await ingest.record(decide(site));
    return (await old('consents').whereNotNull('kind').limit(1)).length > 0;
  });
  for (const row of [decision, later]) {
    const choice = await ingest.choice(site, row.session_id);
    expect(choice).toMatchObject({ decision: row.decision, categories: row.categories });
    expect(choice?.expires_at).toEqual(new Date(row.expires_at));
  }
});
