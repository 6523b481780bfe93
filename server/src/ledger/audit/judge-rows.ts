import canonicalize from 'canonicalize';
import { ERASED_KINDS } from '../../db/erasure-log';
import { erasedDigest } from '../../db/ledger/erased';
import { breachRecord, dsarRecord, erasureRecord } from '../../db/ledger/records';
import { BreachRow, BundleRow, DsarRow, ErasureRow } from '../../db/models';
import { isWhole } from '../../domain/banner/assemble';
import type { HistoryEntry } from '../../domain/types';
import { type Audited, NIL } from './audited-site';
import { type FactRow, factsOf } from './facts-of';
import { readKept } from './judge-fact';

/** Rows that are read at once. */
const SOME = 500;
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

type Stepped = (DsarRow | BreachRow) & { history: HistoryEntry[] };

async function judgeSteps(about: Audited, kind: 'dsar' | 'breach'): Promise<void> {
  const { trx, site, findings } = about;
  const key = kind === 'dsar' ? 'request_id' : 'breach_id';
  const name = kind === 'dsar' ? 'request' : 'breach';
  for (let after = NIL; ; ) {
    const query = kind === 'dsar' ? DsarRow.query(trx) : BreachRow.query(trx);
    const rows = (await query
      .where({ environment_id: site.id })
      .where(key, '>', after)
      .orderBy(key)
      .limit(SOME)) as unknown as Stepped[];
    const ids = rows.map((row) => (row as unknown as Record<string, string>)[key] as string);
    const facts = await factsOf(trx, site.id, kind, ids);
    rows.forEach((row, n) => {
      const id = ids[n] as string;
      const sealed = facts.get(id) ?? [];
      if (sealed.length === 0) return;
      const record = kind === 'dsar' ? dsarRecord(row as DsarRow) : breachRecord(row as BreachRow);
      const changed = differences(readKept((sealed.at(-1) as FactRow).statement)?.record[name], record);
      if (changed.length > 0)
        findings.add('altered', `${name} ${id} is not as its last step sealed it: ${changed.join(', ')}`);
      judgeHistory(about, `${name} ${id}`, row.history, sealed);
    });
    about.progress(rows.length);
    if (rows.length < SOME) return;
    after = ids.at(-1) as string;
  }
}

/** Each entry of a history was sealed as a step, but for those from before the log or before an erasure. */
function judgeHistory({ findings }: Audited, name: string, history: HistoryEntry[], facts: FactRow[]): void {
  const steps = facts.map(({ statement }) => readKept(statement)?.record ?? {});
  const from = String(steps[0]?.at ?? '');
  const isLater = steps[0]?.step === 'imported' || steps[0]?.step === 'erased';
  const sealed = steps
    .filter(({ step }) => step !== 'imported' && step !== 'erased')
    .map(({ step, at }) => `${step} ${at}`);
  const told = history.filter(({ at }) => !isLater || at > from).map(({ action, at }) => `${action} ${at}`);
  if (sealed.join('\n') !== told.join('\n'))
    findings.add('altered', `the history of ${name} is not the one that was sealed step by step`);
}

/** The names of members that differ. */
function differences(sealed: unknown, present: object): string[] {
  const before = (sealed ?? {}) as Record<string, unknown>;
  const now = JSON.parse(JSON.stringify(present)) as Record<string, unknown>;
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => canonicalize(before[name]) !== canonicalize(now[name]));
}

async function judgeErasures(about: Audited): Promise<void> {
  const { trx, site, findings } = about;
  let open = 0;
  for (let after = NIL; ; ) {
    const rows = await ErasureRow.query(trx)
      .where({ environment_id: site.id })
      .where('erasure_id', '>', after)
      .orderBy('erasure_id')
      .limit(SOME);
    const facts = await factsOf(
      trx,
      site.id,
      'erasure',
      rows.map(({ erasure_id }) => erasure_id),
    );
    for (const row of rows) {
      const { erasure_id: id } = row;
      if (row.running > 0) {
        open += 1;
        continue;
      }
      const last = facts.get(id)?.at(-1);
      if (last === undefined) {
        if (ERASED_KINDS.some((kind) => row[kind] > 0))
          findings.add('inserted', `erasure ${id} was never sealed`);
        continue;
      }
      const digest = await erasedDigest(trx, site.id, id);
      const changed = differences(readKept(last.statement)?.record, erasureRecord(row, digest));
      if (changed.length > 0)
        findings.add('erasure', `erasure ${id} is not as it was sealed: ${changed.join(', ')}`);
    }
    if (rows.length < SOME) break;
    after = (rows.at(-1) as ErasureRow).erasure_id;
  }
  if (open > 0)
    findings.note(`${open} erasures are under way or were cut off: what they erased is sealed within a day.`);
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
  { table: 'erasures', kind: 'erasure', key: 'erasure_id' },
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
