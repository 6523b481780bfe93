import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Vault } from '../../server/src/security/vault';
import { cloneDatabase } from '../helpers/database';
import { freePort, runToEnd, ServerProcess } from '../helpers/processes/child';
import { query } from '../helpers/processes/evidence';
import { endAll } from '../helpers/processes/load';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

const newKey = (): string => randomBytes(32).toString('base64');
const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
let database: Awaited<ReturnType<typeof cloneDatabase>>;

beforeEach(async () => {
  database = await cloneDatabase();
});
afterEach(async () => {
  await endAll();
  await database.drop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const variables = (keys: Record<string, string>): Record<string, string> => ({
  ...{ DATABASE_URL: database.url, DATA_DIR: folder, DEMO: 'off', HOST: '127.0.0.1' },
  ...keys,
});

/** Starts a server that is to end by itself; what it says. */
async function refusalOf(keys: Record<string, string>): Promise<string> {
  const port = String(await freePort());
  const end = await runToEnd('server/src/main.js', [], { ...variables(keys), PORT: port });
  expect(end.code).toBe(1);
  return end.errors;
}

const starts = async (keys: Record<string, string>): Promise<void> => {
  const server = await ServerProcess.start(variables(keys));
  expect(await server.kill('SIGINT')).toEqual({ code: 0, signal: null });
};

const SAYS = /^Avow cannot start: SECRETS_KEY is not the key that sealed .*SECRETS_KEY_OTHERS/;

test('a wrong SECRETS_KEY stops the start with words; a change of keys goes through, and ends with reseal', async () => {
  const [first, second] = [newKey(), newKey()];
  // A new database takes the key that comes first.
  await starts({ SECRETS_KEY: first });
  const said = await refusalOf({ SECRETS_KEY: second });
  expect(said).toMatch(SAYS);
  for (const key of [first, second]) expect(said).not.toContain(key);
  expect(await refusalOf({ SECRETS_KEY: second, WORKERS: '2' })).toMatch(SAYS);
  await starts({ SECRETS_KEY: second, SECRETS_KEY_OTHERS: first });
  // Not before everything is sealed with the new key.
  expect(await refusalOf({ SECRETS_KEY: second })).toMatch(SAYS);
  const reseal = (keys: Record<string, string>, ...args: string[]) =>
    runToEnd('server/cli/main.js', ['reseal', ...args], variables(keys));
  expect((await reseal({ SECRETS_KEY: second })).code).toBe(1);
  expect(await reseal({ SECRETS_KEY: second, SECRETS_KEY_OTHERS: first })).toMatchObject({
    code: 0,
    errors: '',
  });
  await starts({ SECRETS_KEY: second });
  expect(await refusalOf({ SECRETS_KEY: first })).toMatch(SAYS);
  // Both are lost.
  const third = newKey();
  expect(await reseal({ SECRETS_KEY: third }, '--lost')).toMatchObject({ code: 0, errors: '' });
  await starts({ SECRETS_KEY: third });
});

test('an upgraded database without a canary: its latest webhook tells whether the key is right', async () => {
  const [right, wrong] = [newKey(), newKey()];
  await query(
    database.url,
    `WITH site AS (
       INSERT INTO environments (id, token, name, domain, domains, url, status, settings, settings_version, created_at, updated_at)
       VALUES (gen_random_uuid(), 'env_x', 'x', 'x.example', '{}', 'http://x.example', 'active', '{"retention_days":{"consents":1825,"events":90}}', 1, now(), now()) RETURNING id)
     INSERT INTO webhooks (webhook_id, environment_id, url, events, method, secret, status, consecutive_failures, created_at, updated_at)
     SELECT gen_random_uuid(), id, 'https://x.example', '{*}', 'POST', $1, 'active', 0, now(), now() FROM site`,
    [new Vault(right).seal('whsec_abc')],
  );
  expect(await refusalOf({ SECRETS_KEY: wrong })).toMatch(SAYS);
  await starts({ SECRETS_KEY: right });
  await query(database.url, 'DELETE FROM webhooks');
  expect(await refusalOf({ SECRETS_KEY: wrong })).toMatch(SAYS);
});

test('MIGRATE=off: it does not answer with a wrong key either', async () => {
  await starts({ SECRETS_KEY: newKey() });
  expect(await refusalOf({ SECRETS_KEY: newKey(), MIGRATE: 'off' })).toMatch(SAYS);
  // Also when the database is migrated later.
  await query(database.url, 'ALTER TABLE avow_migrations RENAME TO away');
  const port = await freePort();
  const server = new ServerProcess(port, variables({ SECRETS_KEY: newKey(), MIGRATE: 'off' }));
  await until('it waits for the migrations', async () => (await server.readiness()) === 503);
  await query(database.url, 'ALTER TABLE away RENAME TO avow_migrations');
  expect(await server.ended).toEqual({ code: 1, signal: null });
  expect(server.output).toContain('SECRETS_KEY is not the key that sealed');
});
