import { MAX_PAGES } from '../../server/src/db/scanned-pages';
import { judge } from '../../server/src/domain/cookies/judge';
import type { Observation, SeenCookie } from '../../server/src/domain/cookies/result';
import { defaultSettings } from '../../server/src/domain/settings';
import { applyRetention } from '../../server/src/jobs/retention';
import { countScans } from '../../server/src/jobs/scans';
import { claimScan, settleScan } from '../../server/src/scan/claim';
import { STRANGERS_KEPT } from '../../server/src/scan/limits';
import { onCluster } from '../helpers/database';
import { type Client, useServer } from '../helpers/server';

const DAY = 86_400_000;
/** Takes scans; this suite says what they saw. */
const server = useServer({ variables: { ROLE: 'api' } });
const { categories } = defaultSettings();
const cookie = (name: string): SeenCookie => ({
  ...{ name, domain: 'shop.test', maxAgeSeconds: 0, secure: true, httpOnly: false, sameSite: null },
});
const CLEAN: Partial<Observation> = {};
const DIRTY: Partial<Observation> = { cookies: [cookie('_ga')] };
type Seen = Partial<Observation> | 'failed';

/** A site of `shop.test`, and scans of its pages which see what they are told. */
async function shop(domains: string[] = []) {
  const { client, token } = await server.site();
  const { db } = server.service.context;
  await client.updateEnvironment({ token, body: { domain: 'shop.test', domains } });
  const scan = async (url: string, saw: Seen): Promise<string> => {
    await db('cookie_scans').where({ state: 'queued' }).delete();
    const { scan_id } = await client.startCookieScan({ body: { url, token } });
    const claimed = await claimScan(db);
    if (claimed?.scan.scan_id !== scan_id) throw new Error('another scan was claimed');
    expect(await settleScan(db, claimed, outcomeOf(url, saw))).toBe(true);
    return scan_id;
  };
  return { client, token, scan };
}

function outcomeOf(url: string, saw: Seen) {
  if (saw === 'failed') return { error: 'The page answered 403.' };
  const seen: Observation = {
    ...{ engine: 'browser', finalUrl: url, cookies: [], items: [], itemsCut: false, hosts: [] },
    ...{ bannerDetected: true, blank: false, cutShort: undefined, ...saw },
  };
  return { engine: seen.engine, result: judge(seen, { listed: () => undefined, categories }) };
}

/** What the owner is told of the pages. */
async function told(client: Client, token: string) {
  const { checks } = await client.getComplianceScore({ token });
  const check = checks.find(({ id }) => id === 'nothing_before_consent');
  const { items } = await client.listWarnings({ token });
  expect((await client.getEnvironment({ token })).warnings).toEqual(items);
  return {
    status: check?.status,
    evidence: check?.evidence,
    warnings: items.filter(({ code, severity }) => code === 'scan_finding' && severity === 'critical'),
  };
}

test.each([
  ['another page', 'https://shop.test/contact'],
  ['a page by its query', 'https://shop.test/?page=contact'],
  ['www', 'https://www.shop.test/'],
  ['a subdomain', 'https://blog.shop.test/'],
  ['a port', 'https://shop.test:80/'],
])('a clean scan of %s hides nothing that was found on the start page', async (_, other) => {
  const { client, token, scan } = await shop();
  const found = await scan('https://shop.test/', DIRTY);
  await scan(other, CLEAN);
  const { status, evidence, warnings } = await told(client, token);
  expect(status).toBe('fail');
  expect(evidence).toMatch(/^before consent on shop\.test\/ \(scan of \d{4}-\d\d-\d\d\): _ga \(analytics\)$/);
  expect(warnings).toMatchObject([
    { subject_id: found, message: expect.stringMatching(/^On shop\.test\/: Set before consent: _ga/) },
  ]);
});

test('the apex hides nothing of www', async () => {
  const { client, token, scan } = await shop();
  await scan('https://www.shop.test/', DIRTY);
  await scan('https://shop.test/', CLEAN);
  expect(await told(client, token)).toMatchObject({
    status: 'fail',
    evidence: expect.stringContaining('on www.shop.test/ ('),
  });
});

test.each<[string, Seen, string]>([
  ['failed', 'failed', 'fail'],
  ['saw an empty page', { blank: true }, 'fail'],
  ['ended early', { cutShort: 'time' }, 'fail'],
  ['could not read everything', { itemsCut: true }, 'fail'],
  ['had no browser', { engine: 'http' }, 'fail'],
  ['saw it all', CLEAN, 'pass'],
])('a later scan of the same page that %s: %s', async (_, saw, status) => {
  const { client, token, scan } = await shop();
  await scan('https://shop.test/a?b#c', DIRTY);
  // The same page, written otherwise.
  await scan('http://SHOP.test./a?b', saw);
  const now = await told(client, token);
  expect(now.status).toBe(status);
  expect(now.warnings).toHaveLength(status === 'fail' ? 1 : 0);
});

test('without a browser a later scan clears what an earlier one found, but nothing is passed', async () => {
  const { client, token, scan } = await shop();
  await scan('https://shop.test/', { ...DIRTY, engine: 'http' });
  expect((await told(client, token)).status).toBe('fail');
  await scan('https://shop.test/', { engine: 'http', blank: true });
  expect((await told(client, token)).status).toBe('fail');
  await scan('https://shop.test/', { engine: 'http' });
  expect(await told(client, token)).toMatchObject({ status: 'unknown', warnings: [] });
});

test('what a scan that saw less found counts, and only one that sees all ends it', async () => {
  const { client, token, scan } = await shop();
  await scan('https://shop.test/', CLEAN);
  await scan('https://shop.test/', { ...DIRTY, cutShort: 'bytes' });
  expect((await told(client, token)).status).toBe('fail');
  await scan('https://shop.test/', CLEAN);
  expect((await told(client, token)).status).toBe('pass');
});

test('a page of a domain that is the site’s no more does not count, nor does it take a place from others', async () => {
  const { client, token, scan } = await shop(['old.test', 'www.other.test']);
  await scan('https://old.test/', DIRTY);
  await scan('https://x.other.test/', CLEAN);
  expect((await told(client, token)).status).toBe('fail');
  await client.updateEnvironment({ token, body: { domains: ['www.other.test'] } });
  expect(await told(client, token)).toMatchObject({
    status: 'pass',
    evidence: expect.stringMatching(/^none on x\.other\.test\/ \(scan of [0-9-]+\)$/),
    warnings: [],
  });
  // Names that only look like those of the site.
  await client.updateEnvironment({ token, body: { domains: ['d.test', 'ld.test', 'sub.x.other.test'] } });
  expect(await told(client, token)).toMatchObject({ status: 'pass', warnings: [] });
  await client.updateEnvironment({ token, body: { domains: ['shop.old.test'] } });
  expect((await told(client, token)).status).toBe('fail');
});

/** Stores what is known of many pages at once, as that of a scan which was stored. */
async function copies(scan_id: string, many: number, change: object = {}) {
  const { db } = server.service.context;
  const row = await db('scanned_pages').where({ scan_id }).first();
  const text = { summary: JSON.stringify(row.summary), cookies: JSON.stringify(row.cookies) };
  await db.batchInsert(
    'scanned_pages',
    Array.from({ length: many }, (_, n) => ({ ...row, ...text, page: Buffer.from(`${n}`), ...change })),
  );
}

test('of more pages than one look reads nothing is called clean, and the worst are read first', async () => {
  const { client, token, scan } = await shop(['old.test']);
  const clean = await scan('https://shop.test/', CLEAN);
  await copies(clean, MAX_PAGES - 1);
  expect(await told(client, token)).toMatchObject({
    status: 'pass',
    evidence: expect.stringMatching(/, 197 more pages$/),
  });
  await scan('https://shop.test/one-more', CLEAN);
  expect(await told(client, token)).toMatchObject({
    status: 'unknown',
    evidence: 'none on 200 pages, but more were scanned than are looked at',
  });
  const bad = await scan('https://shop.test/bad', DIRTY);
  await server.service.context
    .db('scanned_pages')
    .where({ scan_id: bad })
    .update({ finished_at: new Date('2026-01-01') });
  expect(await told(client, token)).toMatchObject({ status: 'fail', warnings: [{ subject_id: bad }] });
});

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

test('one look is one statement, whose rows and bytes are bounded whatever was scanned', async () => {
  const { client, token, scan } = await shop(['old.test']);
  const bad = await scan('https://shop.test/', {
    cookies: [
      cookie('_ga'),
      ...Array.from({ length: 499 }, (_, n) => cookie(`_ga_${'€"'.repeat(1_000)}${n}`)),
    ],
    ...{ bannerDetected: false, finalUrl: 'http://shop.test/' },
  });
  const { db } = server.service.context;
  const environment_id = (await db('cookie_scans').where({ scan_id: bad }).first()).environment_id;
  await copies(bad, 1_000);
  await client.updateEnvironment({ token, body: { domains: [] } });
  const rows = db('scanned_pages').where({ environment_id });
  await rows
    .clone()
    .whereRaw("get_byte(page, 0) < 53 AND shown = 'shop.test/'")
    .update({ place: 'test.old.' });
  await db.raw('ANALYZE scanned_pages');
  const asked: { sql: string; bindings: unknown[] }[] = [];
  let largest = 0;
  const hear = (query: { sql: string; bindings: unknown[] }) =>
    void (/scan/.test(query.sql) && !/scan_schedules|scheduled_pages/.test(query.sql) && asked.push(query));
  const weigh = (read: unknown) => {
    const rows = Array.isArray(read) ? read : ((read as { rows?: unknown[] } | undefined)?.rows ?? []);
    largest = Math.max(largest, JSON.stringify(rows).length);
  };
  db.on('query', hear).on('query-response', weigh);
  const { status } = await told(client, token);
  db.off('query', hear).off('query-response', weigh);
  expect(status).toBe('fail');
  // The score, the warnings and the site with its warnings.
  expect(asked).toHaveLength(3);
  expect(asked.every(({ sql }) => !/\bresult\b/.test(sql))).toBe(true);
  expect(largest).toBeGreaterThan(100_000);
  expect(largest).toBeLessThan((MAX_PAGES + 1) * 6_000);
  const [{ sql, bindings }] = asked as [(typeof asked)[0]];
  const { rows: plans } = await db.raw<{ rows: { 'QUERY PLAN': [{ Plan: Plan }] }[] }>(
    // It has been written with its places already.
    `EXPLAIN (ANALYZE, FORMAT JSON) ${sql.replace(/\$\d+/g, '?')}`,
    bindings as string[],
  );
  const read = nodesOf((plans[0] as (typeof plans)[0])['QUERY PLAN'][0].Plan)
    .filter((node) => node['Relation Name'] === 'scanned_pages')
    .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']);
  // A cluster does not show what its own plan reads.
  expect(read.length > 0).toBe(!onCluster());
  expect(Math.max(0, ...read)).toBeLessThan(2 * (MAX_PAGES + 1));
});

test('a page is forgotten with the scan that it is of, after 30 days, and with its site', async () => {
  const { client, token, scan } = await shop();
  const { db, log } = server.service.context;
  const bad = await scan('https://shop.test/', DIRTY);
  await scan('https://shop.test/b', CLEAN);
  const old = { created_at: new Date(Date.now() - 31 * DAY) };
  await db('scanned_pages').where({ scan_id: bad }).update(old);
  expect((await told(client, token)).status).toBe('pass');
  await db('cookie_scans').where({ scan_id: bad }).update(old);
  await applyRetention(db, log, new Date());
  expect(await db('scanned_pages').where({ scan_id: bad })).toEqual([]);
  expect((await told(client, token)).status).toBe('pass');
});

test('scans of the version before are counted in their order, and until then nothing is called clean', async () => {
  const { client, token, scan } = await shop();
  const { db, log } = server.service.context;
  const bad = await scan('https://shop.test/', DIRTY);
  await scan('https://shop.test/', 'failed');
  const clean = await scan('https://shop.test/b', CLEAN);
  const older = (ids: string[]) => db('cookie_scans').whereIn('scan_id', ids).update({ counted: false });
  const forget = (ids: string[]) => db('scanned_pages').whereIn('scan_id', ids).delete();
  await older([bad]);
  await forget([bad]);
  expect(await told(client, token)).toMatchObject({
    status: 'unknown',
    evidence: 'scans from before an upgrade are still being counted',
  });
  await countScans(db, log);
  expect(await told(client, token)).toMatchObject({ status: 'fail', warnings: [{ subject_id: bad }] });
  // A newer one of the same page was counted before.
  const fixed = await scan('https://shop.test/', CLEAN);
  await older([bad, clean]);
  await countScans(db, log);
  expect((await told(client, token)).status).toBe('pass');
  expect(await db('scanned_pages').whereIn('scan_id', [bad, fixed]).pluck('scan_id')).toEqual([fixed]);
  // One that saw less was counted before the older one that saw all.
  const worse = await scan('https://shop.test/', DIRTY);
  await forget([worse]);
  await scan('https://shop.test/', { engine: 'http' });
  await older([worse]);
  await countScans(db, log);
  expect((await told(client, token)).status).toBe('fail');
  expect(await db('cookie_scans').where({ counted: false, state: 'done' })).toEqual([]);
});

test('a scan that nobody of the site started says nothing of its pages', async () => {
  const { client, token } = await shop();
  const { db } = server.service.context;
  const { scan_id } = await server.visitor.startCookieScan({ body: { url: 'https://shop.test/', token } });
  const claimed = await claimScan(db);
  if (claimed?.scan.scan_id !== scan_id) throw new Error('another scan was claimed');
  await settleScan(db, claimed, outcomeOf('https://shop.test/', DIRTY));
  expect(await db('scanned_pages').where({ scan_id })).toEqual([]);
  expect(await told(client, token)).toMatchObject({ status: 'unknown', warnings: [] });
});

test('of scans of strangers the newest are kept, those of members all', async () => {
  const { token, scan } = await shop();
  const { db } = server.service.context;
  const own = await scan('https://shop.test/', CLEAN);
  const stranger = async (n: number): Promise<string> => {
    const url = `https://stranger${n}.test/`;
    const { scan_id } = await server.visitor.startCookieScan({ body: { url } });
    const claimed = await claimScan(db);
    if (claimed?.scan.scan_id !== scan_id) throw new Error('another scan was claimed');
    expect(await settleScan(db, claimed, outcomeOf(url, CLEAN))).toBe(true);
    return scan_id;
  };
  const first = await stranger(1);
  const { rows: columns } = await db.raw(
    `SELECT string_agg(quote_ident(column_name), ', ') AS all FROM information_schema.columns
     WHERE table_name = 'cookie_scans' AND column_name NOT IN ('scan_id', 'created_at')`,
  );
  const { all } = columns[0];
  await db.raw(
    `INSERT INTO cookie_scans (scan_id, created_at, ${all}) SELECT gen_random_uuid(), created_at + interval '1 ms' * n, ${all}
     FROM cookie_scans, generate_series(1, ${STRANGERS_KEPT}) AS n WHERE scan_id = ?`,
    [first],
  );
  const last = await stranger(2);
  const kept: string[] = await db('cookie_scans').where({ by_member: false }).pluck('scan_id');
  expect(kept).toHaveLength(STRANGERS_KEPT);
  expect([kept.includes(first), kept.includes(last)]).toEqual([false, true]);
  expect(await db('cookie_scans').where({ scan_id: own }).pluck('site_token')).toEqual([token]);
});
