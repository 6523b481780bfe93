import type { Knex } from 'knex';
import type { Context } from '../context';
import type { DsarRow, EnvironmentRow } from '../db/models';
import { withSearches } from '../domain/search-list';
import { evidenceOfSteps } from '../ledger/steps-evidence';
import type { Vault } from '../security/vault';
import { dsarView } from './dsar-view';
import { undeliveredOf } from './mail/undelivered';
import { countsOf, linesOf } from './search-lists';
import type { SessionView } from './session-view';

/** The answer in words of a request; null when there is none, and when no key opens it. */
const answerOf = (vault: Vault, { answer }: DsarRow): string | null =>
  answer === null || !vault.opens(answer) ? null : vault.open(answer);

/** A data-subject request with everything that is known of it, as the contract has it. */
export async function dsarProof(
  { db, vault, mail }: { db: Knex } & Pick<Context, 'vault' | 'mail'>,
  environment: EnvironmentRow,
  row: DsarRow,
  sessions: SessionView,
) {
  const lines = await linesOf(db, row.environment_id, row.request_id);
  return {
    ...dsarView({ mail }, row, sessions, environment),
    history: withSearches(row.history, lines),
    answer: answerOf(vault, row),
    undelivered: await undeliveredOf(db, row),
    search: lines.length === 0 ? null : countsOf(lines),
    evidence: await evidenceOfSteps(db, row.environment_id, 'dsar', row.request_id),
  };
}
