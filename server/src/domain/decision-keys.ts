import { createHash } from 'node:crypto';

/**
 * Days for which a decision's event id is remembered: a browser that lost the answer sends it again on its next
 * visit.
 */
export const DECISION_DAYS = 30;
/** Among how many of a session's decisions, the newest ones, an event id is looked for: what anyone sends is bounded. */
export const DECISIONS_KNOWN = 100;
/** The scope of the keys of erased records. */
export const ERASED = 'erased';

/** Where an id has its key: ten hexadecimal digits of the event id's hash and a hyphen, then four of the body's. */
export const KEY_AT = 21;
export const KEY_LENGTH = 11;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The fourteen digits with which the id of a decision ends, so that its record needs no other key. */
export const endingOf = (key: string, bodyHash: string): string =>
  sha256(key).slice(0, KEY_LENGTH - 1) + bodyHash.slice(0, 4);

/** What an id holds of its event id, as it is written there, and of the body. */
export const keyIn = (id: string): string => id.slice(KEY_AT, KEY_AT + KEY_LENGTH);
export const bodyIn = (id: string): string => id.slice(KEY_AT + KEY_LENGTH);

/** The key that is left of an erased record: it tells neither the session nor the id. */
export const erasedKey = (sessionId: string, id: string): string => sha256(`${sessionId}|${keyIn(id)}`);
