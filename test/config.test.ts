import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ConfigError, PROVIDER_VARIABLES, readConfig, VARIABLES, type Variable } from '../server/src/config';
import { loadContract } from '../server/src/contract/operations';
import { isEmail } from '../server/src/domain/addresses';
import { variablesTable, withVariables } from '../tools/readme/table';

const folder = mkdtempSync(join(tmpdir(), 'avow-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DATABASE_URL = 'postgres://user:password@127.0.0.1:5432/avow';
const KEY = Buffer.alloc(32, 7).toString('base64');
const SECRET = 's'.repeat(32);
/** Where a proxy that is only counted may stand. */
const INWARD = ['loopback', 'linklocal', 'uniquelocal', '100.64.0.0/10'];

test('nothing set: an embedded database, a demo site and port 8080', () => {
  expect(readConfig({})).toMatchObject({
    ...{ port: 8080, host: '0.0.0.0', publicUrl: undefined, databaseUrl: undefined, databasePool: 10 },
    ...{ dataDir: resolve('.data'), demo: true, migrate: true, role: 'all', workers: 1, trustProxy: false },
    ...{
      consoleOrigins: [],
      rateLimit: true,
      metricsPort: undefined,
      metricsHost: '127.0.0.1',
      logLevel: 'info',
      drainSeconds: 5,
    },
  });
});

test('a key that signs mails is an RSA key: with another they would leave unsigned', () => {
  const pem = (pair: { privateKey: KeyObject }) => pair.privateKey.export({ type: 'pkcs8', format: 'pem' });
  const rsa = pem(generateKeyPairSync('rsa', { modulusLength: 2048 })).toString();
  const ed25519 = pem(generateKeyPairSync('ed25519')).toString();
  const signing = { DKIM_DOMAIN: 'example.com', DKIM_SELECTOR: '2026a' };
  expect(readConfig({ ...signing, DKIM_KEY: rsa }).dkimKey).toBe(rsa);
  const read = () => readConfig({ ...signing, DKIM_KEY: ed25519 });
  expect(read).toThrow(/DKIM_KEY.*an RSA private key/s);
});

test('a bucket of files is described in full or not at all, and its endpoint holds no password', () => {
  const bucket = {
    ...{ FILES_S3_ENDPOINT: 'https://s3.example.com/', FILES_S3_BUCKET: 'avow-files' },
    ...{ FILES_S3_ACCESS_KEY_ID: 'AKIA', FILES_S3_SECRET_ACCESS_KEY: 'hunter2' },
  };
  expect(readConfig(bucket)).toMatchObject({
    ...{ filesEndpoint: 'https://s3.example.com', filesRegion: 'us-east-1' },
  });
  for (const name of Object.keys(bucket))
    expect(() => readConfig({ ...bucket, [name]: '' })).toThrow(/go together/);
  expect(() => readConfig({ FILES_STORE: 'bucket' })).toThrow(/go together/);
  const inside = 'https://user:hunter2@s3.example.com';
  const read = () => readConfig({ ...bucket, FILES_S3_ENDPOINT: inside });
  expect(read).toThrow(/FILES_S3_ENDPOINT has a bad value/);
  expect(read).not.toThrow(/hunter2/);
});

test('with DATABASE_URL there is no demo site, unless it is asked for', () => {
  expect(readConfig({ DATABASE_URL }).demo).toBe(false);
  expect(readConfig({ DATABASE_URL, DEMO: 'on' }).demo).toBe(true);
});

test.each([
  ['PORT', '0', { port: 0 }],
  ['PUBLIC_URL', 'https://consent.example.com/', { publicUrl: 'https://consent.example.com' }],
  ['PUBLIC_URL', 'https://example.com/consent//', { publicUrl: 'https://example.com/consent' }],
  [
    'DATABASE_URL',
    'postgresql:///avow?host=/run/postgresql',
    { databaseUrl: 'postgresql:///avow?host=/run/postgresql' },
  ],
  ['DATABASE_POOL', '200', { databasePool: 200 }],
  [
    'DATABASE_URL',
    'postgres://u:p@one:5432,two:5433/avow?target_session_attrs=read-write',
    { databaseUrl: 'postgres://u:p@one:5432,two:5433/avow?target_session_attrs=read-write' },
  ],
  ['DRAIN_SECONDS', '9', { drainSeconds: 9 }],
  ['LOG_SAMPLE', '0.01', { logSample: 0.01 }],
  ['JWT_SECRET', SECRET, { jwtSecret: SECRET }],
  ['SECRETS_KEY', KEY, { secretsKey: KEY }],
  ['DEMO', 'false', { demo: false }],
  ['DEMO', '1', { demo: true }],
  ['MIGRATE', 'off', { migrate: false }],
  ['ROLE', 'worker', { role: 'worker' }],
  ['WORKERS', '4', { workers: 4 }],
  ['TRUST_PROXY', 'off', { trustProxy: false }],
  ['TRUST_PROXY', '0', { trustProxy: false }],
  ['TRUST_PROXY', '2', { trustProxy: { hops: 2, nearest: INWARD } }],
  ['TRUST_PROXY', 'on', { trustProxy: { hops: 1, nearest: INWARD } }],
  ['TRUST_PROXY', '2, 203.0.113.0/24', { trustProxy: { hops: 2, nearest: ['203.0.113.0/24'] } }],
  ['TRUST_PROXY', '10.0.0.0/8, ::1,loopback', { trustProxy: ['10.0.0.0/8', '::1', 'loopback'] }],
  [
    'CONSOLE_ORIGINS',
    'https://a.example, http://localhost:3000',
    { consoleOrigins: ['https://a.example', 'http://localhost:3000'] },
  ],
  ['RATE_LIMIT', '0', { rateLimit: false }],
  ['METRICS_PORT', '9090', { metricsPort: 9090 }],
  ['WITNESS_MINUTES', '5', { witnessMinutes: 5 }],
  [
    'WITNESSES',
    'witness.example.org+f3339921+BBYeAYCFlZ8s3oo+pu9zo6WWF8WW1rtXxR6wKO0+TP1C https://witness.example.org/a/',
    {
      witnesses: [
        {
          vkey: 'witness.example.org+f3339921+BBYeAYCFlZ8s3oo+pu9zo6WWF8WW1rtXxR6wKO0+TP1C',
          url: 'https://witness.example.org/a',
        },
      ],
    },
  ],
  ['TIMESTAMP_HOURS', '12', { timestampHours: 12 }],
  [
    'TIMESTAMP_URLS',
    'https://a.example/tsr?key=x  http://b.example:8080/#0.4.0.2023.1.1',
    {
      timestampUrls: [
        { url: 'https://a.example/tsr?key=x', name: 'https://a.example/tsr', policy: undefined },
        { url: 'http://b.example:8080/', name: 'http://b.example:8080/', policy: '0.4.0.2023.1.1' },
      ],
    },
  ],
  ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
  ['PORT', '', { port: 8080 }],
])('%s=%s is understood', (name, value, expected) => {
  expect(readConfig({ [name]: value })).toMatchObject(expected);
});

test.each([
  ['PORT', '65536', /PORT .* 0 to 65535/],
  ['PORT', '80a', /PORT/],
  ['PORT', '-1', /PORT/],
  ['PORT', '1e3', /PORT/],
  ['PUBLIC_URL', 'consent.example.com', /PUBLIC_URL .* http/],
  ['PUBLIC_URL', 'https://example.com?x=1', /PUBLIC_URL/],
  ['LOG_SAMPLE', '1.5', /LOG_SAMPLE .* 0 to 1/],
  ['LOG_SAMPLE', '10%', /LOG_SAMPLE .* 0 to 1/],
  ['DRAIN_SECONDS', '61', /DRAIN_SECONDS .* 0 to 60/],
  ['DATABASE_URL', 'postgres://u:p@one,two/avow?target_session_attrs=master', /DATABASE_URL has a bad value/],
  ['DATABASE_URL', 'mysql://user:password@127.0.0.1/avow', /DATABASE_URL .* postgres:\/\//],
  ['DATABASE_URL', 'postgres://user:password@127.0.0.1:54a2/avow', /DATABASE_URL .* %XX/],
  ['DATABASE_POOL', '1', /DATABASE_POOL .* 2 to 200/],
  ['JWT_SECRET', 'short', /JWT_SECRET .* 32/],
  ['SECRETS_KEY', Buffer.alloc(31).toString('base64'), /SECRETS_KEY .* 32/],
  ['DEMO', 'yes', /DEMO .* on or off/],
  ['MIGRATE', 'never', /MIGRATE .* on or off/],
  ['ROLE', 'web', /ROLE .* all, api, worker/],
  ['WORKERS', '0', /WORKERS .* 1 to 256/],
  ['TRUST_PROXY', 'everybody', /TRUST_PROXY/],
  ['TRUST_PROXY', '10.0.0.0/33', /TRUST_PROXY/],
  ['TRUST_PROXY', '0.0.0.0/0', /TRUST_PROXY/],
  ['TRUST_PROXY', '1,2', /TRUST_PROXY/],
  ['TRUST_PROXY', '1,', /TRUST_PROXY/],
  ['CONSOLE_ORIGINS', 'https://a.example/console', /CONSOLE_ORIGINS/],
  ['CONSOLE_ORIGINS', '*', /CONSOLE_ORIGINS/],
  ['RATE_LIMIT', 'maybe', /RATE_LIMIT .* on or off/],
  ['METRICS_PORT', 'x', /METRICS_PORT/],
  ['WITNESSES', 'https://witness.example', /WITNESSES .* verifier key and a URL/],
  ['WITNESSES', 'w.example+00000000+BAAA https://w.example', /WITNESSES .* verifier key and a URL/],
  [
    'WITNESSES',
    'witness.example.org+f3339921+BBYeAYCFlZ8s3oo+pu9zo6WWF8WW1rtXxR6wKO0+TP1C https://a.example, witness.example.org+f3339921+BBYeAYCFlZ8s3oo+pu9zo6WWF8WW1rtXxR6wKO0+TP1C https://b.example',
    /WITNESSES .* each witness once/,
  ],
  ['WITNESS_MINUTES', '0', /WITNESS_MINUTES .* 1 to 1440/],
  ['TIMESTAMP_URLS', `https://tsa.example/${'a'.repeat(500)}`, /TIMESTAMP_URLS .* 500 characters/],
  ['TIMESTAMP_URLS', 'tsa.example', /TIMESTAMP_URLS .* separated by spaces/],
  ['TIMESTAMP_URLS', 'https://user:word@tsa.example', /TIMESTAMP_URLS/],
  ['TIMESTAMP_URLS', 'https://tsa.example#policy', /TIMESTAMP_URLS .* OID/],
  [
    'TIMESTAMP_URLS',
    'https://tsa.example/a https://tsa.example/a?b',
    /TIMESTAMP_URLS .* each authority once/,
  ],
  ['TIMESTAMP_HOURS', '745', /TIMESTAMP_HOURS .* 1 to 744/],
  ['LOG_LEVEL', 'loud', /LOG_LEVEL .* debug/],
])('%s=%s is refused by its name, with what to set', (name, value, message) => {
  const read = () => readConfig({ [name]: value });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(message);
  // What was set may be a secret.
  expect(read).not.toThrow(new RegExp(`\\b${value.replace(/[^\w]/g, '.')}\\b.*is|${SECRET}`));
});

test.each([
  'DATABASE_ULR',
  'ADMIN_MAIL',
  'CONSOLE_ORIGIN',
  'METRICS_PROT',
  'WITNESS_HOURS',
  'TIMESTAMP_URL',
  'RATE_LIMITS',
  'TRUST_PROXY_HOPS',
  'JWT_KEY',
  'SECRETS_KEYS',
])('%s, which looks like a variable of Avow, is refused as a typing error', (name) => {
  expect(() => readConfig({ [name]: 'x' })).toThrow(`${name} is not a variable of Avow`);
});

test('variables of other programs are none of our business', () => {
  expect(() =>
    readConfig({ PATH: '/bin', NODE_ENV: 'test', HOSTNAME: 'a', PGHOST: 'b', npm_config_port: 'c' }),
  ).not.toThrow();
});

describe('a _FILE twin', () => {
  const file = join(folder, 'secret');
  writeFileSync(file, `${SECRET}\n`);

  test('is read, without the line end', () => {
    expect(readConfig({ JWT_SECRET_FILE: file }).jwtSecret).toBe(SECRET);
  });

  test('is checked as the value is, under the same name', () => {
    writeFileSync(join(folder, 'short'), 'short');
    expect(() => readConfig({ JWT_SECRET_FILE: join(folder, 'short') })).toThrow(/JWT_SECRET .* 32/);
    writeFileSync(join(folder, 'empty'), '');
    expect(() => readConfig({ JWT_SECRET_FILE: join(folder, 'empty') })).toThrow(/JWT_SECRET .* 32/);
  });

  test('beside its value, or unreadable, is refused', () => {
    expect(() => readConfig({ JWT_SECRET: SECRET, JWT_SECRET_FILE: file })).toThrow(
      'JWT_SECRET and JWT_SECRET_FILE are both set',
    );
    expect(() => readConfig({ PORT_FILE: join(folder, 'nothing') })).toThrow(
      'PORT_FILE names a file that cannot be read',
    );
  });

  test('that is empty counts as not set', () => {
    expect(readConfig({ JWT_SECRET: SECRET, JWT_SECRET_FILE: '' }).jwtSecret).toBe(SECRET);
  });
});

describe('the first owner', () => {
  const password = 'correct horse battery';

  test('has an address and a password, or neither is set', () => {
    expect(readConfig({ ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: password })).toMatchObject({
      adminEmail: 'ada@example.com',
      adminPassword: password,
    });
    for (const one of [{ ADMIN_EMAIL: 'ada@example.com' }, { ADMIN_PASSWORD: password }]) {
      expect(() => readConfig(one)).toThrow('ADMIN_EMAIL and ADMIN_PASSWORD go together');
    }
  });

  test('can log in with what was set', () => {
    expect(() => readConfig({ ADMIN_EMAIL: 'ada', ADMIN_PASSWORD: password })).toThrow(
      /ADMIN_EMAIL .* e-mail address/,
    );
    expect(() => readConfig({ ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'short' })).toThrow(
      /ADMIN_PASSWORD .* 12 to 200/,
    );
    expect(() => readConfig({ ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'qwertyuiop123' })).toThrow(
      /ADMIN_PASSWORD .*(common|guess)/,
    );
  });

  test('has an address by the same rule as in the contract', () => {
    const { pattern, maxLength } = loadContract().document.components.schemas.Email;
    for (const text of [
      'ada@example.com',
      'a@b.co',
      'a',
      'a@b',
      'a b@c.de',
      'a@b.c',
      '<a@b.de>',
      'a@b,c.de',
      `${'a'.repeat(65)}@b.de`,
      'ä@ö.de',
    ]) {
      expect([text, isEmail(text)]).toEqual([
        text,
        text.length <= maxLength && new RegExp(pattern, 'u').test(text),
      ]);
    }
  });
});

test('in production DATABASE_URL needs the secrets that several processes share', () => {
  const production = { DATABASE_URL, NODE_ENV: 'production' };
  expect(() => readConfig(production)).toThrow('JWT_SECRET is not set');
  expect(() => readConfig({ ...production, JWT_SECRET: SECRET })).toThrow('SECRETS_KEY is not set');
  expect(() => readConfig({ ...production, JWT_SECRET: SECRET, SECRETS_KEY: KEY })).not.toThrow();
  expect(() => readConfig({ NODE_ENV: 'production' })).not.toThrow();
});

describe('providers of log-ins', () => {
  const ACME = {
    OIDC_PROVIDERS: 'acme',
    OIDC_ACME_ISSUER: 'https://id.example.com',
    OIDC_ACME_CLIENT_ID: 'avow',
    OIDC_ACME_CLIENT_SECRET: 'secret',
    OIDC_ACME_EMAIL_DOMAINS: 'example.com, Bücher.example',
  };
  const SITE = 'env_4fJ7kQ2mX9pL1sT6vW3yZa';

  test('are read by their names, with what holds without a word', () => {
    const access = `owner ${SITE} Shop admins; viewer ${SITE} CN=Shop,OU=Groups;account staff`;
    expect(readConfig({ ...ACME, OIDC_ACME_ACCESS: access }).providers).toEqual([
      {
        ...{ id: 'acme', name: 'Acme', issuer: 'https://id.example.com', clientId: 'avow' },
        ...{ clientSecret: 'secret', clientAuth: undefined, scopes: 'openid email profile' },
        ...{ groupsClaim: ['groups'], trustsEmails: false, logsOut: true },
        emailDomains: ['example.com', 'xn--bcher-kva.example'],
        access: [
          { group: 'Shop admins', grant: { role: 'owner', site: SITE } },
          { group: 'CN=Shop,OU=Groups', grant: { role: 'viewer', site: SITE } },
          { group: 'staff', grant: null },
        ],
      },
    ]);
    expect(readConfig({}).providers).toEqual([]);
  });

  test.each<[Record<string, string>, RegExp]>([
    [{ OIDC_PROVIDERS: 'Acme' }, /OIDC_PROVIDERS .* lower-case/],
    [{ OIDC_PROVIDERS: 'acme,acme' }, /OIDC_PROVIDERS .* each once/],
    [{ OIDC_ACME_ISSUER: '' }, /OIDC_ACME_ISSUER is not set/],
    [{ OIDC_ACME_ISSUER: 'http://id.example.com' }, /OIDC_ACME_ISSUER .* https/],
    [{ OIDC_ACME_CLIENT_ID: '' }, /OIDC_ACME_CLIENT_ID is not set/],
    [{ OIDC_ACME_CLIENT_SECRET: '' }, /OIDC_ACME_CLIENT_SECRET is not set/],
    [{ OIDC_ACME_EMAIL_DOMAINS: '' }, /OIDC_ACME_EMAIL_DOMAINS is not set/],
    [{ OIDC_ACME_EMAIL_DOMAINS: 'a.example/x' }, /OIDC_ACME_EMAIL_DOMAINS .* separated by commas/],
    [{ OIDC_ACME_EMAIL_DOMAINS: 'a.example,@b.example' }, /OIDC_ACME_EMAIL_DOMAINS .* separated by commas/],
    [{ OIDC_ACME_SCOPES: 'email' }, /OIDC_ACME_SCOPES .* openid/],
    [{ OIDC_ACME_ACCESS: 'owner shop admins' }, /OIDC_ACME_ACCESS .* GROUP/],
    [{ OIDC_ACME_CLIENT_AUTH: 'jwt' }, /OIDC_ACME_CLIENT_AUTH .* basic, post/],
    [{ OIDC_ACME_EMAIL_VERIFIED: 'yes' }, /OIDC_ACME_EMAIL_VERIFIED .* claim, always/],
    [{ OIDC_ACME_ISUER: 'https://id.example.com' }, /OIDC_ACME_ISUER is not a variable/],
    [{ OIDC_OTHER_ISSUER: 'https://id.example.com' }, /OIDC_OTHER_ISSUER is not a variable/],
    [
      {
        ...{ OIDC_PROVIDERS: 'acme,b', OIDC_B_ISSUER: 'https://id.example.com' },
        OIDC_B_CLIENT_ID: 'x',
        OIDC_B_CLIENT_SECRET: 'y',
        OIDC_B_EMAIL_DOMAINS: '*',
      },
      /OIDC_B_ISSUER is that of another/,
    ],
  ])('%j is refused with the name of the variable', (more, message) => {
    expect(() => readConfig({ ...ACME, ...more })).toThrow(message);
  });

  test('without one, passwords cannot be refused', () => {
    expect(() => readConfig({ PASSWORD_LOGIN: 'off' })).toThrow(
      /PASSWORD_LOGIN is off and OIDC_PROVIDERS is not set/,
    );
    expect(readConfig({ ...ACME, PASSWORD_LOGIN: 'off' })).toMatchObject({ passwordLogin: false });
  });

  test('have each variable in the guide of the configuration', () => {
    const guide = readFileSync(
      join(__dirname, '..', 'server', 'docs', 'guides', '09-configuration.md'),
      'utf8',
    );
    for (const { name } of Object.values(PROVIDER_VARIABLES))
      expect(guide).toContain(`| \`OIDC_<NAME>_${name}\` `);
  });
});

describe('the documents', () => {
  const ROOT = join(__dirname, '..');
  const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');
  const all = Object.values<Variable<unknown>>(VARIABLES);
  /** The rows of the tables of variables: name and default. */
  const rowsOf = (text: string): string[][] =>
    [...text.matchAll(/^\| `([A-Z0-9_]+)` +\| (.*?) +\| \S/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]);

  test('the README has the table that the configuration prints: npm run readme writes it', () => {
    expect(read('README.md')).toContain(variablesTable());
    const old = read('README.md').replace(/^\| `PORT` .*\n/m, '');
    expect(withVariables(old)).toBe(read('README.md'));
  });

  test('the guide has every variable once, with the same default', () => {
    // NODE_ENV belongs to Node: only the guide has it.
    const guide = rowsOf(read('server', 'docs', 'guides', '09-configuration.md')).filter(
      ([name]) => name !== 'NODE_ENV',
    );
    expect(guide.map(([name]) => name).sort()).toEqual(all.map(({ name }) => name).sort());
    const readme = new Map(rowsOf(variablesTable()) as [string, string][]);
    // The guide says in words what is made of host and port.
    for (const [name = '', value] of guide.filter(([one]) => one !== 'PUBLIC_URL'))
      expect([name, value]).toEqual([name, readme.get(name)]);
  });

  test('a default that is shown is the one that holds', () => {
    const [empty, given] = [readConfig({}), new Map(rowsOf(variablesTable()) as [string, string][])];
    for (const [key, { name, shown }] of Object.entries<Variable<unknown>>(VARIABLES)) {
      const value = given.get(name) as string;
      if (shown === undefined && value !== '–')
        expect([name, readConfig({ [name]: value })]).toEqual([name, empty]);
      else expect([name, key in empty]).toEqual([name, true]);
    }
  });

  test('a family is the beginning of its variable', () => {
    for (const { name, family = name } of all) expect(name.startsWith(family)).toBe(true);
  });
});
