import type { Knex } from 'knex';
import type { HeadRow } from '../../db/ledger/heads';
import { timeStampFile } from '../../domain/ledger/time-stamp-file';
import { proveGrowth } from '../proofs';

/** A checkpoint as a pack tells of it. */
export interface VouchedCheckpoint {
  note: string;
  witnesses: { name: string; vkey: string }[];
  timestamps: { authority: string; genTime: string; file: string; response: Buffer }[];
  /** That it is the beginning of the log that the proofs are against; undefined of that one itself. */
  consistency?: string[];
}

interface CheckpointRow {
  size: string;
  note: string;
}

/** Checkpoints of one pack: verifiers read no more than ten. */
const MOST = 10;
/** Cosignatures that are looked at for a receipt, the newest ones. */
const LOOKED_AT = 100;

/**
 * The head with what others said of it, then earlier checkpoints that somebody vouched for: the first and the newest of
 * those that hold the first record of the pack, which show that it existed by then, and the newest of each witness, which
 * whoever trusts that one alone goes by.
 * @param leaf the place of that record; undefined when it is not sealed
 */
export async function vouchedCheckpoints(
  db: Knex,
  head: HeadRow,
  leaf: number | undefined,
): Promise<VouchedCheckpoint[]> {
  const { environment_id, size, note } = head;
  const earlier = (order: 'asc' | 'desc'): Promise<CheckpointRow | undefined> =>
    db('ledger_checkpoints as c')
      .where({ environment_id })
      .where('size', '<', size)
      .where('size', '>', leaf ?? size)
      .where((vouched) =>
        vouched.whereExists(sameOf(db, 'ledger_timestamps')).orWhereExists(sameOf(db, 'ledger_cosignatures')),
      )
      .orderBy('size', order)
      .first();
  const ofWitnesses: CheckpointRow[] = await db('ledger_checkpoints as c')
    .join(newestOfWitnesses(db, head, leaf ?? size), 'n.size', 'c.size')
    .where({ environment_id })
    .where('c.size', '<', size)
    .orderBy('c.size', 'desc')
    .limit(MOST)
    .select('c.size', 'c.note');
  const found = [await earlier('asc'), await earlier('desc'), ...ofWitnesses];
  const rows = new Map(found.flatMap((row) => (row === undefined ? [] : [[Number(row.size), row]])));
  const checkpoints = [await withVouchers(db, environment_id, size, note)];
  for (const [at, row] of [...rows].slice(0, MOST - 1)) {
    const consistency = (await proveGrowth(db, environment_id, at, size)).map((hash) =>
      hash.toString('base64'),
    );
    checkpoints.push({ ...(await withVouchers(db, environment_id, at, row.note)), consistency });
  }
  return checkpoints;
}

/** The newest size up to a head that each witness has cosigned and that holds a leaf, each once. */
const newestOfWitnesses = (db: Knex, { environment_id, size }: HeadRow, leaf: number) =>
  db
    .from(
      db('ledger_cosignatures')
        .where({ environment_id })
        .where('size', '>', leaf)
        .where('size', '<=', size)
        .groupBy('witness')
        .max('size as size')
        .as('w'),
    )
    .distinct('w.size')
    .as('n');

/** A checkpoint that witnesses have cosigned. */
export interface CosignedCheckpoint extends Pick<VouchedCheckpoint, 'note' | 'witnesses'> {
  size: number;
}

/**
 * Of the checkpoints that hold a leaf the one that most witnesses have cosigned, and of these the newest, as far as the
 * log's present key has signed it: who has that key alone trusts no earlier one. Undefined where there is none.
 */
export async function cosignedCheckpoint(
  db: Knex,
  { environment_id, size, note }: HeadRow,
  leaf: number,
): Promise<CosignedCheckpoint | undefined> {
  const seen: CheckpointRow[] = await db('ledger_cosignatures as w')
    .join('ledger_checkpoints as c', (on) =>
      on.on('c.environment_id', 'w.environment_id').on('c.size', 'w.size'),
    )
    .where('w.environment_id', environment_id)
    .where('w.size', '>', leaf)
    .where('w.size', '<=', size)
    .orderBy('w.size', 'desc')
    .limit(LOOKED_AT)
    .select('w.size', 'c.note');
  // The head as it is signed now: after a rotation a log that has not grown has a new signature under the same text.
  const rows = seen.map((row) => (Number(row.size) === Number(size) ? { ...row, note } : row));
  const counts = new Map<string, { note: string; count: number }>();
  for (const row of rows)
    if (keyIn(row.note) === keyIn(note)) {
      const { count } = counts.get(row.size) ?? { count: 0 };
      counts.set(row.size, { note: row.note, count: count + 1 });
    }
  const most = Math.max(...[...counts.values()].map(({ count }) => count));
  for (const [at, one] of counts)
    if (one.count === most)
      return { size: Number(at), ...(await cosigned(db, environment_id, at, one.note)) };
  return undefined;
}

/** The name of the key in the first signature line, which is the log's: four bytes, in the first signs of the base64. */
const keyIn = (note: string): string | undefined => /\n\n— \S+ (\S{5})/.exec(note)?.[1];

const sameOf = (db: Knex, table: string) =>
  db(`${table} as v`).select(db.raw('1')).whereRaw('v.environment_id = c.environment_id AND v.size = c.size');

async function withVouchers(
  db: Knex,
  environment_id: string,
  size: number,
  note: string,
): Promise<VouchedCheckpoint> {
  const stamps: { authority: string; token: Buffer; gen_time: Date }[] = await db('ledger_timestamps')
    .where({ environment_id, size })
    .orderBy('authority')
    .select('authority', 'token', 'gen_time');
  return {
    ...(await cosigned(db, environment_id, size, note)),
    timestamps: stamps.map(({ authority, token, gen_time }, n) => ({
      ...{ authority, genTime: gen_time.toISOString(), response: timeStampFile(token) },
      file: `timestamps/${size}-${n + 1}.tsr`,
    })),
  };
}

/** A checkpoint with the lines of its witnesses. */
async function cosigned(
  db: Knex,
  environment_id: string,
  size: number | string,
  note: string,
): Promise<Pick<VouchedCheckpoint, 'note' | 'witnesses'>> {
  const lines: { witness: string; line: string }[] = await db('ledger_cosignatures')
    .where({ environment_id, size })
    .orderBy('witness')
    .select('witness', 'line');
  return {
    note: note + lines.map(({ line }) => `${line.trimEnd()}\n`).join(''),
    witnesses: lines.map(({ witness }) => ({ name: nameIn(witness), vkey: witness })),
  };
}

/** The name in a key as verifiers take it: `name+hash+key`. */
const nameIn = (vkey: string): string => vkey.slice(0, vkey.indexOf('+'));
