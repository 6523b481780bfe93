/** @jest-environment node */
import { randomUUID } from 'node:crypto';
import { dueDomains, proofsOf } from '../../server/src/db/domain-proofs';
import { EnvironmentRow } from '../../server/src/db/models';
import { EVERY } from '../../server/src/jobs';
import { checkDomains } from '../../server/src/jobs/domains';
import { html, type Pages, startPages } from '../helpers/browser/pages';
import { type NameServer, startNameServer } from '../helpers/net/name-server';
import { type Client, startServer, type TestServer } from '../helpers/server';
import { until } from '../helpers/until';

const DAY = 86_400_000;
let names: NameServer;
let pages: Pages;
let server: TestServer;
/** What a path of a host answers. */
const served = new Map<string, string | { to: string }>();
const texts: Record<string, string[]> = {};
beforeAll(async () => {
  names = await startNameServer({
    a: new Proxy({}, { get: (_, name) => (String(name).startsWith('_') ? undefined : ['127.0.0.1']) }),
    txt: texts,
    missing: /^_avow\./,
  });
  pages = await startPages((path, response, request) => {
    const answer = served.get(`${String(request.headers.host).split(':')[0]}${path}`);
    if (answer === undefined) response.writeHead(404).end('not here');
    else if (typeof answer === 'string') html(response, answer);
    else response.writeHead(302, { Location: answer.to }).end();
  });
  server = await startServer({
    variables: { DNS_SERVERS: names.address, SCAN_ALLOW_NETWORKS: '127.0.0.0/8', ROLE: 'api' },
  });
});
afterAll(async () => {
  await server.stop();
  await Promise.all([pages.stop(), names.stop()]);
});

/** A new site whose domain is served by this test. */
async function site() {
  const domain = `d${randomUUID()}.test`;
  const { client } = await server.person();
  const url = `http://${domain}:${pages.port}`;
  const { token } = await client.createEnvironment({ body: { name: 'Shop', domain, url } });
  return { client, token, domain };
}
type Site = Awaited<ReturnType<typeof site>>;
const check = ({ client, token, domain }: { client: Client; token: string; domain: string }) =>
  client.checkDomain({ token, body: { domain } });
const scriptOf = (token: string): string =>
  `<script src="https://consent.example/api/bundles/${token}.js"></script>`;

const PROOFS: [string, (site: Site) => void][] = [
  [
    'dns',
    ({ domain, token }) => {
      texts[`_avow.${domain}`] = ['v=spf1', `avow-site=${token}`];
    },
  ],
  [
    'file',
    ({ domain, token }) => void served.set(`${domain}/.well-known/avow-site.txt`, `\navow-site=${token}\n`),
  ],
  ['script', ({ domain, token }) => void served.set(`${domain}/`, `<p>Shop</p>${scriptOf(token)}`)],
  [
    'script',
    ({ domain, token }) => {
      served.set(`${domain}/`, { to: `http://www.${domain}:${pages.port}/` });
      served.set(
        `www.${domain}/`,
        `<script async src='//consent.example/api/bundles/${token}/abc.js'></script>`,
      );
    },
  ],
];

test.each(PROOFS)('a domain is proven by what it publishes itself: %s', async (method, publish) => {
  const one = await site();
  publish(one);
  expect(await check(one)).toMatchObject({ domain: one.domain, proven: true, method });
  expect(await server.visitor.verifyDomain({ domain: one.domain })).toMatchObject({
    verified: true,
    environment_token: one.token,
  });
});

/** Behind so many scripts, each of which is the page's own address. */
const LATE = '<script src="?"></script>'.repeat(9_000);

test.each([
  ['at a long address', 4_000, true],
  ['at one that is too long', 4_100, false],
])('a script behind thousands of others proves a domain, %s', async (_, length, proven) => {
  const one = await site();
  const path = `/${'a'.repeat(length - `http://${one.domain}:${pages.port}/`.length)}`;
  served.set(`${one.domain}/`, { to: path });
  served.set(`${one.domain}${path}`, LATE + scriptOf(one.token));
  expect(await check(one)).toMatchObject({ proven, method: proven ? 'script' : null });
  expect(pages.asked.includes(path)).toBe(proven);
});

test('what somebody else can publish proves nothing', async () => {
  const [one, other] = [await site(), await site()];
  const { domain, token } = one;
  // The token of another site, in text, in a comment, on another page, and behind a redirect elsewhere.
  served.set(
    `${domain}/`,
    `${token} <!-- ${scriptOf(token)} --> ${scriptOf(other.token)} <img src="/api/bundles/${token}.js">`,
  );
  served.set(`${domain}/forum`, scriptOf(token));
  served.set(`${domain}/.well-known/avow-site.txt`, { to: `http://${other.domain}:${pages.port}/mine.txt` });
  served.set(`${other.domain}/mine.txt`, `avow-site=${token}`);
  texts[`_avow.${domain}`] = [`avow-site=${other.token}`, `x avow-site=${token}`];
  expect(await check(one)).toMatchObject({ proven: false, method: null, proven_at: null });
  expect(await server.visitor.verifyDomain({ domain })).toMatchObject({ verified: false, claim: 'unproven' });
});

test('what to publish is told, and a domain is looked at once in ten seconds', async () => {
  const one = await site();
  const { items } = await one.client.listDomains({ token: one.token });
  expect(items).toEqual([
    expect.objectContaining({
      domain: one.domain,
      proven: false,
      checked_at: null,
      dns_name: `_avow.${one.domain}`,
      dns_value: `avow-site=${one.token}`,
      file_url: `https://${one.domain}/.well-known/avow-site.txt`,
    }),
  ]);
  const first = await check(one);
  const asked = pages.asked.length;
  expect(await check(one)).toEqual(first);
  expect(pages.asked.length).toBe(asked);
  await expect(check({ ...one, domain: 'other.example' })).rejects.toMatchObject({ status: 400 });
});

test('sites are looked at by themselves, once a day, and a proof that is still there goes on', async () => {
  const { db, log, proveDomain } = server.service.context;
  const one = await site();
  served.set(`${one.domain}/`, scriptOf(one.token));
  const mine = async () =>
    (await one.client.listDomains({ token: one.token })).items[0] as {
      proven: boolean;
      proven_until: string;
    };
  const at = (days: number) => new Date(Date.now() + days * DAY);
  const run = (days: number) => checkDomains(db, log, proveDomain, at(days));
  await db('environments').whereNot({ token: one.token }).update({ status: 'paused' });
  await run(0);
  expect(await mine()).toMatchObject({ proven: false, checked_at: null });
  await run(0.01);
  const first = await mine();
  expect(first).toMatchObject({ proven: true, method: 'script' });
  const asked = pages.asked.length;
  await run(0.5);
  expect(pages.asked.length).toBe(asked);
  await run(2);
  expect(Date.parse((await mine()).proven_until)).toBeGreaterThan(Date.parse(first.proven_until) + DAY);
  // The page is gone: the proof lasts for its time, and is not made longer.
  served.delete(`${one.domain}/`);
  const last = (await mine()).proven_until;
  await run(4);
  expect((await mine()).proven_until).toBe(last);
  expect(EVERY.domains).toBeLessThan(DAY);
});

test('of the domains that are due, proven ones come first, then those that have waited longest', async () => {
  const { db } = server.service.context;
  const now = new Date();
  const ago = (days: number) => new Date(now.getTime() - days * DAY);
  await db('environments').update({ status: 'paused' });
  const named = async (days: number | undefined, proven = false): Promise<string> => {
    const one = await site();
    const { id } = await db('environments').where({ token: one.token }).first('id');
    await db('environments')
      .where({ id })
      .update({ created_at: ago(9) });
    if (days === undefined) return one.domain;
    const proof = proven ? { method: 'dns', proven_at: ago(3), proven_until: ago(-20) } : {};
    await db('domain_proofs').insert({
      environment_id: id,
      domain: one.domain,
      checked_at: ago(days),
      ...proof,
    });
    return one.domain;
  };
  const two = await named(2);
  const four = await named(4);
  const three = await named(3);
  const never = await named(undefined);
  const proven = await named(2, true);
  await named(0.5);
  const due = async (limit: number) => (await dueDomains(db, now, limit)).map(({ domain }) => domain);
  expect(await due(10)).toEqual([proven, never, four, three, two]);
  expect(await due(3)).toEqual([proven, never, four]);
  await db('environments').update({ status: 'active' });
});

test('makers of sites take turns, so that the many new names of one delay nobody else’s', async () => {
  const { db } = server.service.context;
  const now = new Date();
  const ago = (days: number) => new Date(now.getTime() - days * DAY);
  await db('environments').update({ status: 'paused' });
  const many = await server.person();
  const theirs: string[] = [];
  for (let n = 0; n < 4; n += 1) {
    const domains = [0, 1, 2].map(() => `d${randomUUID()}.test`);
    const [domain = ''] = domains;
    const { token } = await many.client.createEnvironment({ body: { name: 'Many', domain, domains } });
    await db('environments')
      .where({ token })
      .update({ created_at: ago(9) });
    theirs.push(...domains);
  }
  const checked = async (days: number, proven: boolean) => {
    const one = await site();
    const { id } = await db('environments').where({ token: one.token }).first('id');
    await db('environments')
      .where({ id })
      .update({ created_at: ago(9) });
    const proof = proven ? { method: 'dns', proven_at: ago(3), proven_until: ago(-20) } : {};
    const row = { environment_id: id, domain: one.domain, checked_at: ago(days) };
    await db('domain_proofs').insert({ ...row, ...proof });
    return one.domain;
  };
  const [own, late] = [await checked(2, true), await checked(3, false)];
  const due = async (limit: number) => (await dueDomains(db, now, limit)).map(({ domain }) => domain);
  const [first, second, third, ...rest] = await due(100);
  expect([first, third]).toEqual([own, late]);
  expect([second, ...rest].sort()).toEqual(theirs.sort());
  await db('environments').update({ status: 'active' });
});

test('four domains are looked at for owners at a time, and whoever has waited too long is told when to come again', async () => {
  const { context } = server.service;
  let end = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    end = resolve;
  });
  let atWork = 0;
  let most = 0;
  const looks = jest.spyOn(context, 'proveDomain').mockImplementation(async () => {
    atWork += 1;
    most = Math.max(most, atWork);
    await gate;
    atWork -= 1;
    return undefined;
  });
  const sites = await Promise.all(Array.from({ length: 7 }, site));
  const checks = sites.map((one) =>
    check(one).then(
      () => 'looked at',
      (error) => error,
    ),
  );
  await until('three are told to come again', async () => {
    const now = await Promise.all(checks.map((one) => Promise.race([one, Promise.resolve('waits')])));
    return now.filter((one) => one !== 'waits').length === 3;
  });
  end();
  const answers = await Promise.all(checks);
  looks.mockRestore();
  const told = answers.filter((one) => one.status === 503);
  expect(told).toHaveLength(3);
  for (const error of told)
    expect([error.status, error.code, error.message]).toEqual([
      503,
      'unavailable',
      expect.stringContaining('try again shortly'),
    ]);
  expect(most).toBe(4);
});

test('an owner is warned of a domain that is not proven after a day, and of an earlier one whose time ends', async () => {
  const { db } = server.service.context;
  const one = await site();
  const codes = async () =>
    (await one.client.listWarnings({ token: one.token })).items
      .filter(({ code }) => code === 'domain_unproven')
      .map(({ severity, message }) => [severity, message.includes(one.domain)]);
  expect(await codes()).toEqual([]);
  await db('environments')
    .where({ token: one.token })
    .update({ created_at: new Date(Date.now() - 2 * DAY) });
  expect(await codes()).toEqual([['info', true]]);
  const { id } = await db('environments').where({ token: one.token }).first('id');
  const row = { environment_id: id, domain: one.domain };
  const until = { proven_at: new Date(), proven_until: new Date(Date.now() + 30 * DAY) };
  await db('domain_proofs').insert({ ...row, ...until, method: 'earlier' });
  expect(await codes()).toEqual([['warning', true]]);
  await db('domain_proofs').where(row).update({ method: 'dns' });
  expect(await codes()).toEqual([]);
});

test('what is known of domains that a site no longer has is not read', async () => {
  const one = await site();
  await check(one);
  const body = { domain: `d${randomUUID()}.test`, domains: [] };
  const { db } = server.service.context;
  const read = async () =>
    proofsOf(db, (await EnvironmentRow.query(db).findOne({ token: one.token })) as EnvironmentRow);
  expect(await read()).toHaveLength(1);
  await one.client.updateEnvironment({ token: one.token, body });
  expect(await read()).toEqual([]);
});
