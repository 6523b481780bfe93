import { accessSync, constants, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { isEmail } from './domain/email';
import { readNetwork } from './net/address';

export type Role = 'all' | 'api' | 'worker';

/** Everything that can be configured, read once from the environment. */
export interface Config {
  /** TCP port, 0–65535; 0 takes a free one. */
  port: number;
  host: string;
  /** Without a trailing slash; unset: made from host and port at start. */
  publicUrl: string | undefined;
  /** Unset: the embedded PostgreSQL under dataDir. */
  databaseUrl: string | undefined;
  /** Connections for owner endpoints and jobs, for each process. */
  databasePool: number;
  dataDir: string;
  jwtSecret: string | undefined;
  secretsKey: string | undefined;
  adminEmail: string | undefined;
  adminPassword: string | undefined;
  demo: boolean;
  migrate: boolean;
  role: Role;
  /** Processes on this machine that answer requests. */
  workers: number;
  /** As Express's "trust proxy": false, a number of hops, or addresses. */
  trustProxy: false | number | string[];
  consoleOrigins: string[];
  rateLimit: boolean;
  /** Seconds to wait after the first, second, third and fourth failed attempt of a delivery. */
  webhookRetrySeconds: number[];
  /** Allow http, not only https. */
  webhookAllowHttp: boolean;
  /** CIDRs of inward networks that webhooks may reach all the same. */
  webhookAllowNetworks: string[];
  /** CIDRs of inward networks, and any port in them, that cookie scans may reach all the same. */
  scanAllowNetworks: string[];
  /** The browser of cookie scans; unset: the first that is found on PATH. */
  chromiumPath: string | undefined;
  metricsPort: number | undefined;
  logLevel: string;
}

/** A variable that is unknown or has a bad value; the message says what to set. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Names that later parts of the product read; listed here so that a typing error is found at start. */
const NAMES = [
  ...['PORT', 'HOST', 'PUBLIC_URL', 'DATABASE_URL', 'DATABASE_POOL', 'DATA_DIR', 'JWT_SECRET', 'SECRETS_KEY'],
  ...[
    'ADMIN_EMAIL',
    'ADMIN_PASSWORD',
    'DEMO',
    'MIGRATE',
    'ROLE',
    'WORKERS',
    'TRUST_PROXY',
    'CONSOLE_ORIGINS',
  ],
  ...['RATE_LIMIT', 'METRICS_PORT', 'LOG_LEVEL'],
  ...['WEBHOOK_RETRY_SECONDS', 'WEBHOOK_ALLOW_HTTP', 'WEBHOOK_ALLOW_NETWORKS'],
  ...['SCAN_ALLOW_NETWORKS', 'CHROMIUM_PATH'],
];
/** A variable that begins like one of ours but is none of them is most likely a typing error. */
const PREFIXES = [
  'WEBHOOK_',
  'SCAN_',
  'DATABASE_',
  'ADMIN_',
  'CONSOLE_',
  'METRICS_',
  'RATE_LIMIT',
  'TRUST_PROXY',
  'JWT_',
  'SECRETS_',
];

type Variables = Record<string, string | undefined>;

/** Reads and checks the configuration. Throws `ConfigError` naming the variable and what to set. */
export function readConfig(variables: Variables = process.env): Config {
  refuseUnknown(variables);
  const get = (name: string): string | undefined => readVariable(variables, name);
  const databaseUrl = parse('DATABASE_URL', get('DATABASE_URL'), databaseAddress);
  const config: Config = {
    port: parse('PORT', get('PORT'), integer(0, 65535)) ?? 8080,
    host: get('HOST') ?? '0.0.0.0',
    publicUrl: parse('PUBLIC_URL', get('PUBLIC_URL'), webAddress),
    databaseUrl,
    databasePool: parse('DATABASE_POOL', get('DATABASE_POOL'), integer(2, 200)) ?? 10,
    dataDir: resolve(get('DATA_DIR') ?? '.data'),
    jwtSecret: parse('JWT_SECRET', get('JWT_SECRET'), secret),
    secretsKey: parse('SECRETS_KEY', get('SECRETS_KEY'), key),
    adminEmail: parse('ADMIN_EMAIL', get('ADMIN_EMAIL'), email),
    adminPassword: parse('ADMIN_PASSWORD', get('ADMIN_PASSWORD'), password),
    demo: parse('DEMO', get('DEMO'), onOff) ?? databaseUrl === undefined,
    migrate: parse('MIGRATE', get('MIGRATE'), onOff) ?? true,
    role: parse('ROLE', get('ROLE'), oneOf<Role>(['all', 'api', 'worker'])) ?? 'all',
    workers: parse('WORKERS', get('WORKERS'), integer(1, 256)) ?? 1,
    trustProxy: parse('TRUST_PROXY', get('TRUST_PROXY'), proxies) ?? false,
    consoleOrigins: parse('CONSOLE_ORIGINS', get('CONSOLE_ORIGINS'), origins) ?? [],
    rateLimit: parse('RATE_LIMIT', get('RATE_LIMIT'), onOff) ?? true,
    webhookRetrySeconds: parse('WEBHOOK_RETRY_SECONDS', get('WEBHOOK_RETRY_SECONDS'), schedule) ?? [
      10, 120, 900, 7200,
    ],
    webhookAllowHttp: parse('WEBHOOK_ALLOW_HTTP', get('WEBHOOK_ALLOW_HTTP'), onOff) ?? false,
    webhookAllowNetworks: parse('WEBHOOK_ALLOW_NETWORKS', get('WEBHOOK_ALLOW_NETWORKS'), networks) ?? [],
    scanAllowNetworks: parse('SCAN_ALLOW_NETWORKS', get('SCAN_ALLOW_NETWORKS'), networks) ?? [],
    chromiumPath: parse('CHROMIUM_PATH', get('CHROMIUM_PATH'), program),
    metricsPort: parse('METRICS_PORT', get('METRICS_PORT'), integer(0, 65535)),
    logLevel: parse('LOG_LEVEL', get('LOG_LEVEL'), oneOf(LEVELS)) ?? 'info',
  };
  if ((config.adminEmail === undefined) !== (config.adminPassword === undefined)) {
    throw new ConfigError(
      'ADMIN_EMAIL and ADMIN_PASSWORD go together: set both, or neither for a one-time set-up link.',
    );
  }
  if (config.databaseUrl !== undefined && variables.NODE_ENV === 'production') requireSecrets(config);
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
  const known = new Set(NAMES.flatMap((name) => [name, `${name}_FILE`]));
  for (const name of Object.keys(variables)) {
    if (!known.has(name) && PREFIXES.some((prefix) => name.startsWith(prefix))) {
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

function webAddress(text: string): string {
  if (!/^https?:\/\/[^\s?#]+$/.test(text) || !URL.canParse(text)) throw new Error('an http or https URL');
  return text.replace(/\/+$/, '');
}

function databaseAddress(text: string): string {
  try {
    // The driver reads it by its own rules, and only here a mistake can be named.
    if (/^postgres(ql)?:\/\//.test(text) && new pg.Client({ connectionString: text }).database) return text;
  } catch {
    // Said below, without quoting it: it holds a password.
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

function password(text: string): string {
  if (text.length < 12 || text.length > 200) throw new Error('12 to 200 characters');
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
