import { readFileSync } from 'node:fs';
import { bucketOf } from './bucket';
import { readProviders, variablesOf } from './provider-variables';
import type { Provider } from './providers';
import type { Variable } from './variable';
import { VARIABLES } from './variables';

export { PROVIDER_VARIABLES } from './provider-variables';
export { type AccessRule, type Provider, speaksFor } from './providers';
export type { Variable } from './variable';
export { type Role, type Scans, VARIABLES } from './variables';

/** A variable that is unknown or has a bad value; the message says what to set. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Everything that can be configured, read once from the environment. */
export type Config = {
  -readonly [Key in keyof typeof VARIABLES]: (typeof VARIABLES)[Key] extends Variable<infer Value>
    ? Value
    : never;
} & {
  /** Who lets people in, besides passwords. */
  providers: Provider[];
};

type Variables = Record<string, string | undefined>;

/** Reads and checks the configuration. Throws `ConfigError` naming the variable and what to set. */
export function readConfig(variables: Variables = process.env): Config {
  const values: Record<string, unknown> = {};
  const isProduction = variables.NODE_ENV === 'production';
  for (const [key, { name, read, otherwise }] of Object.entries<Variable<unknown>>(VARIABLES)) {
    const value = parse(name, readVariable(variables, name), read);
    values[key] =
      value ?? (typeof otherwise === 'function' ? otherwise({ ...values, isProduction }) : otherwise);
  }
  const config = values as Config;
  refuseUnknown(variables, variablesOf(config.providerIds));
  config.providers = readProviders(
    config.providerIds,
    (name, read) => parse(name, readVariable(variables, name), read),
    (message) => {
      throw new ConfigError(message);
    },
  );
  if (!config.passwordLogin && config.providers.length === 0) {
    throw new ConfigError(
      'PASSWORD_LOGIN is off and OIDC_PROVIDERS is not set: nobody could log in; set both, or neither.',
    );
  }
  if ((config.adminEmail === undefined) !== (config.adminPassword === undefined)) {
    throw new ConfigError(
      'ADMIN_EMAIL and ADMIN_PASSWORD go together: set both, or neither for a one-time set-up link.',
    );
  }
  requireMail(config);
  requireBucket(config);
  if (config.databaseUrl !== undefined && isProduction) requireSecrets(config);
  return config;
}

function requireMail({ smtpUrl, mailFrom, bouncesUrl, dkimDomain, dkimSelector, dkimKey }: Config): void {
  if (smtpUrl !== undefined && mailFrom === undefined)
    throw new ConfigError('MAIL_FROM is not set: with SMTP_URL it is required, such as avow@example.com.');
  if (bouncesUrl !== undefined && smtpUrl === undefined)
    throw new ConfigError(
      'SMTP_URL is not set: with BOUNCES_URL it is required, since only what was sent comes back.',
    );
  const signing = [dkimDomain, dkimSelector, dkimKey].filter((value) => value !== undefined);
  if (signing.length !== 0 && signing.length !== 3)
    throw new ConfigError('DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY go together: set all three, or none.');
}

function requireBucket(config: Config): void {
  try {
    bucketOf(config);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

function requireSecrets(config: Config): void {
  if (config.jwtSecret === undefined) {
    throw new ConfigError(
      'JWT_SECRET is not set: with DATABASE_URL in production it is required, with at least 32 characters.',
    );
  }
  if (config.secretsKey === undefined) {
    throw new ConfigError(
      'SECRETS_KEY is not set: set it to 32 random bytes in base64 (openssl rand -base64 32).',
    );
  }
}

function refuseUnknown(variables: Variables, ofProviders: readonly string[]): void {
  const all = Object.values<Variable<unknown>>(VARIABLES);
  const names = [...all.map(({ name }) => name), ...ofProviders];
  const known = new Set(names.flatMap((name) => [name, `${name}_FILE`]));
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
