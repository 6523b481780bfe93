import { randomUUID } from 'node:crypto';
import { FairTurns } from '../../server/src/domain/fair-turns';
import { inTurn, known as knownBy, stranger } from '../../server/src/security/login-turns';
import { post } from '../helpers/http/raw';
import { PASSWORD, useServer } from '../helpers/server';
import { codeOf } from '../helpers/site/people';
import { until } from '../helpers/until';

const server = useServer({ variables: { TRUST_PROXY: '1', ROLE: 'api' } });

/** The networks of a block, each with one address. */
const networksOf = (block: string, count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, n) => `${block}:${(from + n).toString(16)}::1`);

const attempt = (email: string, address: string, password = 'wrong') =>
  post(server.url, '/api/auth/console', { email, password }, { 'X-Forwarded-For': address });

/** What strangers from these addresses are told, each with an account of its own. */
async function tries(addresses: readonly string[]): Promise<[status: number, waits: boolean][]> {
  const answers = await Promise.all(addresses.map((one) => attempt(`${randomUUID()}@example.com`, one)));
  return answers.map(({ status, headers }) => [status, Number(headers['retry-after']) > 0]);
}

/** Strangers from these addresses wait to be hashed for, and nothing of theirs is done until `end`. */
function flood(addresses: readonly string[]) {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const begin = (address: string) => inTurn(stranger(address), () => gate);
  const all = Promise.allSettled(['2001:db8:fff1::1', '2001:db8:fff2::1', ...addresses].map(begin));
  return {
    end: () => {
      open();
      return all;
    },
  };
}

/** Begins a login of somebody's from a new network; resolves when it waits for its hash. */
async function begin(email: string, address: string) {
  const entered = jest.spyOn(FairTurns.prototype, 'take');
  const answer = attempt(email, address, PASSWORD);
  const block = address.split(':').slice(0, 3).join(':');
  // Once to look who it is, once to hash.
  await until('it waits', () => entered.mock.calls.filter(([[from]]) => from === block).length === 2);
  entered.mockRestore();
  return { answer };
}

beforeEach(() => server.service.context.db('login_failures').delete());

test('while the networks of one block flood, known people go on, and a new one comes next', async () => {
  const [{ email, client }, newcomer, site] = await Promise.all([
    server.person(),
    server.person(),
    server.site(),
  ]);
  const home = '2001:db8:b:1::1';
  expect((await attempt(email, home, PASSWORD)).status).toBe(200);
  const body = { email: `${randomUUID()}@example.com`, role: 'viewer' as const };
  const { invitation_url } = await site.client.addMember({ token: site.token, body });
  // A hundred of a block may wait.
  const { end } = flood(networksOf('2001:db8:b', 100, 16));
  expect(await tries(networksOf('2001:db8:b', 20, 256))).toEqual(Array(20).fill([429, true]));
  expect((await attempt(email, home, PASSWORD)).status).toBe(200);
  await client.changePassword({ body: { current_password: PASSWORD, new_password: 'staple horse correct' } });
  const code = codeOf(invitation_url);
  await server.visitor.acceptInvitation({ body: { code, password: PASSWORD } });
  const { answer } = await begin(newcomer.email, '2001:db8:c:1::1');
  await end();
  expect((await answer).status).toBe(200);
});

test('while many blocks flood, what waits is bounded, and known people go on', async () => {
  const [{ email }, newcomer] = await Promise.all([server.person(), server.person()]);
  const home = '203.0.113.50';
  expect((await attempt(email, home, PASSWORD)).status).toBe(200);
  const blocks = Array.from({ length: 5 }, (_, n) => `2001:db8:d${n}`);
  // Four hundred may wait in all.
  const { end } = flood(blocks.flatMap((block) => networksOf(block, 80)));
  const more = blocks.flatMap((block) => networksOf(block, 2, 256));
  expect(await tries(more)).toEqual(Array(10).fill([503, true]));
  expect((await attempt(email, home, PASSWORD)).status).toBe(200);
  // Another block still has a place, and one of those that have the most loses one.
  const { answer } = await begin(newcomer.email, '2001:db8:c:2::1');
  const refused = (await end()).filter(({ status }) => status === 'rejected');
  expect([(await answer).status, refused.length]).toEqual([200, 1]);
});

test('one account that is tried from its own network without end keeps no other known one waiting', async () => {
  const [busy, email] = [await server.person(), (await server.person()).email];
  const home = '203.0.113.60';
  for (const one of [busy.email, email]) expect((await attempt(one, home, PASSWORD)).status).toBe(200);
  const order: string[] = [];
  const crowd = Array.from({ length: 40 }, () =>
    attempt(busy.email, home, PASSWORD).then(({ status }) => order.push(`busy ${status}`)),
  );
  await until('it is at work', () => order.length > 0);
  await attempt(email, home, PASSWORD).then(({ status }) => order.push(`other ${status}`));
  expect(order.length).toBeLessThan(30);
  expect(order.at(-1)).toBe('other 200');
  await Promise.all(crowd);
});

test('while a new password is hashed, and the present one checked, no connection is held', async () => {
  const { client } = await server.person();
  const { pool } = server.service.context.db.client;
  const held: number[] = [];
  const { take } = FairTurns.prototype;
  const turns = jest.spyOn(FairTurns.prototype, 'take').mockImplementation(function (
    this: FairTurns,
    sender,
    work,
  ) {
    return take.call(this, sender, async () => {
      held.push(pool.numUsed());
      return work();
    });
  } as typeof take);
  await client.changePassword({ body: { current_password: PASSWORD, new_password: 'staple horse correct' } });
  turns.mockRestore();
  // The look-ups of the session, the request itself, in the account's turn and its group's, and each of the two hashes.
  expect(held.length).toBeGreaterThanOrEqual(5);
  expect(new Set(held)).toEqual(new Set([0]));
});

/** The turns of known people are taken until `end`; tells whose addresses had theirs, in their order. */
function known() {
  const began: string[] = [];
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const waiting: string[] = [];
  const { take } = FairTurns.prototype;
  const turns = jest.spyOn(FairTurns.prototype, 'take').mockImplementation(function (
    this: FairTurns,
    sender,
    work,
  ) {
    const address = sender.at(-1) as string;
    if (!/@|^links of/.test(address)) return take.call(this, sender, work);
    waiting.push(address);
    return take.call(this, sender, async () => {
      began.push(address);
      return address.endsWith('@gate') ? gate : work();
    });
  } as typeof take);
  const taken = Promise.all(['a@gate', 'b@gate'].map((one) => inTurn(knownBy(undefined, one), () => gate)));
  return {
    began,
    /** Resolves when something of this address waits for its turn. */
    waits: (who: string, times = 1) =>
      until('it waits', () => waiting.filter((one) => one === who).length >= times),
    async end() {
      open();
      await taken;
      turns.mockRestore();
    },
  };
}

test('whoever has made a thousand links or accounts takes one turn with them', async () => {
  const [site, { email }] = [await server.site(), await server.person()];
  const home = '203.0.113.70';
  const invite = async () => {
    const address = `${randomUUID()}@example.com`;
    const body = { email: address, role: 'viewer' as const };
    const { invitation_url } = await site.client.addMember({ token: site.token, body });
    return { email: address, code: codeOf(invitation_url) };
  };
  const made = await invite();
  await server.visitor.acceptInvitation({ body: { code: made.code, password: PASSWORD } });
  for (const one of [made.email, email]) expect((await attempt(one, home, PASSWORD)).status).toBe(200);
  const links = [await invite(), await invite(), await invite(), await invite()];
  const linksOfOwner = `links of ${site.userId}`;
  const lane = known();
  const answers: Promise<{ status: number }>[] = [];
  for (const [at, link] of links.entries()) {
    const body = { code: link.code, password: PASSWORD };
    answers.push(post(server.url, '/api/auth/accept-invitation', body, { 'X-Forwarded-For': home }));
    await lane.waits(linksOfOwner, at + 1);
  }
  for (const one of [made.email, email]) {
    answers.push(attempt(one, home, PASSWORD));
    await lane.waits(one);
  }
  await lane.end();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([201, 201, 201, 201, 200, 200]);
  const order = lane.began.slice(2);
  expect(order).toHaveLength(6);
  // Two at once: the one of somebody else is in the first pair, and a colleague's before the second of the links.
  expect(order.slice(0, 2)).toContain(email);
  expect(order.slice(0, 4)).toContain(made.email);
});
