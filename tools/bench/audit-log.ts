import type { Knex } from 'knex';
import { connect } from '../../server/src/db/knex';
import { CONSENT_KEY, type ConsentKey } from '../../server/src/db/ledger/erased';
import { groupKeyOf, keepGroupKey } from '../../server/src/db/ledger/group-key';
import { pendingRows } from '../../server/src/db/ledger/pending';
import { auditSite } from '../../server/src/ledger/audit';
import { Sealer } from '../../server/src/ledger/seal';
import { openConsents } from '../../server/src/ledger/statements';
import { createLogger } from '../../server/src/observability/logger';
import { Vault } from '../../server/src/security/vault';

const KEY = Buffer.alloc(32, 5);
/** Records that are read and sealed at once, and those of a group. */
const AT_ONCE = 5_000;
const GROUP = 64;

/** What an audit of a site took. */
export interface AuditTimes {
  seconds: number;
  /** Of this process at its largest, while it audited. */
  megabytes: number;
  findings: number;
}

/** Fills a site with sealed records over 30 days, and audits it. */
export async function auditMany(url: string, records: number): Promise<AuditTimes> {
  const db = connect(url, 4, { silenceMs: 0, limits: { statement: 0, lock: 0 } });
  keepGroupKey(db, KEY);
  try {
    const site: { id: string; token: string } = await db('environments').first('id', 'token');
    await fill(db, site.id, records);
    const vault = new Vault(KEY.toString('base64'));
    const options = { db, log: createLogger('error'), vault, publicUrl: () => 'https://consent.example.com' };
    await new Sealer(options).run();
    return await measure(db, site);
  } finally {
    await db.destroy();
  }
}

async function fill(db: Knex, id: string, records: number): Promise<void> {
  // What the making of the site left is sealed under another secret.
  for (const table of ['ledger_pending', 'ledger_facts', 'settings_versions', 'bundles'])
    await db(table).delete();
  await db.raw(
    `INSERT INTO consents (environment_id, recorded_at, consent_id, session_id, decision, categories, policy_version,
       banner_version, method, language, page_url, ip_masked, user_agent, gpc, expires_at, blinding)
     SELECT :id::uuid, at, gen_random_uuid(), gen_random_uuid(), 'accept_all', '{"analytics":true,"marketing":true}'::jsonb,
       '1', 1, 'banner', 'en', 'https://shop.example.com/products/42', '127.0.***.***', 'desktop', false,
       at + interval '180 days', gen_random_uuid()
     FROM (SELECT date_trunc('milliseconds', now() + n::float8 / :records * interval '5 minutes') AS at
       FROM generate_series(0, :records::int - 1) AS n) AS times`,
    { id, records },
  );
  await db.raw('VACUUM ANALYZE consents');
  let after: string[] = ['-infinity', '00000000-0000-0000-0000-000000000000'];
  for (;;) {
    const keys: ConsentKey[] = await db('consents')
      .where({ environment_id: id })
      .whereRaw('recorded_at >= ?::timestamptz AND (recorded_at, consent_id) > (?::timestamptz, ?::uuid)', [
        after[0] as string,
        ...after,
      ])
      .orderBy(['recorded_at', 'consent_id'])
      .limit(AT_ONCE)
      .select(...CONSENT_KEY);
    const last = keys.at(-1);
    if (last === undefined) return;
    const opened = await openConsents(db, id, keys);
    const leaves = opened
      .map(({ at, commitment }) => ({ environment_id: id, at: at.toISOString(), commitment }))
      .sort((a, b) => a.at.localeCompare(b.at));
    const groups = [];
    for (let from = 0; from < leaves.length; from += GROUP)
      groups.push(...pendingRows(groupKeyOf(db), leaves.slice(from, from + GROUP)));
    const bytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex');
    await db('ledger_pending').insert(
      groups.map((group) => ({ ...group, leaves: bytes(group.leaves), mac: bytes(group.mac) })),
    );
    after = [last.recorded_at.toISOString(), last.consent_id];
  }
}

async function measure(db: Knex, site: { id: string; token: string }): Promise<AuditTimes> {
  let megabytes = 0;
  const watch = setInterval(() => {
    megabytes = Math.max(megabytes, process.memoryUsage().rss / 2 ** 20);
  }, 100);
  const begun = performance.now();
  const findings = await db.transaction(
    async (trx) => {
      // As the doctor does it: files are compared meanwhile.
      await trx.raw('SET LOCAL idle_in_transaction_session_timeout = 0');
      return auditSite(trx, site, { groupKey: KEY });
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
  if (findings.total > 0) throw new Error(JSON.stringify(findings.all().slice(0, 3)));
  clearInterval(watch);
  return { seconds: (performance.now() - begun) / 1_000, megabytes, findings: findings.total };
}
