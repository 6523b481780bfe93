/** @jest-environment node */
import { randomUUID } from 'node:crypto';
import { claimScan, settleScan } from '../../server/src/scan/claim';
import { nextScan } from '../../server/src/scan/next-scan';
import { html, loopbackNames, type Pages, startPages, untilScanned } from '../helpers/browser/pages';
import { type RawAnswer, raw } from '../helpers/http/raw';
import { startServer, type TestServer } from '../helpers/server';
import { until } from '../helpers/until';

const OPEN = { SCAN_ALLOW_NETWORKS: '127.0.0.0/8' };
let pages: Pages;
let api: TestServer;
beforeAll(async () => {
  pages = await startPages((path, response) => {
    if (path !== '/hang') html(response, 'fine');
  });
  // Takes scans and runs none.
  api = await startServer({ variables: { ...OPEN, ROLE: 'api', TRUST_PROXY: '1' } });
});
afterAll(async () => {
  await api.stop();
  await pages.stop();
});
beforeEach(() => api.service.context.db('cookie_scans').delete());

interface Sender {
  address?: string;
  bearer?: string;
  token?: string;
  key?: string;
}

const ask = (url: string, { address = '203.0.113.1', bearer, token, key }: Sender): Promise<RawAnswer> =>
  raw(api.url, {
    method: 'POST',
    path: '/api/public/cookie-scan',
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': address,
      ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
    },
    body: JSON.stringify({ url, token }),
  });
const statusOf = async (url: string, sender: Sender): Promise<number> => (await ask(url, sender)).status;

/** Somebody who has logged in, with a site on this domain if one is named. */
async function member(domain?: string): Promise<{ bearer: string; token?: string }> {
  const { client, userId } = await api.person();
  const { token: bearer } = await api.service.context.tokens.issue(userId);
  if (domain === undefined) return { bearer };
  return { bearer, token: (await client.createEnvironment({ body: { name: 'Shop', domain } })).token };
}

/** Accounts that the invitations of one made, and that one. */
async function group(count: number) {
  const people = await Promise.all(Array.from({ length: count }, () => api.person()));
  const { db, tokens } = api.service.context;
  const [first, ...others] = people.map(({ userId }) => userId);
  await db('users')
    .whereIn('id', others)
    .update({ sponsor_id: first as number });
  return Promise.all(people.map(async ({ userId }) => ({ bearer: (await tokens.issue(userId)).token })));
}

/** Claims everything that waits, one after the other, and tells the hosts in their order. */
async function order(): Promise<string[]> {
  const { db } = api.service.context;
  const hosts: string[] = [];
  for (;;) {
    const claimed = await claimScan(db);
    if (claimed === undefined) return hosts;
    hosts.push(new URL(claimed.scan.url).hostname);
    await settleScan(db, claimed, { error: 'over' });
  }
}

describe('turns', () => {
  test('members go before strangers, then people take turns, then their sites, the oldest first', async () => {
    const [many, other] = [await member(), await member()];
    const near = { address: '203.0.113.1' };
    const sent: [string, Sender][] = [
      ['near1.test', near],
      // One network, though another address of it.
      ['near2.test', { address: '203.0.113.2' }],
      ['near3.test', near],
      ['far.test', { address: '198.51.100.1' }],
      ['a.many.test', many],
      ['b.many.test', many],
      ['c.many.test', many],
      ['second.test', many],
      ['other1.test', other],
      ['other2.test', other],
    ];
    for (const [host, sender] of sent) expect(await statusOf(`http://${host}/`, sender)).toBe(202);
    expect(await order()).toEqual([
      ...['a.many.test', 'other1.test', 'second.test', 'other2.test', 'b.many.test', 'c.many.test'],
      ...['near1.test', 'far.test', 'near2.test', 'near3.test'],
    ]);
  });

  test('whoever had a turn before waits for who had none, in whichever process it was', async () => {
    const [many, other] = [await member(), await member()];
    for (const n of [1, 2, 3]) await ask(`http://many${n}.test/`, many);
    const { db } = api.service.context;
    const first = await claimScan(db);
    expect(first?.scan.url).toBe('http://many1.test/');
    await ask('http://late.test/', other);
    expect(await order()).toEqual(['late.test', 'many2.test', 'many3.test']);
  });

  test('accounts that one has made by invitations take one turn with it', async () => {
    const [one, two, three] = await group(3);
    for (const [n, sender] of [one, one, two, three].entries())
      await ask(`http://many${n}.test/`, sender as Sender);
    const other = await member();
    for (const n of [1, 2]) await ask(`http://other${n}.test/`, other);
    expect(await order()).toEqual([
      ...['many0.test', 'other1.test', 'many2.test', 'other2.test', 'many3.test', 'many1.test'],
    ]);
  });

  test('strangers whose pages never answer leave a place to members', async () => {
    const { db } = api.service.context;
    const page = (host: string, path: string) => `http://${host}:${pages.port}${path}`;
    const worker = await startServer({
      variables: OPEN,
      databaseUrl: api.databaseUrl,
      scan: { lookup: loopbackNames, engine: 'http', limits: { totalMs: 120_000 } },
    });
    try {
      for (const n of [1, 2, 3, 4])
        expect(await statusOf(page(`hang${n}.test`, '/hang'), { address: `203.0.${n}.1` })).toBe(202);
      const states = async () => (await db('cookie_scans').orderBy('created_at').pluck('state')) as string[];
      await until('one of them runs', async () => (await states()).includes('running'));
      const { json } = await ask(page('owner.test', '/'), await member());
      expect(await untilScanned(api, json.data.scan_id)).toMatchObject({ status: 'done' });
      expect((await states()).sort()).toEqual(['done', 'queued', 'queued', 'queued', 'running']);
    } finally {
      await worker.stop();
    }
  });

  test('a claim reads neither the scans that are over nor anybody’s whole history', async () => {
    const { db } = api.service.context;
    await db.raw(
      `INSERT INTO cookie_scans (scan_id, url, domain, registrable, requester, state, runs, created_at, started_at)
       SELECT gen_random_uuid(), 'http://x.test/', 'x.test', 'x.test', decode(md5((n % 100)::text), 'hex'), 'done', 1,
         now() - n * interval '1 minute', now() - n * interval '1 minute' FROM generate_series(1, 20000) AS n`,
    );
    await db.raw('ANALYZE cookie_scans');
    await ask('http://next.test/', {});
    const plan = await db.transaction(async (trx) => {
      const { sql, bindings } = nextScan(trx, new Date(), true).toKnexQuery().toSQL();
      const { rows } = await trx.raw(`EXPLAIN (FORMAT JSON) ${sql}`, bindings as string[]);
      return JSON.stringify(rows[0]);
    });
    // Each of the two holds what waits and runs, and nothing else.
    expect(plan).toMatch(/cookie_scans_(waiting|one_per_domain)/);
    expect(plan).toContain('cookie_scans_requester');
    expect(plan).not.toContain('Seq Scan');
  });
});

describe('what may wait', () => {
  /** So many scans of others. */
  const fill = (count: number, by_member: boolean) =>
    api.service.context.db('cookie_scans').insert(
      Array.from({ length: count }, (_, n) => ({
        ...{ scan_id: randomUUID(), url: 'http://x.test/', domain: `full${n}.test ${by_member}` },
        ...{ registrable: `full${n}.test`, by_member, state: 'queued', runs: 0, created_at: new Date() },
      })),
    );

  test('five of one network without a login, however many are sent at once', async () => {
    const own = (n: number) => ask(`http://own${n}.test/`, { address: `203.0.113.${n}` });
    const answers = await Promise.all(Array.from({ length: 9 }, (_, n) => own(n + 1)));
    // A database that is busy may refuse some with 503; none of them makes a sixth.
    for (const { status } of answers) expect([202, 429, 503]).toContain(status);
    for (let n = 20; n < 25; n += 1) await own(n);
    expect(await api.service.context.db('cookie_scans').pluck('state')).toEqual(Array(5).fill('queued'));
    const refused = await own(77);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('30');
    expect(refused.json).toMatchObject({
      message: '5 scans from your network are waiting: start more when some are over, or log in.',
      data: { code: 'rate_limited' },
    });
    expect(await statusOf('http://next.test/', { address: '203.0.114.1' })).toBe(202);
    expect(await statusOf('http://member.test/', { address: '203.0.113.1', ...(await member()) })).toBe(202);
    const six = (n: number, address: string) => statusOf(`http://six${n}.test/`, { address });
    for (let n = 0; n < 5; n += 1) expect(await six(n, `2001:db8:1:2:${n}::1`)).toBe(202);
    expect(await six(5, '2001:db8:1:2::99')).toBe(429);
    expect(await six(6, '2001:db8:1:3::99')).toBe(202);
    expect(await six(7, '::ffff:203.0.113.200')).toBe(429);
  });

  test('twenty of one block of networks without a login, whatever addresses of theirs they scan', async () => {
    const send = (n: number, url: string) => ask(url, { address: `2001:db8:5:${(n >> 2).toString(16)}::1` });
    for (let n = 0; n < 20; n += 1) expect((await send(n, `http://block${n}.test/`)).status).toBe(202);
    const refused = await send(20, 'http://block20.test/');
    expect(refused.status).toBe(429);
    expect(refused.json.message).toBe(
      '20 scans from your network and those beside it are waiting: start more when some are over, or log in.',
    );
    expect(await statusOf('http://block20.test/', { address: '2001:db8:6::1' })).toBe(202);
    // Of IPv4 a block is one network.
    for (const address of ['203.0.113.1', '203.0.114.1'])
      expect(await statusOf(`http://${address.replaceAll('.', '-')}.test/`, { address })).toBe(202);
  });

  test('three of the addresses of one block, which all cost its owner nothing', async () => {
    const send = (n: number, host: string) => ask(`http://${host}/`, { address: `198.51.${n}.1` });
    for (const n of [1, 2, 3]) {
      expect((await send(n, `[2a00:1450:4001:${n}::1]`)).status).toBe(202);
      expect((await send(n, `8.8.4.${n}`)).status).toBe(202);
    }
    for (const [host, said] of [
      ['[2a00:1450:4001:ff::1]', '3 scans of network 2a00:1450:4001 are waiting'],
      ['8.8.4.4', '3 scans of network 8.8.4 are waiting'],
    ] as const) {
      const refused = await send(4, host);
      expect([refused.status, refused.json.message]).toEqual([429, expect.stringContaining(said)]);
    }
    expect((await send(5, '[2a00:1450:4002::1]')).status).toBe(202);
    expect((await send(5, '8.8.5.4')).status).toBe(202);
  });

  test('the last places of strangers are for blocks of which few wait', async () => {
    await fill(83, false);
    const near = (n: number) => ask(`http://near${n}.test/`, { address: '2001:db8:7::1' });
    const far = (n: number) => statusOf(`http://far${n}.test/`, { address: `198.51.${n}.1` });
    for (const n of [1, 2]) expect((await near(n)).status).toBe(202);
    expect(await near(3)).toMatchObject({ status: 503, headers: { 'retry-after': '60' } });
    for (let n = 0; n < 15; n += 1) expect(await far(n)).toBe(202);
    expect(await far(15)).toBe(503);
  });

  test('twenty of one account', async () => {
    const [many, other] = [await member(), await member()];
    for (let n = 0; n < 20; n += 1) expect(await statusOf(`http://own${n}.test/`, many)).toBe(202);
    const refused = await ask('http://own20.test/', many);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('30');
    expect(refused.json.message).toBe(
      '20 scans of your account are waiting: start more when some of them are over.',
    );
    expect(await statusOf('http://other.test/', other)).toBe(202);
  });

  test('fifty of the accounts that one has made by invitations, the last of them for whoever has few', async () => {
    const people = await group(12);
    const begin = async (from: number, to: number, count: number) => {
      for (const [n, person] of people.slice(from, to).entries())
        for (let i = 0; i < count; i += 1)
          expect(await statusOf(`http://own${from + n}-${i}.test/`, person)).toBe(202);
    };
    await begin(1, 2, 20);
    await begin(2, 3, 15);
    const refused = await ask('http://more.test/', people[2] as Sender);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('30');
    expect(refused.json.message).toMatch(/^35 scans of your account, and of those that its invitations made/);
    await begin(3, 4, 2);
    expect(await statusOf('http://more.test/', people[3] as Sender)).toBe(429);
    await begin(4, 10, 2);
    await begin(10, 11, 1);
    expect(await statusOf('http://more.test/', people[11] as Sender)).toBe(429);
    // Whoever invited them.
    await begin(0, 1, 2);
    expect(await statusOf('http://more.test/', people[0] as Sender)).toBe(429);
    expect(await statusOf('http://other.test/', await member())).toBe(202);
  });

  test('accounts that are nobody’s yet have together what one group has', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => api.person()));
    const { db, tokens } = api.service.context;
    await db('users')
      .whereIn(
        'id',
        people.map(({ userId }) => userId),
      )
      .update({ was_claimed: true });
    const taken: number[] = [];
    for (const [n, { userId }] of people.entries()) {
      const { token: bearer } = await tokens.issue(userId);
      let count = 0;
      for (let i = 0; i < 8; i += 1)
        if ((await statusOf(`http://nobodys${n}-${i}.test/`, { bearer })) === 202) count += 1;
      taken.push(count);
    }
    expect(taken).toEqual([8, 8, 8, 8, 3, 2, 2, 2, 2, 2]);
    expect(await statusOf('http://other.test/', await member())).toBe(202);
  });

  test('strangers who fill their queue keep no member out; that of members is bounded too', async () => {
    await fill(100, false);
    const refused = await ask('http://full.test/', {});
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('60');
    expect(refused.json.message).toBe(
      'Too many scans without a login are waiting: try again later, or log in.',
    );
    await fill(199, true);
    const owner = await member();
    expect(await statusOf('http://full.test/', owner)).toBe(202);
    const last = await ask('http://more.test/', owner);
    expect(last.status).toBe(503);
    expect(last.headers['retry-after']).toBe('60');
    expect(last.json.message).toBe('Too many scans are waiting: try again later.');
  });

  test('three scans of strangers for a registrable domain, whatever its subdomains', async () => {
    const send = (host: string, n: number) => ask(`http://${host}/`, { address: `198.51.${n}.1` });
    for (const n of [1, 2, 3]) expect((await send(`x${n}.wild.co.uk`, n)).status).toBe(202);
    const refused = await send('x4.wild.co.uk', 4);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('30');
    expect(refused.json.message).toContain('3 scans of wild.co.uk and its subdomains are waiting');
    expect(await statusOf('http://x4.wild.co.uk/', await member())).toBe(202);
    // Each of these was registered by somebody else.
    for (const n of [5, 6, 7, 8]) expect((await send(`shop${n}.co.uk`, n)).status).toBe(202);
    for (const n of [9, 10, 11, 12]) expect((await send(`shop${n}.github.io`, n)).status).toBe(202);
    await order();
    expect((await send('x4.wild.co.uk', 4)).status).toBe(202);
  });
});

describe('scans of one domain', () => {
  const url = 'http://localhost/';

  test('one of strangers at a time, one of each site, one of each account: never one for the other', async () => {
    const owner = await member('localhost');
    const senders = [{}, owner, await member('localhost'), await member(), { ...owner, token: undefined }];
    for (const sender of senders as Sender[]) expect(await statusOf(url, sender)).toBe(202);
    for (const sender of [...senders, { address: '198.51.100.1' }] as Sender[]) {
      const refused = await ask(`${url}other`, sender);
      expect(refused.status).toBe(409);
      expect(refused.json.message).toBe(
        'A scan of localhost is waiting or running: start another one when it is over.',
      );
    }
  });

  test('the token of a site that is not theirs makes nobody’s scan one of the site', async () => {
    const owner = await member('localhost');
    const { token } = owner as { token: string };
    for (const sender of [{ token }, { ...(await member()), token }])
      expect(await statusOf(url, sender)).toBe(202);
    expect(await statusOf(url, owner)).toBe(202);
  });
});

test('an idempotency key of a stranger is known to their own network alone', async () => {
  const key = 'checkout-4711';
  const [mine, theirs] = [
    { key, address: '203.0.113.1' },
    { key, address: '198.51.100.1' },
  ];
  const first = await ask('http://key.test/', mine);
  expect(first.status).toBe(202);
  expect((await ask('http://key.test/', mine)).json.data).toEqual(first.json.data);
  const guessed = await ask('http://key.test/', theirs);
  expect(guessed.status).toBe(409);
  expect(guessed.text).not.toContain(first.json.data.scan_id);
  const another = await ask('http://another.test/', theirs);
  expect(another.status).toBe(202);
  expect((await ask('http://another.test/', mine)).status).toBe(409);
  const logged = await ask('http://key.test/', { ...mine, ...(await member()) });
  expect(logged.status).toBe(202);
  expect(logged.json.data.scan_id).not.toBe(first.json.data.scan_id);
});

test('no address is stored, in full or as a network', async () => {
  await ask('http://stored.test/', { address: '203.0.113.1', key: randomUUID() });
  const { db } = api.service.context;
  const stored = JSON.stringify([await db('cookie_scans'), await db('idempotency_keys')]);
  expect(stored).toContain('stored.test');
  expect(stored).not.toMatch(/203\.0/);
  const [row] = await db('cookie_scans');
  expect([row.requester.length, row.requester.includes('203.0.113')]).toEqual([32, false]);
});
