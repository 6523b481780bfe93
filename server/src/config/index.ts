import { readFileSync } from 'node:fs';
import type { Variable } from './variable';
import { VARIABLES } from './variables';

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
      'JWT_SECRET is not set: with DATABASE_URL in production it is required, with at least 32 characters.',
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
