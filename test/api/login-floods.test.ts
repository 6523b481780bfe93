import { randomUUID } from 'node:crypto';
import { FairTurns } from '../../server/src/security/fair-turns';
import { inTurn, stranger } from '../../server/src/security/login-turns';
import { PASSWORD, useServer } from '../helpers/server';
import { until } from '../helpers/until';

const server = useServer({ variables: { TRUST_PROXY: '1', ROLE: 'api' } });

/** Not by the helper that checks answers: it opens 64 connections, and a flood needs more. */
async function attempt(email: string, address: string, password = 'wrong') {
  const answer = await fetch(`${server.url}/api/auth/console`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
    body: JSON.stringify({ email, password }),
  });
  await answer.arrayBuffer();
  return { status: answer.status, wait: Number(answer.headers.get('retry-after')) };
}

/** As if a block had failed so often that its next try waits. */
async function failedBefore(blocks: readonly string[]): Promise<void> {
  const { db, vault } = server.service.context;
  const rows = blocks.map((block) => ({
    who: vault.fingerprint('login block', block),
    ...{
      failures: 500,
      wait_until: new Date(Date.now() + 60_000),
      window_end: new Date(Date.now() + 900_000),
    },
  }));
  await db('login_failures').insert(rows).onConflict('who').merge();
}

/**
 * Strangers who try accounts from many networks of some blocks while nothing of theirs is done, so that all of
 * it waits; `end` lets it go on.
 */
async function flood(blocks: readonly string[], each: number) {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const atWork = [1, 2].map((n) => inTurn(stranger(`2001:db8:fff${n}::1`), () => gate));
  const entered = jest.spyOn(FairTurns.prototype, 'take');
  const senders = () => entered.mock.calls.map(([sender]) => sender[0]);
  const tries = blocks.flatMap((block) =>
    Array.from({ length: each }, (_, n) =>
      attempt(`${randomUUID()}@example.com`, `${block}:${n.toString(16)}::1`),
    ),
  );
  // Once to look who it is, once to hash.
  await until(
    'all of them wait',
    () => senders().filter((one) => blocks.includes(one)).length === 2 * tries.length,
  );
  entered.mockRestore();
  const end = async () => {
    // None of it is worth a hash of this test.
    await failedBefore(blocks);
    open();
    await Promise.all(atWork);
    return Promise.all(tries);
  };
  return { end };
}

const counted = (answers: { status: number }[], status: number): number =>
  answers.filter((one) => one.status === status).length;

/** With 429, or 503 where too much waited or it took too long, and how long to wait. */
function allRefused(answers: { status: number; wait: number }[]): void {
  expect(counted(answers, 429) + counted(answers, 503)).toBe(answers.length);
  for (const { wait } of answers) expect(wait).toBeGreaterThan(0);
}

beforeEach(() => server.service.context.db('login_failures').delete());

test('while the networks of one block flood, known owners log in, change passwords and accept, and a new one comes next', async () => {
  const [{ email, client }, newcomer, guest] = await Promise.all([
    server.person(),
    server.person(),
    server.site(),
  ]);
  const home = '2001:db8:a:1::1';
  expect((await attempt(email, home, PASSWORD)).status).toBe(200);
  const { invitation_url } = await guest.client.addMember({
    token: guest.token,
    body: { email: `${randomUUID()}@example.com`, role: 'viewer' },
  });
  // One block may have a hundred waiting.
  const { end } = await flood(['2001:db8:b'], 130);
  expect((await attempt(email, home, PASSWORD)).status).toBe(200);
  await client.changePassword({ body: { current_password: PASSWORD, new_password: 'staple horse correct' } });
  const code = invitation_url?.split('#')[1] as string;
  await server.visitor.acceptInvitation({ body: { code, password: PASSWORD } });
  const entered = jest.spyOn(FairTurns.prototype, 'take');
  const elsewhere = attempt(newcomer.email, '2001:db8:c:1::1', PASSWORD);
  await until(
    'the newcomer waits',
    () => entered.mock.calls.filter(([[block]]) => block === '2001:db8:c').length === 2,
  );
  entered.mockRestore();
  const answers = await end();
  expect((await elsewhere).status).toBe(200);
  allRefused(answers);
  expect(counted(answers, 429)).toBeGreaterThanOrEqual(30);
});

test('while many blocks flood, what waits is bounded, and known owners log in', async () => {
  const { email } = await server.person();
  const home = '203.0.113.50';
  expect((await attempt(email, home, PASSWORD)).status).toBe(200);
  const blocks = Array.from({ length: 6 }, (_, n) => `2001:db8:d${n}`);
  const { end } = await flood(blocks, 80);
  expect((await attempt(email, home, PASSWORD)).status).toBe(200);
  const answers = await end();
  allRefused(answers);
  // Four hundred may wait in all.
  expect(counted(answers, 503)).toBeGreaterThanOrEqual(80);
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
  expect(held).toEqual([0, 0]);
});
