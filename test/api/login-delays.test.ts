import { randomUUID } from 'node:crypto';
import { clock } from '../../server/src/domain/clock';
import { DELAY_RULES, stillCounted, waitOf, withOneMore } from '../../server/src/domain/login-delays';
import { HeldRefusals } from '../../server/src/security/held-refusals';
import { LoginLimit } from '../../server/src/security/login-limit';
import { waitingForLocks } from '../helpers/cluster/instruments';
import { post } from '../helpers/http/raw';
import { PASSWORD, useServer } from '../helpers/server';
import { until } from '../helpers/until';

const server = useServer({ variables: { TRUST_PROXY: '1' } });

const LOGIN = '/api/auth/console';
const newEmail = () => `${randomUUID()}@example.com`;
const attempt = (email: string, address: string, password = 'wrong') =>
  post(server.url, LOGIN, { email, password }, { 'X-Forwarded-For': address });
/** Sets the clock of this process forward for one call. */
async function later<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  const now = jest.spyOn(clock, 'now').mockReturnValue(Date.now() + ms);
  const date = jest.spyOn(clock, 'date').mockReturnValue(new Date(Date.now() + ms));
  try {
    return await work();
  } finally {
    now.mockRestore();
    date.mockRestore();
  }
}

beforeEach(() => server.service.context.db('login_failures').delete());

/** As if these networks had failed before, so that a test needs no hundred hashes. */
const failedBefore = (who: Buffer, failures: number) =>
  server.service.context
    .db('login_failures')
    .insert({ who, failures, window_end: new Date(Date.now() + 900_000) })
    .onConflict('who')
    .merge();
const fingerprint = (...parts: string[]) => server.service.context.vault.fingerprint(...parts);

test('a guesser who changes the address within an IPv6 network of 64 bits is one guesser', async () => {
  const { email } = await server.person();
  for (let i = 1; i <= 10; i += 1)
    expect((await attempt(email, `2001:db8:1:2::${i.toString(16)}`)).status).toBe(401);
  expect((await attempt(email, '2001:db8:1:2:ffff::1', PASSWORD)).status).toBe(429);
  expect((await attempt(email, '2001:db8:1:3::1', PASSWORD)).status).toBe(200);
});

test('each further failure waits twice as long, and whoever waits is not kept waiting longer', async () => {
  const { email } = await server.person();
  const address = '203.0.113.20';
  await failedBefore(fingerprint('login', email, address), 9);
  const waits: number[] = [];
  let passed = 0;
  for (let round = 0; round < 3; round += 1) {
    expect((await later(passed, () => attempt(email, address))).status).toBe(401);
    const refused = await later(passed, () => attempt(email, address));
    const same = await later(passed, () => attempt(email, address));
    expect([refused.status, same.status]).toEqual([429, 429]);
    waits.push(Number(refused.headers['retry-after']));
    expect(Number(same.headers['retry-after'])).toBeLessThanOrEqual(waits.at(-1) as number);
    passed += (waits.at(-1) as number) * 1000 + 1000;
  }
  expect(waits.map((wait) => Math.round(wait / 60))).toEqual([1, 2, 4]);
});

test('one network that tries many accounts waits; another one does not', async () => {
  await failedBefore(fingerprint('login network', '2001:db8:9:9'), 49);
  expect((await attempt(newEmail(), '2001:db8:9:9::1')).status).toBe(401);
  const { email } = await server.person();
  expect((await attempt(email, '2001:db8:9:9::2', PASSWORD)).status).toBe(429);
  expect((await attempt(email, '2001:db8:9:a::2', PASSWORD)).status).toBe(200);
  // Who always comes from there is not kept out by others, as behind one proxy.
  await failedBefore(fingerprint('login network', '2001:db8:9:a'), 60);
  await attempt(newEmail(), '2001:db8:9:a::3');
  expect((await attempt(newEmail(), '2001:db8:9:a::3')).status).toBe(429);
  expect((await attempt(email, '2001:db8:9:a::4', PASSWORD)).status).toBe(200);
});

test('an account that is guessed from everywhere waits for strangers, and never for a network that it knows', async () => {
  const { email } = await server.person();
  expect((await attempt(email, '192.0.2.1', PASSWORD)).status).toBe(200);
  await failedBefore(fingerprint('login account', email), 60);
  expect((await attempt(email, '198.51.100.1')).status).toBe(401);
  const stranger = await attempt(email, '198.51.100.2', PASSWORD);
  expect(stranger.status).toBe(429);
  expect(Number(stranger.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect((await attempt(email, '192.0.2.1', PASSWORD)).status).toBe(200);
  const { email: other } = await server.person();
  expect((await attempt(other, '198.51.100.2', PASSWORD)).status).toBe(200);
});

test('the networks of one block of 48 bits are counted together; known ones and other blocks go on', async () => {
  const { email } = await server.person();
  expect((await attempt(email, '2001:db8:48:1::1', PASSWORD)).status).toBe(200);
  await failedBefore(fingerprint('login block', '2001:db8:48'), 230);
  expect((await attempt(newEmail(), '2001:db8:48:aaaa::1')).status).toBe(401);
  const refused = await attempt(newEmail(), '2001:db8:48:bbbb::1');
  expect([refused.status, refused.json.data.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await attempt(email, '2001:db8:48:1::2', PASSWORD)).status).toBe(200);
  expect((await attempt(email, '2001:db8:49:1::1', PASSWORD)).status).toBe(200);
  // What must wait leaves no rows: a flood of it fills no table.
  const before = await server.service.context.db('login_failures').count();
  await attempt(newEmail(), '2001:db8:48:cccc::1');
  expect(await server.service.context.db('login_failures').count()).toEqual(before);
});

/** What an answer tells: everything but the time of day and the name of the request. */
function told({ status, headers, json }: Awaited<ReturnType<typeof attempt>>) {
  const { date: _, 'x-request-id': _id, ...others } = headers;
  const { request_id: _same, ...data } = json.data;
  return JSON.stringify({ status, others, json: { ...json, data } });
}

describe('where strangers must wait, nobody who shares the network can tell who logs in from there', () => {
  const network = '2001:db8:77:1';
  let email: string;
  beforeEach(async () => {
    ({ email } = await server.person());
    await server.service.context.db('login_networks').delete();
    expect((await attempt(email, `${network}::1`, PASSWORD)).status).toBe(200);
  });
  /** As if others had failed until everybody else must wait so long. */
  const crowd = async (who: Buffer, ms = 300_000) => {
    await failedBefore(who, 300);
    const until = { wait_until: new Date(Date.now() + ms), window_end: new Date(Date.now() + 1_200_000) };
    await server.service.context.db('login_failures').where({ who }).update(until);
  };
  /** At one instant, so that the seconds to wait are the same. */
  const both = (address = `${network}::5`) =>
    later(0, async () => [await attempt(email, address), await attempt(newEmail(), address)] as const);

  test.each([
    ['the network', () => fingerprint('login network', network)],
    ['the block', () => fingerprint('login block', '2001:db8:77')],
  ])('%s waits: a wrong password is refused as a stranger is, the right one lets in', async (_, who) => {
    await crowd(who());
    const [wrong, unknown] = await both();
    expect([wrong.status, wrong.json.data.code]).toEqual([429, 'rate_limited']);
    expect(Number(wrong.headers['retry-after'])).toBeGreaterThan(200);
    expect(told(wrong)).toBe(told(unknown));
    expect((await attempt(email, `${network}::5`, PASSWORD)).status).toBe(200);
  });

  test('the account waits: the same', async () => {
    await crowd(fingerprint('login account', email));
    const other = newEmail();
    await crowd(fingerprint('login account', other));
    const [wrong, unknown] = await later(0, async () => [
      await attempt(email, `${network}::5`),
      await attempt(other, `${network}::5`),
    ]);
    expect(wrong.status).toBe(429);
    expect(told(wrong)).toBe(told(unknown as typeof wrong));
    expect((await attempt(email, `${network}::5`, PASSWORD)).status).toBe(200);
  });

  test('both are kept until the same time after their requests', async () => {
    const wait = jest.spyOn(HeldRefusals.prototype, 'wait');
    await both();
    expect(wait).not.toHaveBeenCalled();
    await crowd(fingerprint('login network', network));
    await both();
    expect(wait.mock.calls.map(([sender]) => sender)).toEqual(
      Array(2).fill(['2001:db8:77', '2001:db8:77:1']),
    );
    await attempt(email, `${network}::5`, PASSWORD);
    expect(wait).toHaveBeenCalledTimes(2);
    wait.mockRestore();
  });

  test('guesses are bounded there, and what was guessed is not seen when the wait is over', async () => {
    const who = fingerprint('login network', network);
    await crowd(who);
    const { pair } = DELAY_RULES;
    const hashes = jest.spyOn(LoginLimit.prototype, 'take');
    const answers = await Promise.all(
      Array.from({ length: pair.free + 4 }, () => attempt(email, `${network}::5`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(pair.free + 4).fill(429));
    expect(hashes.mock.calls.length).toBeGreaterThanOrEqual(pair.free);
    hashes.mockRestore();
    // The wait for the account's own guesses does not show beside the network's longer or shorter one.
    await server.service.context
      .db('login_failures')
      .where({ who })
      .update({ wait_until: new Date(Date.now() + 40_000) });
    const [wrong, unknown] = await both();
    expect(told(wrong)).toBe(told(unknown));
    expect(Number(wrong.headers['retry-after'])).toBeLessThanOrEqual(40);
    // Even the right password: ten guesses are ten guesses.
    expect((await attempt(email, `${network}::5`, PASSWORD)).status).toBe(429);
    await server.service.context.db('login_failures').where({ who }).delete();
    expect((await both()).map(({ status }) => status)).toEqual([401, 401]);
  });

  test('failures of a known account count for its network as any other', async () => {
    const counts = () =>
      server.service.context
        .db('login_failures')
        .whereIn('who', [fingerprint('login network', network), fingerprint('login block', '2001:db8:77')])
        .pluck('failures');
    await attempt(email, `${network}::5`);
    expect(await counts()).toEqual([1, 1]);
    await attempt(newEmail(), `${network}::5`);
    expect(await counts()).toEqual([2, 2]);
    await attempt(email, `${network}::5`, PASSWORD);
    expect(await counts()).toEqual([2, 2]);
  });
});

test('a login that succeeds counts as no failure of its network', async () => {
  const { email } = await server.person();
  const who = fingerprint('login network', '192.0.2.77');
  await attempt(email, '192.0.2.77');
  await attempt(email, '192.0.2.77', PASSWORD);
  const [row] = await server.service.context.db('login_failures').where({ who });
  expect(row.failures).toBe(1);
});

test('a success takes back its own try from network, block and account, and no failure of others', async () => {
  const { email } = await server.person();
  const [network, block] = ['2001:db8:f0:1', '2001:db8:f0'];
  const counted = [
    fingerprint('login network', network),
    fingerprint('login block', block),
    fingerprint('login account', email),
  ];
  for (const who of counted) await failedBefore(who, 7);
  await attempt(email, `${network}::1`);
  expect((await attempt(email, `${network}::1`, PASSWORD)).status).toBe(200);
  const rows = await server.service.context.db('login_failures').whereIn('who', counted).pluck('failures');
  expect(rows).toEqual([8, 8, 8]);
  const pair = fingerprint('login', email, network);
  expect(await server.service.context.db('login_failures').where({ who: pair })).toEqual([]);
});

test('a success holds no count while it waits for another one', async () => {
  const { db } = server.service.context;
  const { email } = await server.person();
  const address = '192.0.2.88';
  const both = [fingerprint('login network', address), fingerprint('login account', email)];
  for (const held of both) {
    const limit = new LoginLimit(server.service.context, email, address);
    await db('login_networks').delete();
    await limit.take();
    const other = await db.transaction();
    await other('login_failures').where({ who: held }).forUpdate();
    const forgiven = limit.forgive();
    await until('it waits for the count', async () => (await waitingForLocks(server.databaseUrl)) > 0);
    const free = both.filter((who) => who !== held);
    expect(await other('login_failures').whereIn('who', free).forUpdate().noWait()).toHaveLength(1);
    await other.commit();
    await forgiven;
  }
});

test('no wait is longer than its rule allows, however many failures there were, and a wrong clock sets none', () => {
  for (const rule of Object.values(DELAY_RULES)) {
    let counted = stillCounted(undefined, 0, 0);
    for (let i = 0; i < 2_000; i += 1) counted = withOneMore(counted, rule, 0);
    expect(waitOf(counted, 0)).toBe(rule.longest);
  }
  const far = { failures: 99, waitUntil: new Date(9e12), windowEnd: new Date(9e12) };
  expect(stillCounted(far, 0, 60_000)).toMatchObject({ failures: 0, waitUntil: null });
});
