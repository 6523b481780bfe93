import type { Knex } from 'knex';
import { type HeadRow, headOf } from '../../db/ledger/heads';
import { isGenuineImport } from '../../domain/ledger/import-state';
import type { Findings } from './findings';

/**
 * The head of a site's log. An import that is not over explains what is not sealed yet: only one that a server began,
 * and not one that somebody wrote to the database.
 */
export async function auditedHead(
  trx: Knex,
  environment_id: string,
  { findings, groupKey }: { findings: Findings; groupKey: Buffer },
): Promise<HeadRow | undefined> {
  const head = await headOf(trx, environment_id);
  if (head === undefined || head.import_done || isGenuineImport(groupKey, head, head.import_mac)) return head;
  findings.add('head', 'ledger_heads: the state of the import has a code that no server made');
  return { ...head, import_done: true };
}
