import type { Knex } from 'knex';
import { groupOf, type StoredGroup } from '../../db/ledger/pending';
import { clock } from '../../domain/clock';
import { isGenuine } from '../../domain/ledger/group';
import { HASH_BYTES } from '../../domain/ledger/hash';
import { HOUR_MS } from '../../domain/time';
import type { Vault } from '../../security/vault';
import { auditedHead } from './audited-head';
import { type Audited, NIL } from './audited-site';
import { Buckets } from './buckets';
import { Findings } from './findings';
import { judgeKeys } from './judge-keys';
import { judgeRows } from './judge-rows';
import { type Outside, signedOf, Vouched } from './judge-vouched';
import { Matching } from './match';
import { readErased } from './read-erased';
import { readLeaves } from './read-leaves';
import { storedConsents, storedFacts } from './read-rows';

/** With what a log is audited. */
export interface AuditOptions {
  /** By which groups that wait are known as ours. */
  groupKey: Buffer;
  /** Opens the key that signs; without it that key is taken as it is. */
  vault?: Vault | undefined;
  /** Heads that others kept outside of the database. */
  outside?: readonly Outside[];
  /** Called with the rows that were read since. */
  progress?(rows: number): void;
}

/**
 * Compares everything of a site that was sealed with its log, both ways, in one transaction's view. The memory that it
 * takes does not grow with the site; its files beside hold commitments, ids and times.
 */
export async function auditSite(
  trx: Knex,
  site: { id: string; token: string },
  { groupKey, vault, outside = [], progress = () => undefined }: AuditOptions,
): Promise<Findings> {
  const findings = new Findings();
  const head = await auditedHead(trx, site.id, { findings, groupKey });
  const about: Audited = { trx, site, head, findings, groupKey, imported: 0, progress };
  const buckets = new Buckets();
  try {
    if (head !== undefined && !head.origin.endsWith(`/ledger/${site.token}`))
      findings.add('head', 'the token of the site is not the one that its log is named by');
    const vouched = new Vouched(about, await judgeKeys(about, vault), await signedOf(about, outside));
    await readLeaves(about, buckets, vouched);
    await readPending(about, buckets);
    await readErased(about, buckets);
    await judgeRows(about);
    const matching = new Matching(about);
    for (const rows of [storedConsents(about), storedFacts(about)])
      for await (const some of rows)
        for (const { commitment, ...row } of some) {
          if (commitment === undefined) matching.alone({ ...row, isGone: true });
          else buckets.add(Buffer.from(commitment, 'hex'), row);
        }
    await judgeImported(about);
    await matching.run(buckets);
    return findings;
  } finally {
    buckets.close();
  }
}

/** Groups that are read at once. */
const GROUPS = 200;

async function readPending({ trx, site, findings, groupKey }: Audited, buckets: Buckets): Promise<void> {
  let late = 0;
  for (let after = NIL; ; ) {
    const groups: StoredGroup[] = await trx('ledger_pending')
      .where({ environment_id: site.id })
      .where('group_id', '>', after)
      .orderBy('group_id')
      .limit(GROUPS);
    for (const group of groups) {
      const { group_id, leaves, mac, last_at } = group;
      if (!isGenuine(groupKey, groupOf(group), mac))
        findings.add('group', `ledger_pending: group ${group_id} has a code that no server made`);
      else if (last_at.getTime() < clock.now() - HOUR_MS) late += 1;
      for (let at = 0; at + HASH_BYTES <= leaves.length; at += HASH_BYTES)
        buckets.add(leaves.subarray(at, at + HASH_BYTES), { holder: 'pending' });
    }
    const last = groups.at(-1);
    if (last === undefined) break;
    after = last.group_id;
  }
  if (late > 0)
    findings.note(
      `${late} groups have waited to be sealed for more than an hour: look at the job in npm run doctor.`,
    );
}

/** A blinding without its record should have gone with it; a record has one. */
async function judgeImported({ trx, site, findings, imported }: Audited): Promise<void> {
  const where = { environment_id: site.id };
  const counted = await trx('ledger_imported').where(where).count({ n: '*' }).first();
  if (Number(counted?.n) === imported) return;
  const { rows } = await trx.raw<{ rows: { consent_id: string }[] }>(
    `SELECT i.consent_id FROM ledger_imported i WHERE i.environment_id = :id AND NOT EXISTS (
       SELECT FROM consents c WHERE c.environment_id = :id AND c.consent_id = i.consent_id AND c.blinding IS NULL) LIMIT 1000`,
    { id: site.id },
  );
  for (const { consent_id } of rows)
    findings.add(
      'deleted',
      `ledger_imported: consent ${consent_id} is gone or has another blinding, this one is there`,
    );
}
