import type { Knex } from 'knex';
import { clock } from '../domain/clock';
import { impossibleSince } from '../domain/ledger/erasure-rules';
import { DAY_MS } from '../domain/time';
import { endsAll } from './errors';
import { keepFound } from './ledger/audits';
import { NO_LEAVES, provenDigest } from './ledger/erased-notes';
import { sealFact } from './ledger/facts';
import { lastSealedOf } from './ledger/kept';
import { erasureRecord } from './ledger/records';
import { ErasureRow } from './models';

/** What records of erasures count, by column. */
export const ERASED_KINDS = [
  ...['consents', 'choices', 'form_consents', 'requests', 'events', 'deliveries'],
  ...['searches', 'mails', 'answer_files'],
] as const satisfies readonly (keyof ErasureRow)[];
type ErasedKind = (typeof ERASED_KINDS)[number];
export type ErasedCounts = Partial<Record<ErasedKind, number>>;

/** A record that counts nothing. */
export const NOTHING = Object.fromEntries(ERASED_KINDS.map((kind) => [kind, 0])) as Record<ErasedKind, 0>;

/** After so long, in milliseconds, an erasure that has not ended was cut off. */
const CUT_OFF = DAY_MS;
/** So many of a site are read at once. */
const SOME = 1_000;

/**
 * Seals what erasures took that were killed and never repeated, as it was counted: they say that they did not end. The
 * ones that took nothing go. Resolves with those that cannot be what was sealed of them, which stay as they are.
 */
export async function sealCutOff(db: Knex, environment_id: string, now: Date): Promise<string[]> {
  const before = new Date(now.getTime() - CUT_OFF);
  const refused: string[] = [];
  const failures: unknown[] = [];
  for (let after = NIL; ; ) {
    const ids: string[] = await db('erasures')
      .where({ environment_id })
      .where('begun_at', '<', before)
      .where('running', '>', 0)
      .where('erasure_id', '>', after)
      .orderBy('erasure_id')
      .limit(SOME)
      .pluck('erasure_id');
    for (const id of ids) {
      try {
        if (!(await sealOne(db, environment_id, id))) refused.push(id);
      } catch (error) {
        if (endsAll(error)) throw error;
        // The others of the site are sealed all the same.
        failures.push(error);
      }
    }
    if (ids.length < SOME) break;
    after = ids.at(-1) as string;
  }
  // What was refused is kept as found, and told by the next look.
  if (failures.length > 0) throw failures[0];
  return refused;
}

const NIL = '00000000-0000-0000-0000-000000000000';

/** Whether it could be sealed, or nothing was left to do. */
const sealOne = (db: Knex, environment_id: string, erasure_id: string): Promise<boolean> =>
  db.transaction(async (trx) => {
    const open = () => ErasureRow.query(trx).where({ environment_id, erasure_id });
    // It may have ended since it was found.
    const row = await open().where('running', '>', 0).forUpdate().first();
    if (row === undefined) return true;
    if ((await genuineAmong(trx, environment_id, [row])).length === 0) return false;
    await open().patch({ running: 0, whole: false });
    const noted = await trx('ledger_erased').where({ environment_id, erasure_id }).first('n');
    if (noted === undefined) await open().where(NOTHING).delete();
    await sealErasures(trx, environment_id, [erasure_id]);
    return true;
  });

/** Seals erasures that have come to an end, as they are now; not one that is not the server's own. */
export async function sealErasures(trx: Knex, environment_id: string, ids: readonly string[]): Promise<void> {
  const rows = await ErasureRow.query(trx)
    .where({ environment_id, running: 0 })
    .whereIn('erasure_id', [...ids]);
  for (const { row, leaves, after } of await genuineAmong(trx, environment_id, rows)) {
    const { erasure_id } = row;
    if (ERASED_KINDS.every((kind) => row[kind] === 0) && leaves === NO_LEAVES) continue;
    await sealFact(trx, {
      ...{ environmentId: environment_id, kind: 'erasure', subject: erasure_id, keep: true, after },
      record: erasureRecord(row, leaves),
    });
  }
}

/** A row that is the server's own, with the digest of what it took. */
interface Genuine {
  row: ErasureRow;
  leaves: string;
  /** The fact that sealed it last. */
  after: string | undefined;
}

/**
 * Without those that somebody changed, or noted something for, in the database, since a code of ours would make it
 * genuine: they are a finding.
 */
async function genuineAmong(
  trx: Knex,
  environment_id: string,
  rows: readonly ErasureRow[],
): Promise<Genuine[]> {
  const ids = rows.map(({ erasure_id }) => erasure_id);
  const sealed = await lastSealedOf(trx, environment_id, 'erasure', ids);
  const genuine: Genuine[] = [];
  for (const row of rows) {
    const { erasure_id } = row;
    const before = sealed.get(erasure_id);
    const last = before?.step;
    const wrong = last === undefined ? [] : impossibleSince(last, erasureRecord(row, ''));
    const leaves = await provenDigest(trx, environment_id, erasure_id);
    if (wrong.length === 0 && leaves !== undefined) {
      genuine.push({ row, leaves, after: before?.fact_id });
      continue;
    }
    const why =
      wrong.length === 0
        ? 'has notes in ledger_erased that no server made'
        : `cannot be what was sealed: ${wrong.join(', ')}`;
    await keepFound(trx, environment_id, `erasure: erasure ${erasure_id} ${why}`, clock.date());
  }
  return genuine;
}
