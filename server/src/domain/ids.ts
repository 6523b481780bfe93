import { randomBytes, randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import { clock } from './clock';
import { DAY_MS } from './time';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * The largest step back of a clock that ids bridge, in milliseconds; after a larger one the clock was wrong
 * before.
 */
const SET_BACK = 1_000;

/** So far behind another id is one that must come after it, in milliseconds: also behind what else was made with that. */
const BEHIND = 100;

/** Numbers of an instant, and what is random below each of them. */
const NUMBERS = 2 ** 18;
const BELOW = 2 ** 14;

/** The newest id's instant, and its number within it. */
let instant = 0;
let number = 0;

/**
 * A new UUIDv7 (RFC 9562 §5.7): ordered by time, and within a millisecond by this process.
 * @param ending its last 14 hexadecimal digits, otherwise random
 */
export function newId(ending?: string): string {
  const now = clock.now();
  if (now > instant || now < instant - SET_BACK) {
    instant = now;
    number = randomInt(NUMBERS / 2);
  } else {
    number += 1;
    if (number === NUMBERS) {
      instant += 1;
      number = randomInt(NUMBERS / 2);
    }
  }
  const id = v7({ msecs: instant, seq: number * BELOW + (ending === undefined ? randomInt(BELOW) : 0) });
  return ending === undefined ? id : `${id.slice(0, 21)}${ending.slice(0, 2)}-${ending.slice(2)}`;
}

/**
 * A new id behind another one, also where that was made by a clock that has been set back since, unless by more than a
 * day: for what is ordered by its ids.
 * @param by how far behind it then is, in milliseconds
 */
export function newIdAfter(before: string | undefined, by = BEHIND): string {
  const id = newId();
  if (before === undefined || id > before) return id;
  const msecs = timeOfId(before).getTime() + by;
  return msecs - clock.now() > DAY_MS ? id : v7({ msecs });
}

/** The instant inside a UUIDv7, so that a record's time and its id never disagree. */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

/** From the millisecond inside a UUIDv7 up to but not including the next: an instant of the database may be finer. */
export function millisecondOf(id: string): [from: Date, before: Date] {
  const from = timeOfId(id);
  return [from, new Date(from.getTime() + 1)];
}

/** The smallest id of an instant. */
export const idAt = (at: Date): string =>
  uuidOf(`${at.getTime().toString(16).padStart(12, '0')}${'0'.repeat(20)}`);

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

/** The smallest and the largest UUID with this prefix; hyphens are ignored. */
export function idRange(beginning: string): [string, string] {
  const digits = beginning.replaceAll('-', '').toLowerCase();
  return [uuidOf(digits.padEnd(32, '0')), uuidOf(digits.padEnd(32, 'f'))];
}

const uuidOf = (digits: string): string =>
  [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => digits.slice(from, to))
    .join('-');
