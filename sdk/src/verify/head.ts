import type { Job } from './keyring.js';
import { type Key, parseKey, WITNESS_KEY } from './keys.js';
import { misfit } from './lines.js';
import { type Checkpoint, cosignedAt, isSigned, linesOf, readCheckpoint } from './note.js';
import { refuse, type Step } from './report.js';

/** The keys of a log, and those of them that are trusted. */
export interface LogKeys {
  origin: string;
  keys: readonly Key[];
  reached: ReadonlySet<Key>;
}

/** Whether something holds, and what, in words. */
type Found = [ok: Step['ok'], what: string];

/** A checkpoint with what was found of its signature: undefined where none could be checked. */
export interface Head extends Checkpoint {
  signedBy: Key | undefined;
}

/**
 * Reads a checkpoint and reports whether the log has signed it.
 * @throws {Refusal} when it is none, or one of another log
 */
export async function judgeCheckpoint(job: Job, log: LogKeys, note: string, where: string): Promise<Head> {
  const { report, canVerify } = job;
  const checkpoint = read(note, where);
  const { origin, size } = checkpoint;
  if (origin !== log.origin)
    refuse(`the checkpoint is of the log ${origin}, not of ${log.origin}`, where, 'checkpoint');
  const named = log.keys.filter((key) => linesOf(key, checkpoint).length > 0);
  let signedBy: Key | undefined;
  for (const key of named) if (canVerify && !signedBy && (await isSigned(checkpoint, key))) signedBy = key;
  if (signedBy !== undefined) report.found.heads.push(checkpoint);
  const [ok, what]: Found =
    signedBy !== undefined
      ? [true, `is signed by the key ${signedBy.id}`]
      : canVerify || named.length === 0
        ? [false, 'has no right signature of a listed key']
        : ['unknown', 'could not be checked'];
  report.add('checkpoint', ok, `the head of ${size} leaves ${what}`, where);
  return { ...checkpoint, signedBy };
}

function read(note: string, where: string): Checkpoint {
  try {
    return readCheckpoint(note);
  } catch (error) {
    refuse((error as Error).message, where, 'checkpoint');
  }
}

/**
 * Reports whether who reads this has reason to trust the key.
 * @param isOlder whether a trusted head must continue this one, so that its tree needs no other signature
 */
export function judgeTrust(
  { report, trusted }: Job,
  log: LogKeys,
  { signedBy }: Head,
  where: string,
  isOlder = false,
): void {
  if (signedBy === undefined) return;
  const { vkey } = signedBy;
  const [ok, what]: Found =
    trusted.length === 0
      ? ['unknown', 'you named no key that you trust: compare it with what the site publishes']
      : log.reached.has(signedBy)
        ? [true, `${trusted.some((one) => one.vkey === vkey) ? 'one' : 'endorsed by one'} that you trust`]
        : isOlder && log.keys.indexOf(signedBy) < log.keys.indexOf([...log.reached][0] as Key)
          ? ['unproven', 'older than one that you trust']
          : [false, 'none of the keys that you trust'];
  report.add('trust', ok, `it is signed by ${vkey}: ${what}`, where);
}

/**
 * Reports of each witness whether it has cosigned, and of signature lines that nobody here knows. Of a head that is older
 * than the one of the proofs, no witness must have.
 */
export async function judgeWitnesses(
  job: Job,
  { keys }: LogKeys,
  head: Head,
  listed: { witnesses: unknown; isOlder: boolean },
  where: string,
): Promise<void> {
  const { report, witnesses, canVerify } = job;
  const named = await readWitnesses(listed.witnesses, where);
  const asked = witnesses.filter((one) => !listed.isOlder || linesOf(one, head).length > 0);
  const others = named.filter(({ vkey }) => !asked.some((one) => one.vkey === vkey));
  for (const witness of [...asked, ...others]) {
    const isTrusted = asked.includes(witness);
    const time = canVerify ? await cosignedAt(head, witness) : undefined;
    const caveat = isTrusted ? '' : '; its key is known from this file only';
    const [ok, what]: Found =
      time !== undefined
        ? [isTrusted || 'unknown', `had seen the head of ${head.size} leaves by ${dateOf(time)}${caveat}`]
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

const dateOf = (seconds: number): string => {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? `second ${seconds}` : date.toISOString();
};

async function readWitnesses(listed: unknown, where: string): Promise<Key[]> {
  const bad = (what: string): never => refuse(what, where, 'cosignature');
  const keys: Key[] = [];
  // More lines than this no note has.
  for (const one of (listed as unknown[]).slice(0, 101)) {
    const wrong = misfit(one, { name: 'text', vkey: 'text' });
    if (wrong !== undefined || keys.length === 100) return bad(wrong ?? 'more than 100 witnesses');
    const { name, vkey } = one as { name: string; vkey: string };
    const key = await parseKey(vkey).catch((error: Error) => bad(error.message));
    if (key.type !== WITNESS_KEY) bad(`the key of ${key.name} is not that of a witness`);
    if (key.name !== name) bad(`the witness "${name}" has a key of another name, ${key.name}`);
    if (!keys.some((other) => other.vkey === vkey)) keys.push(key);
  }
  return keys;
}
