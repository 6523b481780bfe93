import type { Knex } from 'knex';
import { groupKeyOf } from '../../../server/src/db/ledger/group-key';
import { auditSite } from '../../../server/src/ledger/audit';
import type { TestServer } from '../server';

export interface TamperedSite {
  id: string;
  token: string;
}

/** What audits of sites find after a change, which is taken back. */
export async function foundAfter(
  server: TestServer,
  sites: readonly TamperedSite[],
  tamper: (trx: Knex) => Promise<unknown>,
): Promise<string[]> {
  const undo = new Error('undo');
  const found: string[] = [];
  const { db, vault } = server.service.context;
  await db
    .transaction(async (trx) => {
      await tamper(trx);
      for (const { id, token } of sites) {
        const findings = await auditSite(trx, { id, token }, { groupKey: groupKeyOf(trx), vault });
        found.push(...findings.all().map(({ damage, text }) => `${damage}: ${text}`));
      }
      throw undo;
    })
    .catch((error) => {
      if (error !== undo) throw error;
    });
  return found;
}
