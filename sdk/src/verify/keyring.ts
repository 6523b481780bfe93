import { fromBase64 } from './bytes.js';
import { isSignedBy, type Key, LOG_KEY, parseKey, successionText } from './keys.js';
import type { Kind } from './lines.js';
import { orRefuse, type Report, refuse, type Step } from './report.js';

/** What a verification may take for granted, and where it writes what it finds. */
export interface Job {
  report: Report;
  trusted: Key[];
  witnesses: Key[];
  /** How many leaves each witness has cosigned, by its key. */
  seen: Map<string, number>;
  /** Whether this runtime can check signatures. */
  canVerify: boolean;
  /** Ends it. */
  signal: AbortSignal | undefined;
}

/** A key as a file lists it. */
export interface ListedKey {
  key: Key;
  /** The signature by which it endorses the next one. */
  endorsement: string | null;
  where: string;
}

export const KEY_MEMBERS: Record<string, Kind> = {
  vkey: 'text',
  from: 'text',
  until: 'text?',
  successor_signature: 'text?',
};

/** Keys of a log that are read: it has one more with each rotation, and each costs the check of signatures. */
export const MOST_KEYS = 1000;

/** Adds a key, whose members fit, to those before it. @throws {Refusal} when it is no other key of this log */
export async function addKey(
  listed: ListedKey[],
  value: Record<string, unknown>,
  origin: string,
  where: string,
): Promise<void> {
  const key = await orRefuse(parseKey, value.vkey as string, where, 'keys');
  if (key.name !== origin || key.type !== LOG_KEY)
    refuse(`the key ${key.name}+${key.id} is not one of the log ${origin}`, where, 'keys');
  if (listed.length === MOST_KEYS || listed.some((one) => one.key.vkey === key.vkey))
    refuse('the key is listed twice, or too many are', where, 'keys');
  listed.push({ key, endorsement: value.successor_signature as string | null, where });
}

/** The keys of a log, and those of them that are trusted, by themselves or by an older one. */
export interface LogKeys {
  origin: string;
  keys: readonly Key[];
  reached: ReadonlySet<Key>;
}

/** Follows the endorsements from key to key. */
export async function followKeys(job: Job, origin: string, listed: readonly ListedKey[]): Promise<LogKeys> {
  const reached = new Set<Key>();
  for (const [index, one] of listed.entries()) {
    const next = listed[index + 1]?.key;
    if (job.trusted.some(({ vkey }) => vkey === one.key.vkey)) reached.add(one.key);
    const endorses = await judge(job, origin, one, next);
    if (endorses && next && reached.has(one.key)) reached.add(next);
  }
  return { origin, keys: listed.map(({ key }) => key), reached };
}

/** Whether a key endorses the next one. */
async function judge(
  { report, canVerify }: Job,
  origin: string,
  { key, endorsement, where }: ListedKey,
  next: Key | undefined,
): Promise<boolean> {
  const say = (ok: Step['ok'], what: string): boolean => {
    report.add('keys', ok, `the key ${key.id} ${what}`, where);
    return ok === true;
  };
  if (next === undefined)
    return endorsement === null
      ? say(true, 'is the last one')
      : say(false, 'endorses a key that is missing here');
  // A key that was lost endorses none: then who reads this must trust the next one by itself.
  if (endorsement === null) return say('unproven', `does not endorse the next one, ${next.id}`);
  if (!canVerify) return say('unknown', 'could not be checked');
  const signature = fromBase64(endorsement, 64);
  const message = successionText(origin, next.vkey);
  return signature !== undefined && (await isSignedBy(key.publicKey, signature, message))
    ? say(true, `endorses the next one, ${next.id}`)
    : say(false, `does not endorse ${next.id} as it says`);
}
