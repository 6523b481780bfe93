import type { Knex } from 'knex';
import { clock } from '../../domain/clock';
import type { HeadRow } from './heads';
import { recordIn } from './kept';

/** Before which instant the site may have had no log, as its import says, which is sealed; empty where it had none. */
export async function beganAt(db: Knex, environment_id: string, head: HeadRow | undefined): Promise<string> {
  if (head !== undefined && !head.import_done) return clock.date().toISOString();
  const fact = await db('ledger_facts')
    .where({ environment_id, kind: 'import', subject: environment_id })
    .orderBy('fact_id', 'desc')
    .first('statement');
  return String(recordIn(fact?.statement ?? null).cutoff ?? '');
}
