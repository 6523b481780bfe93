import type { Job, LogKeys } from './keyring.js';
import { type Key, parseKey, WITNESS_KEY } from './keys.js';
import { demand } from './lines.js';
import { type Checkpoint, cosignedAt, isSigned, linesOf, readCheckpoint } from './note.js';
import { orRefuse, type Report, refuse, type Step } from './report.js';

/** Whether something holds, and what, in words. */
type Found = [ok: Step['ok'], what: string];

/** A checkpoint with what was found of its signature: undefined where none could be checked. */
export interface Head extends Checkpoint {
  signedBy: Key | undefined;
}

/** @throws {Refusal} when the log of this name is not the one of the site */
export function refuseOther(origin: string, site: string, where: string): void {
  if (!origin.endsWith(`/ledger/${site}`)) refuse(`the log ${origin} is not that of the site ${site}`, where);
}

/**
 * Reads a checkpoint and reports whether the log has signed it.
 * @throws {Refusal} when it is none, or one of another log
 */
export async function judgeCheckpoint(job: Job, log: LogKeys, note: string, where: string): Promise<Head> {
  const { report, canVerify } = job;
  const checkpoint = await orRefuse(readCheckpoint, note, where, 'checkpoint');
  const { origin, size } = checkpoint;
  if (origin !== log.origin)
    refuse(`the checkpoint is of the log ${origin}, not of ${log.origin}`, where, 'checkpoint');
  let signedBy: Key | undefined;
  for (const key of log.keys) if (canVerify && !signedBy && (await isSigned(checkpoint, key))) signedBy = key;
  if (signedBy !== undefined) report.found.heads.push(checkpoint);
  const [ok, what]: Found =
    signedBy !== undefined
      ? [true, `is signed by the key ${signedBy.id}`]
      : canVerify || !log.keys.some((key) => linesOf(key, checkpoint)[0])
        ? [false, 'has no right signature of a listed key']
        : ['unknown', 'could not be checked'];
  report.add('checkpoint', ok, `the head of ${size} leaves ${what}`, where);
  return { ...checkpoint, signedBy };
}

/**
 * Reports whether who reads this has reason to trust the key.
 * @param isOlder whether a trusted head must continue this one, so that its tree needs no other signature
 */
export function judgeTrust(
  { report, trusted }: Job,
  { keys, reached }: LogKeys,
  { signedBy }: Head,
  where: string,
  isOlder = false,
): void {
  if (signedBy === undefined) return;
  const { vkey } = signedBy;
  const [ok, what]: Found =
    trusted.length === 0
      ? ['unknown', 'you named no key that you trust: compare it with the published one']
      : reached.has(signedBy)
        ? [true, `${trusted.some((one) => one.vkey === vkey) ? 'one' : 'endorsed by one'} that you trust`]
        : isOlder && keys.indexOf(signedBy) < keys.indexOf([...reached].pop() as Key)
          ? ['unproven', 'older than one that you trust']
          : [false, `none of the keys that you trust, of ${trusted.map(({ name }) => name)}`];
  report.add('trust', ok, `it is signed by ${vkey}: ${what}`, where);
}

/**
 * Reports of each witness that is listed for a head or has a line there whether it has cosigned, and of signature lines
 * that nobody here knows.
 * @param isContinued whether the head of the proofs is this one, or proven to continue it
 */
export async function judgeWitnesses(
  job: Job,
  { keys }: LogKeys,
  head: Head,
  { listed, isContinued }: { listed: unknown; isContinued: boolean },
  where: string,
): Promise<void> {
  const { report, witnesses, canVerify, seen } = job;
  const named = await readWitnesses(report, listed, where);
  // A line that was taken off its head, and not off the list, is missed.
  const all = [...named, ...witnesses.filter((one) => linesOf(one, head)[0])];
  for (const [vkey, witness] of new Map(all.map((one) => [one.vkey, one]))) {
    const isTrusted = witnesses.some((one) => one.vkey === vkey);
    const time = canVerify ? await cosignedAt(head, witness) : undefined;
    if (time !== undefined && isContinued) seen.set(vkey, Math.max(seen.get(vkey) ?? 0, head.size));
    const [ok, what]: Found =
      time !== undefined
        ? [
            isTrusted || 'unknown',
            `had seen the head of ${head.size} leaves by ${dateOf(time)}${isTrusted ? '' : '; its key is known from this file only'}`,
          ]
        : canVerify
          ? [false, 'has not cosigned, or that was changed']
          : ['unknown', 'could not be checked'];
    report.add('cosignature', ok, `the witness ${witness.name} ${what}`, where);
  }
  const known = [...keys, ...witnesses, ...named];
  for (const { name, id } of head.signatures) {
    if (known.some((key) => key.name === name && key.id === id)) continue;
    report.add('cosignature', 'unknown', `a signature by ${name} (${id}), whose key is not known`, where);
  }
}

/** Reports of each witness that its reader trusts whether it has seen every record that is proven. */
export function judgeSeen(
  { report, witnesses, seen }: Job,
  leaves: Iterable<number>,
  size: number,
  where: string,
): void {
  for (const { name, vkey } of witnesses) {
    const until = seen.get(vkey) ?? 0;
    const beyond = [...leaves].filter((leaf) => leaf >= until).length;
    const wait = beyond ? ': wait for it, and get a new file' : '';
    report.add(
      'trust',
      !beyond || 'unknown',
      `the witness ${name} has cosigned ${until} of ${size} leaves, and ${beyond} records lie beyond${wait}`,
      where,
    );
  }
}

/** No date is later than this second. */
const LAST = 8.64e12;

const dateOf = (seconds: number): string =>
  seconds > LAST ? `second ${seconds}` : new Date(seconds * 1000).toISOString();

async function readWitnesses(report: Report, listed: unknown, where: string): Promise<Key[]> {
  const keys: Key[] = [];
  // More lines than this no note has.
  for (const one of (listed as unknown[]).slice(0, 101)) {
    const bad = (what: string): never => refuse(what, where, 'cosignature');
    if (keys.length === 100) bad('more than 100 witnesses');
    demand(report, one, { name: 'text', vkey: 'text' }, where, 'cosignature');
    const { name, vkey } = one as { name: string; vkey: string };
    const key = await orRefuse(parseKey, vkey, where, 'cosignature');
    if (key.type !== WITNESS_KEY) bad(`the key of ${key.name} is not that of a witness`);
    if (key.name !== name) bad(`the witness "${name}" has a key of another name, ${key.name}`);
    keys.push(key);
  }
  return keys;
}
