import type { Knex } from 'knex';
import type { Context } from '../context';
import type { DsarRow, EnvironmentRow } from '../db/models';
import { withSearches } from '../domain/search-list';
import { evidenceOfSteps } from '../ledger/steps-evidence';
import { rowOf, type Vault } from '../security/vault';
import { dsarView } from './dsar-view';
import { undeliveredOf } from './mail/undelivered';
import { countsOf, linesOf } from './search-lists';
import type { SessionView } from './session-view';

type Request = Pick<DsarRow, 'environment_id' | 'request_id'>;

const rowOfAnswer = ({ environment_id, request_id }: Request): string => rowOf(environment_id, request_id);

export const sealAnswer = (vault: Vault, request: Request, answer: string): Buffer =>
  vault.of('answer').seal(answer, rowOfAnswer(request));

/** The answer in words of a request; null when there is none, and when no key opens it for this request. */
function answerOf(vault: Vault, request: Request & Pick<DsarRow, 'answer'>): string | null {
  const { answer } = request;
  const [drawer, row] = [vault.of('answer'), rowOfAnswer(request)];
  return answer === null || !drawer.opens(answer, row) ? null : drawer.open(answer, row);
}

/** A data-subject request with everything that is known of it, as the contract has it. */
export async function dsarProof(
  { db, vault, mail }: { db: Knex } & Pick<Context, 'vault' | 'mail'>,
  environment: EnvironmentRow,
  row: DsarRow,
  sessions: SessionView,
) {
  const lines = await linesOf(db, row.environment_id, row.request_id);
  const shown = dsarView({ mail }, row, sessions, environment);
  return {
    ...shown,
    history: withSearches(shown.history, lines),
    answer: answerOf(vault, row),
    undelivered: await undeliveredOf(db, row, shown.identification === 'pending'),
    search: lines.length === 0 ? null : countsOf(lines),
    evidence: await evidenceOfSteps(db, row.environment_id, 'dsar', row.request_id),
  };
}
