import { BundleRow } from '../../db/models';
import { isWhole } from '../../domain/banner/assemble';
import type { FactRow } from '../statements';
import type { Audited } from './audited-site';
import { judgeErasures } from './judge-erasures';
import { judgeSteps } from './judge-steps';

/** Scripts of bundles are large. */
const BUNDLES = 20;

/** Rows that change must be as their last step sealed them, and every row must have been sealed. */
export async function judgeRows(about: Audited): Promise<void> {
  await judgeSteps(about, 'dsar');
  await judgeSteps(about, 'breach');
  await judgeErasures(about);
  await judgeBundles(about);
  for (const unsealed of UNSEALED) await judgeSealed(about, unsealed);
  for (const gone of GONE) await judgeThere(about, gone);
}

/** A bundle's record is sealed with the hash of its script. */
async function judgeBundles({ trx, site, findings, progress }: Audited): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await BundleRow.query(trx)
      .where({ environment_id: site.id })
      .where('hash', '>', after)
      .orderBy('hash')
      .select('hash', 'script', 'integrity', 'bytes', 'config', 'texts', 'vendors')
      .limit(BUNDLES);
    for (const row of rows)
      if (!isWhole(row))
        findings.add(
          'altered',
          `bundle ${row.hash}: its script, texts or vendors are not those that its hash names`,
        );
    progress(rows.length);
    if (rows.length < BUNDLES) return;
    after = (rows.at(-1) as BundleRow).hash;
  }
}

interface Sealed {
  table: string;
  kind: FactRow['kind'];
  key: string;
}

const UNSEALED: readonly Sealed[] = [
  { table: 'form_consents', kind: 'form_consent', key: 'form_consent_id' },
  { table: 'settings_versions', kind: 'settings', key: 'version' },
  { table: 'vendor_lists', kind: 'vendors', key: 'version' },
  { table: 'bundles', kind: 'bundle', key: 'hash' },
  { table: 'dsar_requests', kind: 'dsar', key: 'request_id' },
  { table: 'breaches', kind: 'breach', key: 'breach_id' },
];

/** Names of one kind, at most. */
const MOST = 1_000;

/** Rows without a fact were slipped in; before the import has ended, they wait for it. */
async function judgeSealed(
  { trx, site, head, findings }: Audited,
  { table, kind, key }: Sealed,
): Promise<void> {
  if (head !== undefined && !head.import_done) return;
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `SELECT r.:key:::text AS id FROM :table: r WHERE r.environment_id = :id AND NOT EXISTS (
       SELECT FROM ledger_facts f WHERE f.environment_id = :id AND f.kind = :kind AND f.subject = r.:key:::text)
     ORDER BY 1 LIMIT ${MOST}`,
    { table, key, kind, id: site.id },
  );
  for (const { id } of rows) findings.add('inserted', `${table} ${id}: nothing sealed it when it was stored`);
}

const GONE: readonly Sealed[] = [
  { table: 'dsar_requests', kind: 'dsar', key: 'request_id' },
  { table: 'breaches', kind: 'breach', key: 'breach_id' },
];

/** Steps without their row: it was deleted without a rule, which would have taken the steps too. */
async function judgeThere({ trx, site, findings }: Audited, { table, kind, key }: Sealed): Promise<void> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `SELECT DISTINCT f.subject AS id FROM ledger_facts f WHERE f.environment_id = :id AND f.kind = :kind AND NOT EXISTS (
       SELECT FROM :table: r WHERE r.environment_id = :id AND r.:key:::text = f.subject)
     ORDER BY 1 LIMIT ${MOST}`,
    { table, key, kind, id: site.id },
  );
  for (const { id } of rows) findings.add('deleted', `${table} ${id}: its steps are sealed, the row is gone`);
}
