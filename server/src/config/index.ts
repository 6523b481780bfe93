import { Resolver } from 'node:dns';
import { accessSync, constants, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { readHosts } from '../db/read-hosts';
import { isEmail } from '../domain/addresses';
import { isCommonPassword } from '../domain/common-passwords';
import { readNetwork } from '../net/address';

export type Role = 'all' | 'api' | 'worker';
/** Who may start cookie scans. */
export type Scans = 'off' | 'members' | 'public';

/** A variable that is unknown or has a bad value; the message says what to set. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** A variable of the environment. `Value` is what the configuration holds. */
export interface Variable<Value> {
  name: string;
  /** Throws with what to set when the text is no value. */
  read: (text: string) => Value & {};
  /** What holds when it is not set; a function is told what was read before it. */
  otherwise: Otherwise<Value>;
  /** What it does, as the README says it. */
  meaning: string;
  /** The default as the README shows it, where it is not the text of `otherwise`. */
  shown?: string;
  /** What begins like this is a variable of Avow, or a typing error. */
  family?: string;
}
type Otherwise<Value> =
  | Value
  | ((before: { databaseUrl?: string | undefined; isProduction?: boolean }) => Value);

function variable<Value>(
  name: string,
  read: (text: string) => Value & {},
  otherwise: Otherwise<Value>,
  meaning: string,
  more: Pick<Variable<Value>, 'shown' | 'family'> = {},
): Variable<Value> {
  return { name, read, otherwise, meaning, ...more };
}

/**
 * Every variable: how it is read, what holds without it, and what the README says (`npm run readme` writes
 * its table).
 */
export const VARIABLES = {
  /** TCP port, 0–65535; 0 takes a free one. */
  port: variable('PORT', integer(0, 65535), 8080, 'TCP port to listen on; 0 takes a free one'),
  host: variable('HOST', text, '0.0.0.0', 'address to listen on'),
  /** Without a trailing slash; unset: made from host and port at start. */
  publicUrl: variable<string | undefined>(
    'PUBLIC_URL',
    webAddress,
    undefined,
    'how browsers reach it; used in links and by banners',
    { shown: 'http://localhost:PORT' },
  ),
  /** Unset: the embedded PostgreSQL under dataDir. */
  databaseUrl: variable<string | undefined>(
    'DATABASE_URL',
    databaseAddress,
    undefined,
    'PostgreSQL 14+, also `one:5432,two:5432` with `target_session_attrs`; unset: the embedded one',
    { family: 'DATABASE_' },
  ),
  /** Connections for owner endpoints and jobs, for each process. */
  databasePool: variable(
    'DATABASE_POOL',
    integer(2, 200),
    10,
    'connections for owners and jobs, for each process; the visitor path has 5 of its own',
    { family: 'DATABASE_' },
  ),
  dataDir: variable<string>(
    'DATA_DIR',
    (path) => resolve(path),
    () => resolve('.data'),
    'embedded database and generated keys',
    { shown: '.data' },
  ),
  jwtSecret: variable<string | undefined>(
    'JWT_SECRET',
    secret,
    undefined,
    'signs bearer tokens; at least 32 characters; required with DATABASE_URL and NODE_ENV=production',
    { shown: 'made in DATA_DIR', family: 'JWT_' },
  ),
  secretsKey: variable<string | undefined>(
    'SECRETS_KEY',
    key,
    undefined,
    'encrypts webhook secrets; 32 bytes in base64; required likewise',
    { shown: 'made in DATA_DIR', family: 'SECRETS_' },
  ),
  /** Secrets that are accepted besides the one that signs. */
  jwtSecretOthers: variable<string[]>(
    'JWT_SECRET_OTHERS',
    severalOf(secret),
    () => [],
    'further secrets whose tokens are accepted, separated by spaces, while one is changed',
    { family: 'JWT_' },
  ),
  /** Keys that open besides the one that seals. */
  secretsKeyOthers: variable<string[]>(
    'SECRETS_KEY_OTHERS',
    severalOf(key),
    () => [],
    'further keys that open what they sealed, separated by spaces, while one is changed',
    { family: 'SECRETS_' },
  ),
  adminEmail: variable<string | undefined>(
    'ADMIN_EMAIL',
    email,
    undefined,
    'the first owner; unset: a one-time set-up link is printed',
    { family: 'ADMIN_' },
  ),
  adminPassword: variable<string | undefined>(
    'ADMIN_PASSWORD',
    password,
    undefined,
    "the first owner's password, 12 to 200 characters; set both or neither",
    { family: 'ADMIN_' },
  ),
  demo: variable<boolean>('DEMO', onOff, ({ databaseUrl }) => databaseUrl === undefined, 'make a demo site', {
    shown: 'on when embedded',
  }),
  migrate: variable<boolean>('MIGRATE', onOff, true, 'migrate at start'),
  role: variable<Role>('ROLE', oneOf<Role>(['all', 'api', 'worker']), 'all', '`all`, `api` or `worker`'),
  /** Processes on this machine that answer requests. */
  workers: variable(
    'WORKERS',
    integer(1, 256),
    1,
    'processes on this machine that answer requests; one that stands still is replaced',
  ),
  /**
   * Seconds after SIGTERM in which the process still takes new connections, while it says that it is not
   * ready.
   */
  drainSeconds: variable(
    'DRAIN_SECONDS',
    integer(0, 60),
    0,
    'seconds after SIGTERM in which new connections are still answered, 0 to 60',
    { family: 'DRAIN_' },
  ),
  /** As Express's "trust proxy": false, a number of hops, or addresses. */
  trustProxy: variable<false | number | string[]>(
    'TRUST_PROXY',
    proxies,
    false,
    'number of proxies, or their CIDRs, whose `X-Forwarded-For` is believed',
    { family: 'TRUST_PROXY' },
  ),
  consoleOrigins: variable<string[]>(
    'CONSOLE_ORIGINS',
    origins,
    () => [],
    'further origins that may call owner endpoints from a browser',
    { family: 'CONSOLE_' },
  ),
  rateLimit: variable<boolean>('RATE_LIMIT', onOff, true, 'limits of requests, by address and by site', {
    family: 'RATE_LIMIT',
  }),
  /** Sites that one account, with those that its invitations made, may have made or own. */
  sitesPerAccount: variable(
    'SITES_PER_ACCOUNT',
    integer(1, 1_000_000),
    100,
    'sites that one account may have made or own, with the accounts that its invitations made',
    { family: 'SITES_' },
  ),
  /** Seconds to wait after the first, second, third and fourth failed attempt of a delivery. */
  webhookRetrySeconds: variable<number[]>(
    'WEBHOOK_RETRY_SECONDS',
    schedule,
    () => [10, 120, 900, 7200],
    'waits after the first four failed attempts of a delivery',
    { family: 'WEBHOOK_' },
  ),
  /** Allow http, not only https. */
  webhookAllowHttp: variable<boolean>('WEBHOOK_ALLOW_HTTP', onOff, false, 'allow `http:` receivers', {
    family: 'WEBHOOK_',
  }),
  /** CIDRs of inward networks that webhooks may reach all the same. */
  webhookAllowNetworks: variable<string[]>(
    'WEBHOOK_ALLOW_NETWORKS',
    networks,
    () => [],
    'CIDRs of inward networks that webhooks may reach',
    { family: 'WEBHOOK_' },
  ),
  /** Name servers of webhooks and scans; empty: those of the system. */
  dnsServers: variable<string[]>(
    'DNS_SERVERS',
    nameServers,
    () => [],
    'addresses of name servers for webhooks and cookie scans, with `:port` where it is not 53',
    { shown: "the system's" },
  ),
  scans: variable<Scans>(
    'SCANS',
    oneOf<Scans>(['off', 'members', 'public']),
    ({ isProduction }) => (isProduction ? 'members' : 'public'),
    'who may start cookie scans: `public` is anybody, `members` whoever has logged in, `off` nobody',
    { shown: 'public; members with NODE_ENV=production' },
  ),
  /** Off: the browser of scans has no sandbox and runs as this process does, as root too. */
  scanSandbox: variable<boolean>(
    'SCAN_SANDBOX',
    onOff,
    true,
    "off: the browser of scans runs without its sandbox and as the server's own user, root too; for tests",
    { family: 'SCAN_' },
  ),
  /** Of all processes of one browser, in MiB. */
  scanMemoryMb: variable<number>(
    'SCAN_MEMORY_MB',
    integer(256, 65_536),
    1_024,
    'MiB that the browser of one scan may have; beyond it the browser is killed',
    { family: 'SCAN_' },
  ),
  /** The browser of cookie scans; unset: the first that is found on PATH. */
  chromiumPath: variable<string | undefined>(
    'CHROMIUM_PATH',
    program,
    undefined,
    'the browser of cookie scans; without one, headers and page source are read',
    { shown: 'found on PATH' },
  ),
  /** CIDRs of inward networks, and any port in them, that cookie scans may reach all the same. */
  scanAllowNetworks: variable<string[]>(
    'SCAN_ALLOW_NETWORKS',
    networks,
    () => [],
    'CIDRs of inward networks that cookie scans may reach',
    { family: 'SCAN_' },
  ),
  metricsPort: variable<number | undefined>(
    'METRICS_PORT',
    integer(0, 65535),
    undefined,
    'serve /metrics on this port instead of the main one',
    { family: 'METRICS_' },
  ),
  logLevel: variable<string>(
    'LOG_LEVEL',
    oneOf(LEVELS),
    'info',
    'fatal, error, warn, info, debug, trace or silent',
  ),
};

/** Everything that can be configured, read once from the environment. */
export type Config = {
  -readonly [Key in keyof typeof VARIABLES]: (typeof VARIABLES)[Key] extends Variable<infer Value>
    ? Value
    : never;
};

type Variables = Record<string, string | undefined>;

/** Reads and checks the configuration. Throws `ConfigError` naming the variable and what to set. */
export function readConfig(variables: Variables = process.env): Config {
  refuseUnknown(variables);
  const values: Record<string, unknown> = {};
  const isProduction = variables.NODE_ENV === 'production';
  for (const [key, { name, read, otherwise }] of Object.entries<Variable<unknown>>(VARIABLES)) {
    const value = parse(name, readVariable(variables, name), read);
    values[key] =
      value ?? (typeof otherwise === 'function' ? otherwise({ ...values, isProduction }) : otherwise);
  }
  const config = values as Config;
  if ((config.adminEmail === undefined) !== (config.adminPassword === undefined)) {
    throw new ConfigError(
      'ADMIN_EMAIL and ADMIN_PASSWORD go together: set both, or neither for a one-time set-up link.',
    );
  }
  if (config.databaseUrl !== undefined && isProduction) requireSecrets(config);
  return config;
}

function requireSecrets(config: Config): void {
  if (config.jwtSecret === undefined) {
    throw new ConfigError(
      'JWT_SECRET is not set: with DATABASE_URL in production it must be, to at least 32 characters.',
    );
  }
  if (config.secretsKey === undefined) {
    throw new ConfigError(
      'SECRETS_KEY is not set: set it to 32 random bytes in base64 (openssl rand -base64 32).',
    );
  }
}

function refuseUnknown(variables: Variables): void {
  const all = Object.values<Variable<unknown>>(VARIABLES);
  const known = new Set(all.flatMap(({ name }) => [name, `${name}_FILE`]));
  for (const name of Object.keys(variables)) {
    if (!known.has(name) && all.some(({ family }) => family !== undefined && name.startsWith(family))) {
      throw new ConfigError(
        `${name} is not a variable of Avow: remove it, or see the README for the right name.`,
      );
    }
  }
}

function readVariable(variables: Variables, name: string): string | undefined {
  const value = variables[name];
  const file = variables[`${name}_FILE`];
  if (file === undefined || file === '') return value === '' ? undefined : value;
  if (value !== undefined && value !== '')
    throw new ConfigError(`${name} and ${name}_FILE are both set: keep one.`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new ConfigError(`${name}_FILE names a file that cannot be read: set it to a readable file.`);
  }
}

function parse<T>(name: string, value: string | undefined, read: (text: string) => T): T | undefined {
  if (value === undefined) return undefined;
  try {
    return read(value);
  } catch (error) {
    throw new ConfigError(`${name} has a bad value: set it to ${(error as Error).message}.`);
  }
}

function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new Error(`a whole number from ${min} to ${max}`);
    return value;
  };
}

function oneOf<T extends string>(values: readonly T[]): (text: string) => T {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found === undefined) throw new Error(`one of ${values.join(', ')}`);
    return found;
  };
}

function onOff(text: string): boolean {
  if (['on', '1', 'true'].includes(text)) return true;
  if (['off', '0', 'false'].includes(text)) return false;
  throw new Error('on or off');
}

function text(value: string): string {
  return value;
}

function webAddress(text: string): string {
  if (!/^https?:\/\/[^\s?#]+$/.test(text) || !URL.canParse(text)) throw new Error('an http or https URL');
  return text.replace(/\/+$/, '');
}

function databaseAddress(text: string): string {
  try {
    // The driver reads each by its own rules, and only here a mistake can be named.
    const { urls } = readHosts(text);
    if (urls.every((url) => new pg.Client({ connectionString: url }).database)) return text;
  } catch {
    // Reported below without quoting the URL, which holds a password.
  }
  throw new Error(
    'a URL such as postgres://user:password@host:5432/avow (special characters in the password as %XX)',
  );
}

function secret(text: string): string {
  if (text.length < 32) throw new Error('at least 32 random characters (openssl rand -base64 48)');
  return text;
}

function key(text: string): string {
  if (Buffer.from(text, 'base64').length !== 32)
    throw new Error('32 random bytes in base64 (openssl rand -base64 32)');
  return text;
}

function severalOf(read: (text: string) => string): (text: string) => string[] {
  return (text) => text.trim().split(/\s+/).map(read);
}

function password(text: string): string {
  if (text.length < 12 || text.length > 200) throw new Error('12 to 200 characters');
  if (isCommonPassword(text)) throw new Error('one that is not among the most common passwords');
  return text;
}

function email(text: string): string {
  if (!isEmail(text)) throw new Error('an e-mail address such as owner@example.com');
  return text;
}

function origins(text: string): string[] {
  const list = text.split(',').map((part) => part.trim());
  for (const origin of list) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new Error('origins such as https://console.example.com, separated by commas');
    }
  }
  return list;
}

function schedule(text: string): number[] {
  const seconds = text.split(',').map((part) => Number(part.trim() || Number.NaN));
  if (seconds.length !== 4 || !seconds.every((value) => value >= 0 && value <= 86_400)) {
    throw new Error('four numbers of seconds from 0 to 86400, separated by commas');
  }
  return seconds;
}

function networks(text: string): string[] {
  const list = text.split(',').map((part) => part.trim());
  for (const network of list) readNetwork(network);
  return list;
}

function nameServers(text: string): string[] {
  const list = text.split(',').map((part) => part.trim());
  try {
    new Resolver().setServers(list);
    return list;
  } catch {
    throw new Error('addresses such as 10.0.0.2 or [fd00::2]:5353, separated by commas');
  }
}

function program(text: string): string {
  try {
    accessSync(text, constants.X_OK);
    return resolve(text);
  } catch {
    throw new Error('the path of a Chromium program, or remove it to take the one on PATH');
  }
}

function proxies(text: string): false | number | string[] {
  if (/^\d+$/.test(text)) return Number(text) === 0 ? false : Number(text);
  if (/^(on|true)$/.test(text)) return 1;
  if (/^(off|false)$/.test(text)) return false;
  const list = text.split(',').map((part) => part.trim());
  if (
    !list.every(
      (part) => /^[0-9a-fA-F.:]+(\/\d+)?$/.test(part) || /^(loopback|linklocal|uniquelocal)$/.test(part),
    )
  ) {
    throw new Error('off, a number of proxies, or their addresses as CIDRs separated by commas');
  }
  return list;
}
