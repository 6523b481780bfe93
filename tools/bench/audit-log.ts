import { connect } from '../../server/src/db/knex';
import { groupKeyOf } from '../../server/src/db/ledger/group-key';
import { auditSite } from '../../server/src/ledger/audit';
import { openGroupKey } from '../../server/src/ledger/group-secret';
import { Vault } from '../../server/src/security/vault';
import { answerCalls } from './child';

/** A site to audit. The key is the one of the database's secrets. */
export interface AuditAsked {
  url: string;
  key: string;
  site: { id: string; token: string };
}

/** What an audit took. */
export interface AuditTimes {
  seconds: number;
  /** Of a process that did nothing else, at its largest. */
  megabytes: number;
  findings: unknown[];
}

/** Audits a site, as the doctor does. */
async function audit({ url, key, site }: AuditAsked): Promise<AuditTimes> {
  const db = connect(url, 4, { silenceMs: 0, limits: { statement: 0, lock: 0 } });
  try {
    const vault = new Vault(key);
    await openGroupKey(db, vault);
    const begun = performance.now();
    const findings = await db.transaction(
      async (trx) => {
        // Files are compared meanwhile.
        await trx.raw('SET LOCAL idle_in_transaction_session_timeout = 0');
        return auditSite(trx, site, { groupKey: groupKeyOf(db), vault });
      },
      { isolationLevel: 'repeatable read', readOnly: true },
    );
    const seconds = (performance.now() - begun) / 1_000;
    return {
      seconds,
      megabytes: process.resourceUsage().maxRSS / 1_024,
      findings: findings.all().slice(0, 5),
    };
  } finally {
    await db.destroy();
  }
}

answerCalls<AuditAsked>(audit);
