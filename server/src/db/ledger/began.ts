import type { Knex } from 'knex';
import { clock } from '../../domain/clock';
import type { HeadRow } from './heads';
import { recordIn } from './kept';

/** The contract step after which every process writes decisions with what seals them. */
export const SEALED_STEP = '20261124042329_sealed_records';
/** How long after it a process of before may still have written, in milliseconds. */
const CUTOFF = 60_000;

/** From when on every record was written with what seals it; undefined before that step. */
export async function sealedFrom(db: Knex): Promise<Date | undefined> {
  const step = await db('contract_steps').where({ name: SEALED_STEP }).first('started_at');
  return step === undefined ? undefined : new Date(step.started_at.getTime() + CUTOFF);
}

/** Before which instant the site may have had no log, as its import says, which is sealed; empty where it had none. */
export async function beganAt(db: Knex, environment_id: string, head: HeadRow | undefined): Promise<string> {
  if (head === undefined ? await isOlder(db, environment_id) : !head.import_done)
    return clock.date().toISOString();
  const fact = await db('ledger_facts')
    .where({ environment_id, kind: 'import', subject: environment_id })
    .orderBy('fact_id', 'desc')
    .first('statement');
  return String(recordIn(fact?.statement ?? null).cutoff ?? '');
}

/** Whether a site whose log has not begun may have records from before the log, which wait for the import. */
async function isOlder(db: Knex, environment_id: string): Promise<boolean> {
  const from = await sealedFrom(db);
  if (from === undefined) return true;
  const site = await db('environments').where({ id: environment_id }).first('created_at');
  return site !== undefined && site.created_at < from;
}
