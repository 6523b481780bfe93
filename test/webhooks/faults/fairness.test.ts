import { createAvow } from '@avow/sdk';
import { checkedFetch } from '../../helpers/contract';
import { PASSWORD, type TestServer } from '../../helpers/server';
import { codeOf } from '../../helpers/site/people';
import { until } from '../../helpers/until';
import { decide, siteWithWebhooks, startService } from '../../helpers/webhooks/faults';
import { type Receiver, startReceiver } from '../../helpers/webhooks/receiver';

jest.setTimeout(120_000);

let server: TestServer;
let healthy: Receiver;
let dead: Receiver;
/** Requests that hang, by path, and those that ended, for whatever reason. */
let hanging: Map<string, number>;
let ended: number;
beforeEach(async () => {
  hanging = new Map();
  ended = 0;
  healthy = await startReceiver();
  dead = await startReceiver();
  dead.answer = ({ path }, response) => {
    hanging.set(path, (hanging.get(path) ?? 0) + 1);
    response.once('close', () => {
      ended += 1;
    });
  };
  server = await startService();
});
afterEach(async () => {
  await dead.stop();
  await healthy.stop();
  await server.stop();
});

const manyUrls = (count: number, name = 'of') =>
  Array.from({ length: count }, (_, n) => `${dead.url}/${name}/${n}`);
/** Requests of one name that hang now, all in their first attempt. */
const hangingOf = (name: string) => [...hanging.keys()].filter((path) => path.includes(`/${name}/`)).length;

test('a healthy webhook gets everything while the dead one of the same site hangs in its first attempt', async () => {
  const { token } = await siteWithWebhooks(server, [dead.url, healthy.url]);
  await decide(server, token, 40);
  await healthy.until(40);
  expect(ended).toBe(0);
  expect([...hanging.values()]).toEqual([1]);
});

test('forty dead webhooks hang as far as their site may, each with many events: a healthy one of another site gets everything meanwhile', async () => {
  const { token } = await siteWithWebhooks(server, manyUrls(40), ['consent.accept_all']);
  const other = await siteWithWebhooks(server, [healthy.url]);
  await decide(server, token, 10);
  await until('half of the places hang', () => hanging.size === 32);
  await decide(server, other.token, 40);
  await healthy.until(40);
  expect(ended).toBe(0);
  // One place for each, and half of all places for others.
  expect([...hanging.values()]).toEqual(Array(32).fill(1));
});

type Site = Awaited<ReturnType<TestServer['site']>>;

/** Very many webhooks of a site: copies of one, which make it known at the end. */
async function addWebhooks({ client, token }: Pick<Site, 'client' | 'token'>, [url = '', ...urls]: string[]) {
  const { webhook_id } = await client.createWebhook({ token, body: { url, events: '*' } });
  await server.service.context.db.raw(
    `INSERT INTO webhooks (webhook_id, environment_id, url, events, method, secret, status, consecutive_failures, created_at, updated_at)
     SELECT gen_random_uuid(), environment_id, another, events, method, secret, status, 0, created_at, updated_at
     FROM webhooks, unnest(?::text[]) AS another WHERE webhook_id = ?`,
    [urls, webhook_id],
  );
  await client.updateWebhook({ token, webhook_id, body: { description: 'One of many' } });
}

async function siteOfMany(urls: string[]): Promise<Site> {
  const site = await server.site();
  await addWebhooks(site, urls);
  return site;
}

/** Another site of the same account, with a webhook for each URL. */
async function anotherSite({ client }: Pick<Site, 'client'>, urls: string[]): Promise<string> {
  const body = { name: 'Another shop', domain: 'another.example.com' };
  const { token } = await client.createEnvironment({ body });
  await addWebhooks({ client, token }, urls);
  return token;
}

test('three hundred slow webhooks on three sites of one account leave room for everybody else', async () => {
  const owner = await siteOfMany(manyUrls(100, 'a'));
  const tokens = [owner.token, await anotherSite(owner, manyUrls(100, 'b'))];
  tokens.push(await anotherSite(owner, manyUrls(100, 'c')));
  const other = await siteWithWebhooks(server, [healthy.url]);
  for (const token of tokens) await decide(server, token, 2);
  // Three quarters of the places, shared by the sites.
  await until('the account has its part', () => hanging.size === 48);
  await decide(server, other.token, 20);
  await healthy.until(20);
  expect(ended).toBe(0);
  expect(hanging.size).toBe(48);
  for (const name of ['a', 'b', 'c']) expect(hangingOf(name)).toBeGreaterThan(0);
});

test('a healthy webhook of a small site gets everything while another site of the same account hangs', async () => {
  const owner = await siteOfMany(manyUrls(90));
  const token = await anotherSite(owner, [healthy.url]);
  await decide(server, owner.token, 2);
  await until('the site has its part', () => hanging.size === 32);
  await decide(server, token, 30);
  await healthy.until(30);
  expect(ended).toBe(0);
});

test('one account with very many failing webhooks keeps no other one from being tried again', async () => {
  const { db } = server.service.context;
  const owner = await siteOfMany(manyUrls(80));
  const other = await siteWithWebhooks(server, [healthy.url]);
  await db('webhooks').update({
    ...{ status: 'failing', consecutive_failures: 1, last_counted_at: new Date(), retry_at: new Date(0) },
  });
  // Failed longest ago: they are looked at first.
  await db('webhooks').where({ webhook_id: other.webhook_id }).update({ retry_at: new Date() });
  await decide(server, owner.token);
  await until('dead ones hang', () => hanging.size === 16);
  await decide(server, other.token, 3);
  await healthy.until(3);
  expect(ended).toBe(0);
  expect(hanging.size).toBe(16);
});

/** Somebody whom a member of a site has invited, with an account that the invitation made. */
async function invite({ client, token }: Pick<Site, 'client' | 'token'>, role: 'owner' | 'viewer') {
  const body = { email: `${role}-${Math.random()}@example.com`, role };
  const { invitation_url } = await client.addMember({ token, body });
  const accepted = { code: codeOf(invitation_url), password: PASSWORD };
  const session = await server.visitor.acceptInvitation({ body: accepted });
  const own = createAvow({ baseUrl: server.url, token: session.token, fetch: checkedFetch, retries: 0 });
  return { client: own, userId: session.user.id };
}

test('whom an account has invited, also after their removal, takes half of what it may have: its own gets everything meanwhile', async () => {
  const owner = await siteWithWebhooks(server, [healthy.url]);
  const invited = await invite(owner, 'viewer');
  await owner.client.removeMember({ token: owner.token, user_id: invited.userId });
  const tokens: string[] = [];
  for (const name of ['a', 'b', 'c']) tokens.push(await anotherSite(invited, manyUrls(30, name)));
  for (const token of tokens) await decide(server, token, 3);
  await until('the invited account has its part', () => hanging.size >= 24);
  await decide(server, owner.token, 40);
  await healthy.until(40);
  expect(ended).toBe(0);
  expect(hanging.size).toBe(24);
  for (const name of ['a', 'b', 'c']) expect(hangingOf(name)).toBeGreaterThan(0);
});

test('whom invited accounts have invited takes half of theirs, and the others get everything meanwhile', async () => {
  const owner = await siteWithWebhooks(server, [dead.url]);
  const invited = await invite(owner, 'owner');
  const further = await invite({ client: invited.client, token: owner.token }, 'viewer');
  const token = await anotherSite(invited, [healthy.url]);
  const slow = [await anotherSite(further, manyUrls(30, 'a')), await anotherSite(further, manyUrls(30, 'b'))];
  for (const one of slow) await decide(server, one, 3);
  await until('they have their part', () => hanging.size >= 12);
  await decide(server, token, 40);
  await healthy.until(40);
  expect(ended).toBe(0);
  expect(hanging.size).toBe(12);
});

test('failing webhooks of an invited account leave the failing ones of who invited it their part', async () => {
  const { db } = server.service.context;
  const owner = await siteWithWebhooks(server, [healthy.url]);
  const invited = await invite(owner, 'viewer');
  const tokens = [
    await anotherSite(invited, manyUrls(30, 'a')),
    await anotherSite(invited, manyUrls(30, 'b')),
    await anotherSite(invited, manyUrls(30, 'c')),
  ];
  await db('webhooks').update({
    ...{ status: 'failing', consecutive_failures: 1, last_counted_at: new Date(), retry_at: new Date(0) },
  });
  await db('webhooks').where({ webhook_id: owner.webhook_id }).update({ retry_at: new Date() });
  for (const token of tokens) await decide(server, token);
  await until('dead ones hang', () => hanging.size >= 12);
  await decide(server, owner.token, 3);
  await healthy.until(3);
  expect(ended).toBe(0);
  expect(hanging.size).toBe(12);
});

test('a quick receiver of one of many sites of an account goes before slow ones of others as places come free', async () => {
  const owner = await siteWithWebhooks(server, [healthy.url]);
  for (let n = 0; n < 7; n += 1) {
    const token = await anotherSite(owner, manyUrls(20, `${n}`));
    await decide(server, token, 3);
  }
  await until('the account has its part', () => hanging.size >= 48);
  expect(hanging.size).toBe(48);
  await decide(server, owner.token, 10);
  // Each that ends makes room: had all sites the same turns, the eighth would get one of seven.
  await healthy.until(10);
  expect(hanging.size - 48).toBeLessThanOrEqual(30);
});
