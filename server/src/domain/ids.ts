import { randomBytes, randomInt } from 'node:crypto';
import { v7 } from 'uuid';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A new UUIDv7 (RFC 9562 §5.7): ordered by time, and within a millisecond by this process. */
export const newId = (): string => v7();

/** The instant inside a UUIDv7, so that a record's time and its id never disagree. */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

/** A new environment token: `env_` and 22 random base62 characters (131 bits). */
export function newEnvironmentToken(): string {
  let token = 'env_';
  for (let i = 0; i < 22; i += 1) token += BASE62[randomInt(62)];
  return token;
}

/** Whether a text has the form of an environment token. */
export const isEnvironmentToken = (text: string): boolean => /^env_[0-9A-Za-z]{22}$/.test(text);

/** A one-time code of 256 random bits, 43 characters of base64url. */
export const newCode = (): string => randomBytes(32).toString('base64url');
