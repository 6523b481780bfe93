import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Vault } from '../../server/src/security/vault';
import { cloneDatabase, emptyDatabase } from '../helpers/database';
import { endChildren, freePort, runToEnd, ServerProcess } from '../helpers/processes/child';
import { query } from '../helpers/processes/evidence';
import { startBucket } from '../helpers/storage/bucket';

jest.setTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-tools-'));
const databases: { drop(): Promise<void> }[] = [];
let port: number;

beforeAll(async () => {
  port = await freePort();
});
afterAll(async () => {
  await endChildren();
  await Promise.all(databases.map((database) => database.drop()));
  rmSync(folder, { recursive: true, force: true });
});

async function doctor(variables: Record<string, string>): Promise<{ code: number | null; lines: string[] }> {
  const { code, output, errors } = await runToEnd('server/cli/main.js', ['doctor'], {
    ...{ PORT: String(port), HOST: '127.0.0.1', DATA_DIR: folder },
    ...variables,
  });
  expect(errors).toBe('');
  return { code, lines: output.trim().split('\n') };
}

const about = (lines: string[], subject: string): string =>
  lines.find((line) => line.slice(2).startsWith(subject)) ?? '';

async function use<Database extends { url: string; drop(): Promise<void> }>(
  made: Promise<Database>,
): Promise<string> {
  const database = await made;
  databases.push(database);
  return database.url;
}

test('a healthy installation with a running server: every line is ✓, and no secret is shown', async () => {
  const dataDir = join(folder, 'healthy');
  const server = await ServerProcess.start({ DATA_DIR: dataDir }, port);
  const { code, lines } = await doctor({ DATA_DIR: dataDir });
  expect(lines.filter((line) => !line.startsWith('✓'))).toEqual(['', 'All is well.']);
  expect(code).toBe(0);
  expect(about(lines, 'Port')).toBe(`✓ Port: Avow answers on ${port} and is ready`);
  expect(about(lines, 'Database')).toMatch(/PostgreSQL 18\.\d+, the embedded database of the server/);
  expect(about(lines, 'Durability')).toContain('are on');
  for (const subject of [
    'Clock',
    'Migrations: up to date',
    'Partitions',
    'Disk',
    'Memory',
    'JWT_SECRET',
    'SECRETS_KEY',
    'Connections',
    'Writes',
    'Jobs',
  ])
    expect(about(lines, subject)).toMatch(/^✓/);
  const shown = [...lines, server.output, server.errors].join();
  for (const name of ['jwt-secret', 'secrets-key', 'postgres-password'])
    expect(shown).not.toContain(readFileSync(join(dataDir, name), 'utf8').trim());
  // The same without the server, which the check then starts itself: its database and nothing else.
  await server.kill();
  const alone = await doctor({ DATA_DIR: dataDir });
  expect(alone.code).toBe(0);
  expect(about(alone.lines, 'Database')).toContain('started for this command');
  expect(about(alone.lines, 'Port')).toContain('is free');
  // What is wrong with the keys must be repaired.
  chmodSync(join(dataDir, 'jwt-secret'), 0o644);
  writeFileSync(join(dataDir, 'secrets-key'), 'too short');
  const broken = await doctor({ DATA_DIR: dataDir });
  expect(broken.code).toBe(1);
  expect(about(broken.lines, 'JWT_SECRET')).toMatch(/^✗ .*mode 644.*chmod 600/);
  expect(about(broken.lines, 'SECRETS_KEY')).toMatch(/^✗ .*holds no valid key/);
});

test('nothing there yet: says what the first start will make, and makes nothing', async () => {
  const dataDir = join(folder, 'nothing');
  const { code, lines } = await doctor({ DATA_DIR: dataDir });
  expect(code).toBe(0);
  expect(about(lines, 'Database')).toBe(
    `✓ Database: none yet, the first start makes an embedded one in ${dataDir}`,
  );
  expect(() => rmSync(dataDir)).toThrow('ENOENT');
});

test('whose word about addresses counts', async () => {
  const said = async (TRUST_PROXY: string) =>
    about((await doctor({ TRUST_PROXY, DATA_DIR: join(folder, 'nothing') })).lines, 'Proxies');
  expect(await said('off')).toMatch(/^✓ .*X-Forwarded-For is ignored/);
  expect(await said('2')).toMatch(/^✓ Proxies: 2, .*uniquelocal.*let nothing else/);
  expect(await said('203.0.113.7')).toContain('counts from 203.0.113.7;');
});

test('configuration that cannot be read: one line with ✗', async () => {
  const { code, lines } = await doctor({ WORKERS: 'many' });
  expect({ code, lines }).toEqual({
    code: 1,
    lines: [expect.stringMatching(/^✗ Configuration: WORKERS has a bad value/)],
  });
});

test('a database that is not durable, not migrated or not there', async () => {
  const url = await use(emptyDatabase());
  const empty = await doctor({ DATABASE_URL: url, MIGRATE: 'off' });
  expect(empty.code).toBe(1);
  // The tests' own database does without fsync.
  expect(about(empty.lines, 'Durability: fsync')).toMatch(/^✗ .*loses acknowledged consents.*fsync = on/);
  expect(about(empty.lines, 'Migrations')).toMatch(/^✗ .*run npm run migrate/);
  expect(about(empty.lines, 'PUBLIC_URL')).toMatch(/^! /);
  const migrating = await doctor({ DATABASE_URL: url });
  expect(about(migrating.lines, 'Migrations')).toMatch(/^! .*next start/);
  const away = await doctor({
    DATABASE_URL: `postgres://avow:s3cret-word@127.0.0.1:${await freePort()}/avow`,
  });
  expect(away.code).toBe(1);
  expect(about(away.lines, 'Database')).toMatch(/^✗ .*cannot be reached \(ECONNREFUSED\)/);
  expect(away.lines.join()).not.toContain('s3cret-word');
});

test('months that run out', async () => {
  const url = await use(cloneDatabase());
  await query(
    url,
    `DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'consents'::regclass LOOP EXECUTE 'DROP TABLE ' || name; END LOOP; END $$`,
  );
  const { code, lines } = await doctor({ DATABASE_URL: url });
  expect(code).toBe(1);
  expect(about(lines, 'Partitions')).toMatch(/^✗ .*ROLE=worker runs/);
});

test('a database that is read-only', async () => {
  const url = await use(cloneDatabase());
  const name = new URL(url).pathname.slice(1);
  await query(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const { code, lines } = await doctor({ DATABASE_URL: url });
  expect(code).toBe(1);
  expect(about(lines, 'Writes')).toBe(
    '✗ Writes: the database is read-only: set default_transaction_read_only = off there and reload, or let DATABASE_URL lead to the primary',
  );
});

test('a database that a newer version prepared, and one where it took away what this one uses', async () => {
  const url = await use(cloneDatabase());
  await query(
    url,
    "INSERT INTO avow_migrations (name, batch, migration_time) VALUES ('99991231_later', 9, now())",
  );
  const prepared = await doctor({ DATABASE_URL: url });
  expect(about(prepared.lines, 'Migrations')).toMatch(
    /^! .* a newer Avow has prepared the database \(1 more, the last is 99991231_later\), and Avow \S+ works on it: /,
  );
  expect(about(prepared.lines, 'Partitions')).toMatch(/^✓/);
  await query(url, "INSERT INTO contract_steps VALUES ('99991231_less', '98.0.0', '99.0.0', now())");
  const { code, lines } = await doctor({ DATABASE_URL: url });
  expect(code).toBe(1);
  expect(about(lines, 'Migrations')).toMatch(
    /^✗ .*the contract step 99991231_less, run by Avow 99\.0\.0, took away what it uses\. Start Avow 98\.0\.0 or newer/,
  );
});

test('jobs that have not run for long, or never', async () => {
  const url = await use(cloneDatabase());
  const fresh = await doctor({ DATABASE_URL: url });
  expect(about(fresh.lines, 'Jobs')).toBe('✓ Jobs: they run');
  await query(url, "UPDATE avow_migrations SET migration_time = migration_time - interval '2 days'");
  await query(
    url,
    "INSERT INTO job_runs VALUES ('partitions', now() - interval '1 hour'), ('deletions', now()), ('domains', now()), ('words', now()), ('scans', now()), ('audit', now()), ('sealing', now()), ('samples', now()), ('notices', now()), ('schedules', now())",
  );
  const never = await doctor({ DATABASE_URL: url });
  expect(about(never.lines, 'Jobs')).toMatch(/^! Jobs: retention has never run: .*ROLE=worker/);
  await query(url, "INSERT INTO job_runs VALUES ('retention', now() - interval '50 hours')");
  const late = await doctor({ DATABASE_URL: url });
  expect(about(late.lines, 'Jobs')).toMatch(/^! Jobs: retention last ran 50 hours ago: /);
});

test('a SECRETS_KEY that opens nothing, and none at all', async () => {
  const url = await use(cloneDatabase());
  const [right, wrong] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
  await query(
    url,
    `WITH site AS (
       INSERT INTO environments (id, token, name, domain, domains, url, status, settings, settings_version, created_at, updated_at)
       VALUES (gen_random_uuid(), 'env_x', 'x', 'x.example', '{}', 'http://x.example', 'active', '{"retention_days":{"consents":1825,"events":90}}', 1, now(), now()) RETURNING id)
     INSERT INTO webhooks (webhook_id, environment_id, url, events, method, secret, status, consecutive_failures, created_at, updated_at)
     SELECT gen_random_uuid(), id, 'https://x.example', '{*}', 'POST', $1, 'active', 0, now(), now() FROM site`,
    [new Vault(right).seal('whsec_abc')],
  );
  const verdict = async (variables: Record<string, string>): Promise<string> => {
    const { lines } = await doctor({ DATABASE_URL: url, ...variables });
    return lines.filter((line) => line.slice(2).startsWith('SECRETS_KEY')).pop() as string;
  };
  expect(await verdict({ SECRETS_KEY: right })).toBe("✓ SECRETS_KEY: opens the webhooks' secrets");
  expect(await verdict({ SECRETS_KEY: wrong })).toMatch(
    /^✗ .*does not open the webhooks' secrets: restore the key/,
  );
  expect(await verdict({ DATA_DIR: join(folder, 'keyless') })).toMatch(/^✗ SECRETS_KEY: there is none/);
});

test('a port that another program uses', async () => {
  const other = createServer((_request, response) => response.end('{"status":"ok"}'));
  const taken = await freePort();
  await new Promise<void>((resolve) => other.listen(taken, '127.0.0.1', resolve));
  const { code, lines } = await doctor({ PORT: String(taken), DATA_DIR: join(folder, 'nothing') });
  other.closeAllConnections();
  other.close();
  expect(code).toBe(1);
  expect(about(lines, 'Port')).toBe(
    `✗ Port: ${taken} is in use by another program: stop it, or set PORT to another`,
  );
});

test('the bucket of files is tried, and its key and address stay unsaid', async () => {
  const bucket = await startBucket();
  try {
    const variables = { DATABASE_URL: await use(cloneDatabase()), ...bucket.variables };
    const fine = await doctor(variables);
    expect(about(fine.lines, 'Files')).toBe('✓ Files: the bucket avow-files takes, gives and deletes');
    expect(bucket.objects.size).toBe(0);
    const wrong = await doctor({ ...variables, FILES_S3_SECRET_ACCESS_KEY: 'a-wrong-secret' });
    expect(about(wrong.lines, 'Files')).toMatch(
      /^✗ .*does not take a PUT \(it answered 403 \(SignatureDoesNotMatch\)\)/,
    );
    bucket.state = 'down';
    const away = await doctor(variables);
    expect(about(away.lines, 'Files')).toMatch(/^✗ .*does not take a PUT/);
    expect([...wrong.lines, ...away.lines].join()).not.toMatch(/a-wrong-secret|127\.0\.0\.1:\d+\/avow/);
  } finally {
    await bucket.stop();
  }
});
