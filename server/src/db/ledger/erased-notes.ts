import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { isGenuineNote, noteMac } from '../../domain/ledger/erased-note';
import { HASH_BYTES } from '../../domain/ledger/hash';
import { groupKeyOf } from './group-key';

/** Commitments whose records an erasure takes, in hexadecimal digits; filled while it works. */
export type Gone = string[];

/** A note as it is stored. */
export interface StoredNote {
  environment_id: string;
  erasure_id: string;
  n: number;
  commitments: Buffer;
  mac: Buffer | null;
}

/**
 * Notes them, in a transaction; the number that the note got. The row of the erasure is locked, so that two notes never
 * get the same.
 */
export async function noteErased(
  trx: Knex,
  environment_id: string,
  erasure_id: string,
  gone: Gone,
): Promise<number | undefined> {
  if (gone.length === 0) return undefined;
  await trx('erasures').where({ environment_id, erasure_id }).forUpdate().first('erasure_id');
  const last = await trx('ledger_erased').where({ environment_id, erasure_id }).max('n as n').first();
  const n = Number(last?.n ?? 0) + 1;
  const note = { environment_id, erasure_id, n, commitments: Buffer.from(gone.join(''), 'hex') };
  await trx('ledger_erased').insert({ ...note, mac: noteMac(groupKeyOf(trx), note) });
  return n;
}

/** The digest of no commitments. */
export const NO_LEAVES = createHash('sha256').digest('hex');

/** Commitments in memory at once. */
const AT_ONCE = 10_000;
/** Notes that one statement sorts at least, of up to 5,000 commitments each: a second or two. */
const SORTED = 100;
/** Statements that sort, at most: the database holds each sort until all end. A hundred million take six seconds each. */
const RUNS = 32;

/** More than any note's number. */
const ALL = Number.MAX_SAFE_INTEGER;

/** What an erasure took, as it is sealed. */
interface ErasedSet {
  /** SHA-256 of the sorted commitments, in hexadecimal digits. */
  digest: string;
  size: number;
}

/**
 * The database sorts the commitments, since there may be millions: some notes at a time, whose order is merged here. In a
 * transaction.
 * @param upTo the number of the last note that counts
 */
async function erasedSet(
  trx: Knex,
  environment_id: string,
  erasure_id: string,
  upTo = ALL,
): Promise<ErasedSet> {
  // By those that are there: a number that somebody wrote into the database may be any.
  const notes: number[] = await trx('ledger_erased')
    .where({ environment_id, erasure_id })
    .where('n', '<=', upTo)
    .orderBy('n')
    .pluck('n');
  const length = Math.max(SORTED, Math.ceil(notes.length / RUNS));
  let open: SortedRun[] = [];
  for (let from = 0; from < notes.length; from += length) {
    const part = notes.slice(from, from + length);
    const name = `erased_${from}`;
    await trx.raw(
      `DECLARE ?? NO SCROLL CURSOR FOR
         SELECT substring(commitments FROM 1 + 32 * i FOR 32) AS commitment
         FROM ledger_erased CROSS JOIN LATERAL generate_series(0, length(commitments) / 32 - 1) AS i
         WHERE environment_id = ? AND erasure_id = ? AND n BETWEEN ? AND ? ORDER BY commitment`,
      [name, environment_id, erasure_id, part[0] as number, part.at(-1) as number],
    );
    open.push({ name, read: [] });
  }
  const some = Math.floor(AT_ONCE / Math.max(open.length, 1));
  const digest = createHash('sha256');
  let size = 0;
  while (open.length > 0) {
    for (const run of open) {
      if (run.read.length > 0) continue;
      const { rows } = await trx.raw<{ rows: { commitment: Buffer }[] }>('FETCH FORWARD ?? FROM ??', [
        trx.raw(String(some)),
        run.name,
      ]);
      run.read = rows.map(({ commitment }) => commitment);
      if (rows.length === 0) await trx.raw('CLOSE ??', [run.name]);
    }
    open = open.filter(({ read }) => read.length > 0);
    // Of each run nothing is before what was read of it, so that up to the least of the last ones all are here.
    const until = least(open.map(({ read }) => read.at(-1) as Buffer));
    const next = open.flatMap((run) => takeUntil(run, until));
    if (open.length > 1) next.sort(Buffer.compare);
    for (const commitment of next) digest.update(commitment);
    size += next.length;
  }
  return { digest: digest.digest('hex'), size };
}

/** Commitments of some notes, in order: what is read of them and not taken yet. */
interface SortedRun {
  name: string;
  read: Buffer[];
}

const least = (all: readonly Buffer[]): Buffer =>
  all.reduce((one, other) => (Buffer.compare(one, other) <= 0 ? one : other), all[0] as Buffer);

/** Takes what is not after it. */
function takeUntil(run: SortedRun, until: Buffer): Buffer[] {
  const after = run.read.findIndex((one) => Buffer.compare(one, until) > 0);
  const taken = after === -1 ? run.read : run.read.slice(0, after);
  run.read = after === -1 ? [] : run.read.slice(after);
  return taken;
}

/** The digest alone. */
export const erasedDigest = async (...of: Parameters<typeof erasedSet>): Promise<string> =>
  (await erasedSet(...of)).digest;

/** Notes that are read at once: each holds up to 5,000 commitments. */
const NOTES = 20;

/**
 * The digest of what an erasure took, to be sealed; undefined where a note is not the server's own, since sealing would
 * make it genuine. In a transaction that holds the row of the erasure: no server adds a note meanwhile, and nobody
 * changes one that was read.
 */
export async function provenDigest(
  trx: Knex,
  environment_id: string,
  erasure_id: string,
): Promise<string | undefined> {
  let size = 0;
  for (let after = 0; ; ) {
    const notes: StoredNote[] = await trx('ledger_erased')
      .where({ environment_id, erasure_id })
      .where('n', '>', after)
      .orderBy('n')
      .limit(NOTES)
      .forUpdate();
    for (const note of notes) {
      if (!isGenuineNote(groupKeyOf(trx), note, note.mac)) return undefined;
      size += note.commitments.length / HASH_BYTES;
    }
    const last = notes.at(-1);
    if (last === undefined) break;
    after = last.n;
  }
  const all = await erasedSet(trx, environment_id, erasure_id);
  return all.size === size ? all.digest : undefined;
}
