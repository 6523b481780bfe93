import type { Knex } from 'knex';
import { ROLLED_BACK } from '../../domain/ledger/vouching-warnings';

/** Why a witness or authority has not vouched; the last two say that the log was rolled back or forked. */
/** `unprovable`: our own log lacks what a proof of it needs. */
export type Problem =
  | ('unreachable' | 'unknown_log' | 'bad_answer' | 'larger_tree' | 'other_tree')
  | 'unprovable';

/** How it stands between a site's log and a witness or authority. */
export interface VoucherRow {
  environment_id: string;
  /** The verifier key of a witness, the URL of an authority. */
  voucher: string;
  /** Leaves that it has vouched for; 0: none yet. */
  size: number;
  vouched_at: Date | null;
  next_at: Date;
  failures: number;
  failing_since: Date | null;
  problem: Problem | null;
}

/** A log that somebody is to vouch for. */
export interface DueLog {
  environment_id: string;
  /** Leaves that the voucher has vouched for, and how often it has failed since. */
  vouched: number;
  failures: number;
}

/** As a list of SQL. */
const ROLLED = `('${ROLLED_BACK.join("', '")}')`;

const DUE = `FROM ledger_heads h JOIN environments e ON e.id = h.environment_id AND e.deleted_at IS NULL
  LEFT JOIN ledger_vouchers v ON v.environment_id = h.environment_id AND v.voucher = :voucher
  WHERE h.size > coalesce(v.size, 0) AND (v.next_at IS NULL OR v.next_at <= :now)`;

/** Logs that have grown since the voucher vouched for them, and that it may be asked about now, in order of site. */
export async function dueLogs(
  db: Knex,
  voucher: string,
  now: Date,
  { after, limit }: { after: string | null; limit: number },
): Promise<DueLog[]> {
  const { rows } = await db.raw<{ rows: DueLog[] }>(
    `SELECT h.environment_id, coalesce(v.size, 0) AS vouched, coalesce(v.failures, 0) AS failures ${DUE}
       AND (:after::uuid IS NULL OR h.environment_id > :after::uuid) ORDER BY h.environment_id LIMIT :limit`,
    { voucher, now, after: after as string, limit },
  );
  return rows.map((row) => ({ ...row, vouched: Number(row.vouched) }));
}

/** What was received from a voucher, with the checkpoint that it is of. */
export interface Vouched {
  environment_id: string;
  voucher: string;
  size: number;
  /** The signed checkpoint. */
  note: string;
  at: Date;
  /** When it is asked again. */
  next_at: Date;
  /** A witness's signature line, or an authority's time-stamp. */
  proof: { line: string } | { authority: string; token: Buffer; gen_time: Date };
}

/**
 * When somebody who has vouched now is asked again: together with another one whose turn comes in the later half of the
 * time between two, so that all come at one time from then on; otherwise when that time is over.
 * @param beside the others, by id
 */
export async function nextTurn(
  db: Knex,
  environment_id: string,
  { now, every, beside }: { now: Date; every: number; beside: readonly string[] },
): Promise<Date> {
  const [half, whole] = [every / 2, every].map((ms) => new Date(now.getTime() + ms)) as [Date, Date];
  const other: Pick<VoucherRow, 'next_at'> | undefined = await db<VoucherRow>('ledger_vouchers')
    .where({ environment_id })
    .whereIn('voucher', beside)
    .whereNull('failing_since')
    .where('next_at', '>', half)
    .where('next_at', '<', whole)
    .orderBy('next_at', 'desc')
    .first('next_at');
  return other?.next_at ?? whole;
}

/**
 * Keeps a head that was handed out under the signature of another key: what others said of its text holds under any. One
 * of the same size with another text is left as it is: it shows that the log was forked.
 */
export async function renewCheckpoint(
  trx: Knex,
  { environment_id, size, note }: { environment_id: string; size: number; note: string },
): Promise<void> {
  const text = note.slice(0, note.indexOf('\n\n') + 2);
  await trx('ledger_checkpoints')
    .where({ environment_id, size })
    .whereRaw('starts_with(note, ?)', [text])
    .update({ note });
}

/** Stores what somebody vouched for, all of it or nothing. */
export async function keepVouched(db: Knex, vouched: Vouched): Promise<void> {
  const { environment_id, voucher, size, note, at, next_at, proof } = vouched;
  await db.transaction(async (trx) => {
    await trx('ledger_checkpoints')
      .insert({ environment_id, size, at, note })
      .onConflict(['environment_id', 'size'])
      .ignore();
    if ('line' in proof) {
      const row = { environment_id, size, witness: voucher, line: proof.line, at };
      await trx('ledger_cosignatures').insert(row).onConflict(['environment_id', 'size', 'witness']).merge();
    } else {
      await trx('ledger_timestamps')
        .insert({ environment_id, size, at, ...proof })
        .onConflict(['environment_id', 'size', 'authority'])
        .merge();
    }
    const state = { size, vouched_at: at, next_at, failures: 0, failing_since: null, problem: null };
    await trx('ledger_vouchers')
      .insert({ environment_id, voucher, ...state })
      .onConflict(['environment_id', 'voucher'])
      .merge(Object.keys(state));
  });
}

/**
 * Stores failures, which end with what is vouched for next. That a log was rolled back is no less true because its
 * witness is away or answers something else later: only another answer of that kind replaces it.
 */
const storeFailures = (rows: string): string =>
  `INSERT INTO ledger_vouchers AS known (environment_id, voucher, size, next_at, failures, failing_since, problem) ${rows}
   ON CONFLICT (environment_id, voucher) DO UPDATE SET next_at = EXCLUDED.next_at,
     failures = greatest(known.failures, EXCLUDED.failures), failing_since = coalesce(known.failing_since, EXCLUDED.failing_since),
     problem = CASE WHEN known.problem IN ${ROLLED} AND EXCLUDED.problem NOT IN ${ROLLED}
       THEN known.problem ELSE EXCLUDED.problem END`;

/** Stores that a voucher has failed for a log. */
export const keepFailure = (
  db: Knex,
  { environment_id, failures }: DueLog,
  { voucher, problem, now, next_at }: { voucher: string; problem: Problem; now: Date; next_at: Date },
): Promise<unknown> =>
  db.raw(storeFailures('VALUES (:environment_id, :voucher, 0, :next_at, :failures, :now, :problem)'), {
    environment_id,
    voucher,
    problem,
    now,
    next_at,
    failures: failures + 1,
  });

/** Stores that a voucher cannot be reached, for all logs that it was to be asked about: their waits are theirs. */
export const keepOutage = (db: Knex, voucher: string, now: Date, next_at: Date): Promise<unknown> =>
  db.raw(storeFailures(`SELECT h.environment_id, :voucher, 0, :next_at, 0, :now, 'unreachable' ${DUE}`), {
    voucher,
    now,
    next_at,
  });

/** The vouchers of a site that fail, by name. */
export const failingVouchers = (
  db: Knex,
  environment_id: string,
  vouchers: readonly string[],
): Promise<VoucherRow[]> =>
  db<VoucherRow>('ledger_vouchers')
    .where({ environment_id })
    .whereIn('voucher', vouchers)
    .whereNotNull('failing_since')
    .orderBy('voucher');

/** How many logs are not vouched for: by a voucher that fails for so long, and by one that says they went back. */
export async function countUnvouched(
  db: Knex,
  vouchers: readonly string[],
  before: Date,
): Promise<{ failing: number; rolledBack: number }> {
  const { rows } = await db.raw<{ rows: [{ failing: string; rolled_back: string }] }>(
    `SELECT count(*) FILTER (WHERE v.failing_since < :before) AS failing,
       count(*) FILTER (WHERE v.problem IN ${ROLLED}) AS rolled_back
     FROM ledger_vouchers v JOIN environments e ON e.id = v.environment_id AND e.deleted_at IS NULL
     WHERE v.voucher = ANY (:vouchers) AND v.failing_since IS NOT NULL`,
    { vouchers: [...vouchers], before },
  );
  return { failing: Number(rows[0].failing), rolledBack: Number(rows[0].rolled_back) };
}

/** What somebody vouched for last, with the checkpoint that it is of. */
export interface ProofRow extends Pick<VoucherRow, 'voucher' | 'size' | 'vouched_at' | 'failing_since'> {
  note: string | null;
  /** Of a witness. */
  line: string | null;
  /** Of an authority. */
  token: Buffer | null;
  gen_time: Date | null;
}

/** The latest proof of each of these vouchers, where there is one. */
export async function latestProofs(
  db: Knex,
  environment_id: string,
  vouchers: readonly string[],
): Promise<ProofRow[]> {
  const { rows } = await db.raw<{ rows: ProofRow[] }>(
    `SELECT v.voucher, v.size, v.vouched_at, v.failing_since, p.note, c.line, t.token, t.gen_time FROM ledger_vouchers v
     LEFT JOIN ledger_checkpoints p ON p.environment_id = v.environment_id AND p.size = v.size
     LEFT JOIN ledger_cosignatures c ON c.environment_id = v.environment_id AND c.size = v.size AND c.witness = v.voucher
     LEFT JOIN ledger_timestamps t ON t.environment_id = v.environment_id AND t.size = v.size AND t.authority = v.voucher
     WHERE v.environment_id = :environment_id AND v.voucher = ANY (:vouchers)`,
    { environment_id, vouchers: [...vouchers] },
  );
  return rows;
}
