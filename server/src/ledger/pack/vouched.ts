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

/**
 * The head with what others said of it, then earlier checkpoints that somebody vouched for: the first and the newest of
 * those that hold the first record of the pack, which show that it existed by then.
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
  const [first, newest] = [await earlier('asc'), await earlier('desc')];
  const rows = new Map(
    [first, newest].flatMap((row) => (row === undefined ? [] : [[Number(row.size), row]])),
  );
  const checkpoints = [await withVouchers(db, environment_id, size, note)];
  for (const [at, row] of rows) {
    const consistency = (await proveGrowth(db, environment_id, at, size)).map((hash) =>
      hash.toString('base64'),
    );
    checkpoints.push({ ...(await withVouchers(db, environment_id, at, row.note)), consistency });
  }
  return checkpoints;
}

const sameOf = (db: Knex, table: string) =>
  db(`${table} as v`).select(db.raw('1')).whereRaw('v.environment_id = c.environment_id AND v.size = c.size');

async function withVouchers(
  db: Knex,
  environment_id: string,
  size: number,
  note: string,
): Promise<VouchedCheckpoint> {
  const lines: { witness: string; line: string }[] = await db('ledger_cosignatures')
    .where({ environment_id, size })
    .orderBy('witness')
    .select('witness', 'line');
  const stamps: { authority: string; token: Buffer; gen_time: Date }[] = await db('ledger_timestamps')
    .where({ environment_id, size })
    .orderBy('authority')
    .select('authority', 'token', 'gen_time');
  return {
    note: note + lines.map(({ line }) => `${line.trimEnd()}\n`).join(''),
    witnesses: lines.map(({ witness }) => ({ name: nameIn(witness), vkey: witness })),
    timestamps: stamps.map(({ authority, token, gen_time }, n) => ({
      ...{ authority, genTime: gen_time.toISOString(), response: timeStampFile(token) },
      file: `timestamps/${size}-${n + 1}.tsr`,
    })),
  };
}

/** The name in a key as verifiers take it: `name+hash+key`. */
const nameIn = (vkey: string): string => vkey.slice(0, vkey.indexOf('+'));
