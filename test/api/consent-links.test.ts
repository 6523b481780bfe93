import { createHash, randomUUID } from 'node:crypto';
import { deleteShortLived } from '../../server/src/jobs/short-lived';
import { PROGRAM } from '../helpers/banner/program';
import { notOnCluster } from '../helpers/cluster/skip';
import { startServer } from '../helpers/server';
import {
  ALL,
  expectRefused,
  type LinkedSite,
  linkedSite,
  OTHER,
  refused,
  SHOP,
  useLinkedSite,
  variables,
} from '../helpers/site/linked';
import { ASKED_LIST } from '../helpers/site/vendors';

jest.setTimeout(60_000);
const { server, db, site } = useLinkedSite();

/** All is allowed on this domain already. */
const OWN = { categories: ALL };

test('a choice is taken along: recorded anew in its session, with the record of the decision, until the same end', async () => {
  const { client, token, decide, take, link } = await site();
  const { session_id, consent_id } = await decide({
    ...{ decision: 'save_preferences', categories: { analytics: true } },
    page_url: 'https://shop.example.com/a?b',
  });
  const answer = await take({ link: await link(session_id), page_url: `${OTHER}/c?d#e`, language: 'de' });
  const source = await client.getConsent({ token, consent_id });
  const record = await client.getConsent({ token, consent_id: answer.consent_id });
  expect(answer).toMatchObject({
    ...{ session_id, decision: 'save_preferences', policy_version: '1' },
    categories: { functional: false, analytics: true, marketing: false },
  });
  const left = (Date.parse(source.expires_at) - Date.now()) / 1000;
  expect(Math.abs(answer.expires_in_seconds - left)).toBeLessThan(60);
  expect(record).toMatchObject({
    ...{ session_id, method: 'link', linked_from: consent_id, recorded_by: 'visitor', language: 'de' },
    ...{ expires_at: source.expires_at, page_url: `${OTHER}/c`, categories: source.categories },
    ...{ superseded_by: null, withdrawn_at: null },
  });
  expect(source).not.toHaveProperty('linked_from');
  expect(source.superseded_by?.consent_id).toBe(record.consent_id);
  expect(source.withdrawn_at).toBeNull();
  expect(await server.visitor.getPreferences({ token, session_id })).toMatchObject({
    ...{ decision: 'save_preferences', expires_at: source.expires_at, reason: 'none' },
  });
});

test('from domain to domain and back the end of a choice and the record of the decision stay the same', async () => {
  const { client, token, decide, take, link } = await site();
  const { session_id, consent_id } = await decide();
  const { expires_at } = await client.getConsent({ token, consent_id });
  for (let hop = 0; hop < 3; hop += 1) {
    const { consent_id: next } = await take({ link: await link(session_id) });
    const record = await client.getConsent({ token, consent_id: next });
    expect(record).toMatchObject({ expires_at, linked_from: consent_id, method: 'link' });
    // By its text and by its word alike.
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
});

test('a withdrawal on any domain withdraws the decision and what was brought along from it', async () => {
  const { client, token, decide, take, link } = await site();
  const { session_id, consent_id } = await decide();
  const { consent_id: there } = await take({ link: await link(session_id) });
  await decide({ decision: 'reject_all' }, session_id);
  for (const id of [consent_id, there])
    expect((await client.getConsent({ token, consent_id: id })).withdrawn_at).not.toBeNull();
});

test('of many who take one link at once one gets it', async () => {
  const { client, token, decide, tryTake, link } = await site();
  const { session_id } = await decide();
  const token_ = await link(session_id);
  const answers = await Promise.all(Array.from({ length: 20 }, () => tryTake({ link: token_ })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 201)) expect(answer).toMatchObject(refused);
  expect((await client.listConsents({ token, session_id })).items).toHaveLength(2);
});

test('links that were made of one choice bring it to several tabs, also at once', async () => {
  const { client, token, decide, tryTake, link } = await site();
  const { session_id, consent_id } = await decide();
  const links = [await link(session_id), await link(session_id), await link(session_id)];
  const answers = await Promise.all(links.map((one) => tryTake({ link: one })));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  const { items } = await client.listConsents({ token, session_id });
  expect(items.map(({ linked_from = null }) => linked_from)).toEqual([
    ...[consent_id, consent_id, consent_id, null],
  ]);
});

test.each([
  [
    'a copy gives way to a refusal of another session',
    { of: 'another', from_link: true, allows: true },
    'reject_all',
  ],
  [
    'a copy follows its session, whatever it decides',
    { of: 'the same', from_link: true, allows: false },
    'accept_all',
  ],
  [
    'a decision gives way to a refusal of its session',
    { of: 'the same', from_link: false, allows: true },
    'reject_all',
  ],
  [
    'a decision is not narrower than the same',
    { of: 'the same', from_link: false, allows: true },
    'accept_all',
  ],
] as const)('what a domain has: %s', async (_, { of, from_link, allows }, decision) => {
  const one = await site();
  const { session_id } = await one.decide({ decision });
  const categories = { functional: allows, analytics: allows, marketing: allows };
  const own = { session_id: of === 'another' ? randomUUID() : session_id, categories, from_link };
  const taken = await one.take({ link: await one.link(session_id), own });
  expect(taken).toMatchObject({ session_id, decision });
  expect(taken.decided_seconds_ago).toBeLessThan(60);
});

test.each([
  ['that is as wide', { allows: true, from_link: false }, 'accept_all'],
  ['that is wider', { allows: true, from_link: true }, 'reject_all'],
  ['and a refusal follows it', { allows: false, from_link: false }, 'reject_all'],
] as const)('a choice that is not in force gives way, %s', async (_, { allows, from_link }, decision) => {
  const one = await site();
  const { session_id } = await one.decide({ decision });
  const categories = { functional: allows, analytics: allows, marketing: allows };
  const own = { session_id: randomUUID(), categories, from_link, in_force: false };
  expect(await one.take({ link: await one.link(session_id), own })).toMatchObject({ session_id, decision });
});

describe('nothing is recorded twice', () => {
  const there = { page_url: `${OTHER}/c` };
  const countOf = async ({ client, token }: LinkedSite, session_id: string) =>
    (await client.listConsents({ token, session_id })).items.length;

  test('where the choice was brought before, and where it was made, their records are answered', async () => {
    const one = await site();
    const { decide, take, link } = one;
    const { session_id, consent_id } = await decide({ page_url: `${SHOP}/a` });
    const first = await take({ link: await link(session_id), ...there });
    const own = { own: { ...OWN, session_id: session_id.toUpperCase() } };
    const again = await take({ link: await link(session_id), ...there, ...own });
    expect(again).toEqual({
      ...first,
      ...{ decided_seconds_ago: expect.any(Number), expires_in_seconds: expect.any(Number) },
    });
    const back = { page_url: `${SHOP}/b`, ...own };
    const home = await one.tryTake({ link: await link(session_id), ...back }, { Origin: SHOP });
    expect(home.json.data).toMatchObject({ consent_id, session_id, categories: first.categories });
    expect(await countOf(one, session_id)).toBe(2);
  });

  test('but on another origin, without an own choice there, and after another decision', async () => {
    const one = await site();
    const { decide, take, link } = one;
    const { session_id } = await decide({ page_url: `${SHOP}/a` });
    const own = { own: { ...OWN, session_id } };
    await take({ link: await link(session_id), ...there, ...own });
    await take({ link: await link(session_id), ...there });
    expect(await countOf(one, session_id)).toBe(3);
    const port = `${OTHER}:8443`;
    const elsewhere = { link: await link(session_id), page_url: `${port}/`, ...own };
    expect(await one.tryTake(elsewhere, { Origin: port })).toMatchObject({ status: 201 });
    expect(await countOf(one, session_id)).toBe(4);
    const { consent_id } = await decide({}, session_id);
    const { consent_id: taken } = await take({ link: await link(session_id), ...there, ...own });
    expect(await one.client.getConsent({ token: one.token, consent_id: taken })).toMatchObject({
      linked_from: consent_id,
    });
    expect(await countOf(one, session_id)).toBe(6);
  });

  test('also where its page is a word', async () => {
    const one = await site();
    const { decide, take, link, id } = one;
    const { session_id } = await decide();
    const { consent_id } = await take({ link: await link(session_id), ...there });
    await db()('consent_words').insert({
      ...{
        environment_id: id,
        word: '77',
        type: 'p',
        text: `${OTHER}/c`,
        used_on: new Date(),
        check_on: new Date(),
      },
    });
    await db()('consents').where({ environment_id: id, consent_id }).update({ page_url: null, page: '77' });
    const own = { own: { ...OWN, session_id } };
    expect(await take({ link: await link(session_id), ...there, ...own })).toMatchObject({ consent_id });
  });
});

test('many links at once take one connection: what else visitors ask for is answered, and too many are refused', async () => {
  const one = await linkedSite(server);
  const { session_id } = await one.decide();
  const lock = await db().transaction();
  try {
    await lock.raw('LOCK TABLE link_tokens IN ACCESS EXCLUSIVE MODE');
    const answers = [
      ...Array.from({ length: 40 }, () => one.tryLink(session_id)),
      ...Array.from({ length: 40 }, () => one.tryTake({ link: 'a'.repeat(32) })),
    ];
    const waiting = async (): Promise<number> => {
      const { rows } = await db().raw(
        `SELECT count(*)::int AS n FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%link_tokens%'`,
      );
      return rows[0].n;
    };
    while ((await waiting()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const refusals = await Promise.race(answers);
    expect(refusals.status).toBe(429);
    expect(refusals.headers['retry-after']).toBe('1');
    expect(await waiting()).toBe(1);
    expect(await one.decide()).toMatchObject({ decision: 'accept_all' });
    expect(await waiting()).toBe(1);
    await lock.rollback();
    // Those that waited for too long are 503.
    for (const { status } of await Promise.all(answers)) expect([201, 404, 429, 503]).toContain(status);
  } finally {
    await lock.rollback();
  }
});

test('no link is made of what is not a choice of the visitor in force', async () => {
  const { client, token, decide, tryLink, id } = await site();
  const none = {
    status: 404,
    json: {
      message: 'This session has no choice that can be taken along: follow the link without it.',
    },
  };
  expect(await tryLink(randomUUID())).toMatchObject(none);
  const { session_id } = await decide();
  expect(await tryLink(session_id, { 'Sec-GPC': '1' })).toMatchObject(none);
  expect(await tryLink(session_id)).toMatchObject({ status: 201 });
  const { session_id: signalled } = await decide({ method: 'gpc' }, randomUUID(), { 'Sec-GPC': '1' });
  expect(await tryLink(signalled)).toMatchObject(none);
  const nameless = { session_id: randomUUID(), decision: 'accept_all' as const };
  await server.visitor.logConsent({ token, body: nameless });
  expect(await tryLink(nameless.session_id)).toMatchObject(none);
  const stated = randomUUID();
  const visitor = { address: '203.0.113.9' };
  await client.logConsentForVisitor({
    token,
    body: { session_id: stated, decision: 'accept_all', visitor },
  });
  expect(await tryLink(stated)).toMatchObject(none);
  const past = new Date(Date.now() - 1);
  await db()('consents').where({ environment_id: id, session_id }).update({ expires_at: past });
  expect(await tryLink(session_id)).toMatchObject(none);
});

describe('a link carries no more than the page that is left has in force', () => {
  const some = { functional: true, analytics: false, marketing: false };
  const save = { decision: 'save_preferences', categories: { functional: true } };

  test.each([
    ['all', {}, { categories: ALL }, 201],
    ['all, where the session allows less', save, { categories: ALL }, 201],
    ['the same', save, { categories: some }, 201],
    ['nothing, like the session', { decision: 'reject_all' }, { categories: {} }, 201],
    ['less', {}, { categories: some }, 404],
    ['something else', save, { categories: { ...some, functional: false, analytics: true } }, 404],
    ['nothing', {}, { categories: {} }, 404],
    ['fewer vendors', {}, { categories: ALL, vendors: { 755: true, 1201: false } }, 404],
  ])('%s', async (_, decision, inForce, status) => {
    const { decide, tryLink } = await site();
    const { session_id } = await decide(decision);
    expect(await tryLink(session_id, {}, inForce)).toMatchObject({ status });
  });

  test('by vendor', async () => {
    const { client, token, change, decide, tryLink } = await linkedSite(server);
    await client.replaceVendors({ token, body: { vendors: ASKED_LIST } });
    const bundle_hash = await change({ choice_by_vendor: true });
    const { session_id } = await decide({ bundle_hash });
    const statusOf = async (vendors?: object) =>
      (await tryLink(session_id, {}, { categories: ALL, ...(vendors && { vendors }) })).status;
    expect(await statusOf({ 755: true, 1201: true })).toBe(201);
    expect(await statusOf({ 755: true, 1201: false })).toBe(404);
    expect(await statusOf({ 755: true })).toBe(404);
    expect(await statusOf()).toBe(404);
  });

  test('it must be stated', async () => {
    const { tryLink } = await site();
    expect(await tryLink(randomUUID(), {}, {})).toMatchObject({
      ...{ status: 400, json: { data: { errors: [{ path: 'body.categories' }] } } },
    });
  });

  test('what another domain of the session allowed since does not go on from here', async () => {
    const { decide, tryLink, take, link } = await site();
    const { session_id } = await decide();
    await take({ link: await link(session_id) });
    const there = { Origin: OTHER };
    await decide({ decision: 'reject_all' }, session_id, there);
    await decide({}, session_id);
    const nothing = { categories: { functional: false, analytics: false, marketing: false } };
    expect(await tryLink(session_id, there, nothing)).toMatchObject({ status: 404 });
    expect(await tryLink(session_id)).toMatchObject({ status: 201 });
  });
});

test('only pages of the linked domains make and take links, and none of a host under them', async () => {
  const { decide, tryLink, tryTake, link } = await site();
  const { session_id } = await decide();
  const from = (Origin: string) => ({ Origin });
  for (const origin of [
    ...['https://elsewhere.example', 'https://shop.example.com.evil.example', 'https://xshop.example.com'],
    ...['null', 'ftp://shop.example.com', 'https://third.example.net', 'https://de.shop.example.com'],
  ]) {
    expect(await tryLink(session_id, from(origin))).toMatchObject({ status: 403 });
    const made = await link(session_id);
    expect(await tryTake({ link: made }, from(origin))).toMatchObject({ status: 403 });
    expect(await tryTake({ link: made })).toMatchObject({ status: 201 });
  }
  expect(await tryLink(session_id, { Origin: '' })).toMatchObject({ status: 403 });
  expect(await tryLink(session_id, from('https://shop.example.com:8443'))).toMatchObject({ status: 201 });
});

test('a site without linked domains has no links', async () => {
  const { tryLink, tryTake, decide } = await linkedSite(server, { linked_domains: null });
  const { session_id } = await decide();
  expect(await tryLink(session_id)).toMatchObject({ status: 403 });
  expect(await tryTake({ link: 'a'.repeat(32) })).toMatchObject({ status: 403 });
});

test('nobody can state that a choice was brought along', async () => {
  const { client, token } = await site();
  const body = { session_id: randomUUID(), decision: 'accept_all', method: 'link' } as never;
  const wrong = { status: 400, errors: [{ path: 'body.method' }] };
  await expect(server.visitor.logConsent({ token, body })).rejects.toMatchObject(wrong);
  const compact = { ...(body as object), event_id: randomUUID() } as never;
  await expect(server.visitor.recordVisitorConsent({ token, body: compact })).rejects.toMatchObject(wrong);
  const owners = { ...(body as object), visitor: { address: '203.0.113.9' } } as never;
  await expect(client.logConsentForVisitor({ token, body: owners })).rejects.toMatchObject(wrong);
});

test('of a token its hash is stored, and of a browser keyed hashes: nothing of it, of the session or of the address is logged', async () => {
  const { decide, link, id } = await site();
  const { session_id } = await decide();
  const made = await link(session_id);
  const [row] = await db()('link_tokens').where({ environment_id: id, session_id });
  expect(row.hash.equals(createHash('sha256').update(made).digest())).toBe(true);
  expect([row.address_hash.length, row.agent_hash.length]).toEqual([32, 32]);
  expect(JSON.stringify(row)).not.toContain(made);
});

test('with choice by vendor the vendors are taken along', async () => {
  const { client, token, change, decide, take, link } = await linkedSite(server);
  await client.replaceVendors({ token, body: { vendors: ASKED_LIST } });
  const bundle_hash = await change({ choice_by_vendor: true });
  const { session_id } = await decide({
    ...{ decision: 'save_preferences', categories: { marketing: true }, vendors: { 1201: false, 755: true } },
    bundle_hash,
  });
  const vendors = { 755: true, 1201: false };
  const inForce = { categories: ALL, vendors };
  const answer = await take({ link: await link(session_id, inForce), bundle_hash });
  expect(answer.vendors).toEqual(vendors);
  expect((await client.getConsent({ token, consent_id: answer.consent_id })).vendors).toEqual(answer.vendors);
});

test('with rules by region the rule is the same, and the region that of the page that takes it', async () => {
  const { client, token, change, decide, take, link } = await linkedSite(server);
  const bundle_hash = await change({ regions: { rules: 'law' } });
  const { session_id } = await decide({ bundle_hash, region: 'US-CA', rule: 'opt_out' });
  const answer = await take({
    ...{ link: await link(session_id), bundle_hash, rule: 'opt_out', region: 'US-CO' },
  });
  expect(answer.rule).toBe('opt_out');
  const { consent_id } = answer;
  expect(await client.getConsent({ token, consent_id })).toMatchObject({ region: 'US-CO', rule: 'opt_out' });
});

test('an erasure of the session takes its links and what was brought along', async () => {
  const { client, token, decide, link, take, tryTake, id } = await site();
  const { session_id } = await decide();
  await take({ link: await link(session_id) });
  const unused = await link(session_id);
  expect(await client.eraseSession({ token, session_id })).toMatchObject({ complete: true, consents: 2 });
  expect(await db()('link_tokens').where({ environment_id: id, session_id })).toEqual([]);
  await expectRefused(tryTake({ link: unused }));
});

test('the events, the counts and the files of a site have it as any decision', async () => {
  const { client, token, decide, link, take } = await linkedSite(server);
  await client.createWebhook({ token, body: { url: 'http://127.0.0.1:9/', events: ['consent.accept_all'] } });
  server.service.context.sites.forget(token);
  const { session_id, consent_id } = await decide();
  const answer = await take({ link: await link(session_id) });
  const { totals } = (await client.getAnalytics({ token })) as { totals: { decisions: number } };
  expect(totals.decisions).toBe(2);
  const { items } = await client.listEvents({ token });
  expect(items.map(({ payload }) => (payload as { event: string }).event)).toEqual([
    ...['consent.accept_all', 'consent.accept_all'],
  ]);
  const lines = (await (await client.exportConsents({ token })).text()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).linked_from)).toEqual([undefined, consent_id]);
  const csv = (await (await client.exportConsents({ token, format: 'csv' })).text()).trim().split(/\r?\n/);
  expect(csv.map((line) => line.split(',').at(-1))).toEqual(['linked_from', '', consent_id]);
  const receipt = { token, consent_id: answer.consent_id, session_id };
  expect(await server.visitor.getConsentReceipt(receipt)).toMatchObject({
    ...{ method: 'link', linked_from: consent_id, status: 'given' },
  });
});

const withTrigger = notOnCluster('it takes no triggers');
withTrigger('a link that is made while the session is erased is gone with it', async () => {
  const { client, token, decide, id } = await site();
  const { session_id } = await decide();
  // As a request does that has found the choice, and stores its link later.
  await db().raw(`
    CREATE FUNCTION late_link() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO link_tokens SELECT OLD.environment_id, 'late', OLD.session_id, OLD.consent_id, '', '', now();
      RETURN OLD; END $$`);
  await db().raw(
    'CREATE TRIGGER late_link BEFORE DELETE ON session_choices FOR EACH ROW EXECUTE FUNCTION late_link()',
  );
  try {
    expect(await client.eraseSession({ token, session_id })).toMatchObject({ complete: true });
    expect(await db()('link_tokens').where({ environment_id: id, session_id })).toEqual([]);
  } finally {
    await db().raw('DROP FUNCTION late_link CASCADE');
  }
});

test('the job deletes links that nobody took, in chunks', async () => {
  const { decide, link, id } = await site();
  await link((await decide()).session_id);
  await db()('link_tokens')
    .where({ environment_id: id })
    .update({ expires_at: new Date(0) });
  await db().raw(
    `INSERT INTO link_tokens SELECT ?, int4send(n), gen_random_uuid(), gen_random_uuid(), '', '', '2020-01-01'
     FROM generate_series(1, 5001) AS n`,
    [id],
  );
  const statements: string[] = [];
  const note = ({ sql }: { sql: string }) => void (sql.includes('link_tokens') && statements.push(sql));
  db().on('query', note);
  await deleteShortLived(db(), server.service.context.log, new Date(), undefined);
  db().off('query', note);
  expect(statements).toHaveLength(2);
  expect(await db()('link_tokens').where({ environment_id: id })).toEqual([]);
});

test('both have one limit, which decisions use nothing of and are not kept back by', async () => {
  const limited = await startServer({ program: PROGRAM, variables: { ...variables, RATE_LIMIT: 'on' } });
  try {
    const { tryLink, tryTake, decide } = await linkedSite(limited);
    // In groups that have no reason to wait: a minute's limit, of both together.
    const answers = new Set<number>();
    for (let sent = 0; !answers.has(429) && sent < 2_000; sent += 20) {
      const asks = Array.from({ length: 10 }, () => [
        tryLink(randomUUID()),
        tryTake({ link: 'a'.repeat(32) }),
      ]);
      for (const { status } of await Promise.all(asks.flat())) answers.add(status);
    }
    expect([...answers]).toEqual([404, 429]);
    expect(await tryLink(randomUUID())).toMatchObject({ status: 429 });
    expect(await decide()).toMatchObject({ decision: 'accept_all' });
  } finally {
    await limited.stop();
  }
});

test('large ones use up nothing of what decisions may either', async () => {
  const limited = await startServer({ program: PROGRAM, variables: { ...variables, RATE_LIMIT: 'on' } });
  try {
    const { tryTake, decide } = await linkedSite(limited);
    const page_url = `${OTHER}/${'a'.repeat(60_000)}`;
    let sent = 0;
    while ((await tryTake({ link: 'a'.repeat(32), page_url })).status !== 429 && sent < 500) sent += 1;
    expect(sent).toBeLessThan(500);
    expect(await decide()).toMatchObject({ decision: 'accept_all' });
  } finally {
    await limited.stop();
  }
});
