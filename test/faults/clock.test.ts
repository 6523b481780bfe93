import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createAvow } from '@avow/sdk';
import { dsarDueAt } from '../../server/src/domain/deadlines';
import { EVERY } from '../../server/src/jobs';
import { cloneDatabase } from '../helpers/database';
import { endChildren, runToEnd, ServerProcess } from '../helpers/processes/child';
import { query } from '../helpers/processes/evidence';
import { PASSWORD } from '../helpers/server';
import { until } from '../helpers/until';
import { INWARD, type Receiver, startReceiver } from '../helpers/webhooks/receiver';

jest.setTimeout(120_000);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const folder = mkdtempSync(join(tmpdir(), 'avow-clock-'));
const file = join(folder, 'offset');
const SKEWED = {
  NODE_OPTIONS: `--require=${join(__dirname, '..', 'helpers', 'wall-clock.cjs')}`,
  WALL_CLOCK_FILE: file,
};
let database: Awaited<ReturnType<typeof cloneDatabase>>;
/** Its clock is right, and it has no jobs. */
let right: ServerProcess;
/** Its wall clock is what `set` says. */
let skewed: ServerProcess;
let receiver: Receiver;
let token: string;

const set = (offset: number): void => writeFileSync(file, String(offset));
const login = async ({ url }: ServerProcess) => {
  const credentials = { email: 'ada@example.com', password: PASSWORD };
  const visitor = createAvow({ baseUrl: url, retries: 0 });
  const session = await visitor.login({ body: credentials });
  return { session, client: createAvow({ baseUrl: url, token: session.token, retries: 0 }) };
};
const visitorOf = ({ url }: ServerProcess) => createAvow({ baseUrl: url, retries: 0 });
const readiness = async ({ url }: ServerProcess) => (await fetch(`${url}/readyz`)).json();
const decide = (server: ServerProcess, session_id: string, decision: 'accept_all' | 'reject_all') =>
  visitorOf(server).logConsent({ token, body: { session_id, decision } });
const isNow = (iso: string | null): void =>
  expect(Math.abs(Date.parse(iso ?? '') - Date.now())).toBeLessThan(5_000);

beforeAll(async () => {
  set(0);
  receiver = await startReceiver();
  database = await cloneDatabase();
  const variables = {
    ...{ DATABASE_URL: database.url, DATA_DIR: folder, ADMIN_EMAIL: 'ada@example.com' },
    ...{ ADMIN_PASSWORD: PASSWORD, LOG_LEVEL: 'info' },
    ...INWARD,
  };
  right = await ServerProcess.start({ ...variables, ROLE: 'api' });
  const { client } = await login(right);
  ({ token } = await client.createEnvironment({ body: { name: 'Shop', domain: 'shop.example.com' } }));
  for (let n = 0; n < 3; n += 1) await decide(right, randomUUID(), 'accept_all');
  set(6 * 365 * DAY);
  skewed = new ServerProcess(right.port + 1, { ...variables, ...SKEWED });
});
afterAll(async () => {
  await endChildren();
  await receiver.stop();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

test('six years ahead: nothing is deleted, no job runs, and readiness and one line of the log say why', async () => {
  const { reason } = await until('it says why', async () => {
    const answer = await readiness(skewed).catch(() => ({}));
    return /clock/.test(answer.reason ?? '') && answer;
  });
  expect(reason).toBe(
    "the clock of this machine is 2190 days ahead of the database's: correct the wrong one",
  );
  // The first runs are due 5 and 6 seconds after the start.
  await delay(9_000);
  expect(await query(database.url, 'SELECT name FROM job_runs')).toEqual([]);
  expect(await query(database.url, 'SELECT count(*)::int AS n FROM consents')).toEqual([{ n: 3 }]);
  const lines = skewed.log().filter(({ msg }) => /jobs and readiness stop/.test(String(msg)));
  expect(lines).toHaveLength(1);
  const metrics = await (await fetch(`${skewed.url}/metrics`)).text();
  const gauge = Number(/^avow_clock_difference_seconds (\S+)/m.exec(metrics)?.[1]);
  expect(Math.round(gauge / 86_400)).toBe(2190);
});

test('what it answers all the same is dated right: decisions, tokens, deadlines', async () => {
  set(2 * HOUR);
  const session_id = randomUUID();
  await delay(100);
  const accepted = await decide(skewed, session_id, 'accept_all');
  isNow(accepted.recorded_at);
  const { session, client } = await login(skewed);
  expect(Math.abs(Date.parse(session.expires_at) - Date.now() - 12 * HOUR)).toBeLessThan(5_000);
  await client.getMe();
  await createAvow({ baseUrl: right.url, token: session.token, retries: 0 }).getMe();
  const { due_at } = await visitorOf(skewed).submitDsar({
    token,
    body: { request_type: 'access', email: 'visitor@example.com' },
  });
  expect(Math.abs(Date.parse(due_at) - dsarDueAt(new Date(), 'UTC').getTime())).toBeLessThan(5_000);
  // The clock is corrected: what comes now is later, here and on the other process.
  set(0);
  await delay(100);
  const rejected = await decide(skewed, session_id, 'reject_all');
  isNow(rejected.recorded_at);
  for (const server of [skewed, right]) {
    const now = await visitorOf(server).getPreferences({ token, session_id });
    expect(now).toMatchObject({ decision: 'reject_all', recorded_at: rejected.recorded_at });
  }
  const proof = await client.getConsent({ token, consent_id: accepted.consent_id });
  expect(proof.withdrawn_at).toBe(rejected.recorded_at);
});

test('right again: ready within seconds, and the jobs run', async () => {
  await until('it is ready', async () => (await skewed.readiness()) === 200, 5_000);
  const { length } = Object.keys(EVERY);
  await until(
    'the jobs run',
    async () => (await query(database.url, 'SELECT FROM job_runs')).length === length,
  );
  expect(await query(database.url, 'SELECT count(*)::int AS n FROM consents')).toEqual([{ n: 5 }]);
  expect(skewed.log().filter(({ msg }) => /agree again: jobs/.test(String(msg)))).toHaveLength(1);
});

test('two minutes behind: a webhook made there is known to the other process, a site paused there is paused', async () => {
  set(-125_000);
  await until('it says so', async () => /2 minutes behind/.test((await readiness(skewed)).reason ?? ''));
  await decide(right, randomUUID(), 'accept_all');
  const { client } = await login(skewed);
  await client.createWebhook({ token, body: { url: receiver.url, events: '*' } });
  await delay(2_000);
  for (let n = 0; n < 10; n += 1) await decide(right, randomUUID(), 'reject_all');
  const events = "SELECT count(*)::int AS n FROM events WHERE event = 'consent.reject_all'";
  expect(await query(database.url, events)).toEqual([{ n: 10 }]);
  expect(await receiver.until(10)).toHaveLength(10);
  await client.updateEnvironment({ token, body: { status: 'paused' } });
  await delay(2_000);
  await expect(decide(right, randomUUID(), 'accept_all')).rejects.toMatchObject({ status: 403 });
  await client.updateEnvironment({ token, body: { status: 'active' } });
});

test('doctor says by how much, and what it means', async () => {
  set(-125_000);
  const { output, code } = await runToEnd('server/cli/main.js', ['doctor'], {
    ...{ DATABASE_URL: database.url, DATA_DIR: folder, PORT: '1', ROLE: 'worker' },
    ...SKEWED,
  });
  expect(output).toMatch(
    /✗ Clock: the clock of this machine is 2 minutes behind the database's.*jobs do not run/,
  );
  expect(output).toContain('✓ Retention: the next run deletes nothing');
  expect(code).toBe(1);
});
