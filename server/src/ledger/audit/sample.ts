import { randomInt } from 'node:crypto';
import type { Knex } from 'knex';
import { countDamaged, type DueAudit, dueAudits, keepAudit, problemOf } from '../../db/ledger/audits';
import { groupKeyOf } from '../../db/ledger/group-key';
import { MINUTE_MS } from '../../domain/time';
import type { AuditMetrics } from '../../observability/audit-metrics';
import { logFailure, tellOnce } from '../../observability/failures';
import type { Logger } from '../../observability/logger';
import { auditedHead } from './audited-head';
import type { Audited } from './audited-site';
import { Findings } from './findings';
import { judgeKeys } from './judge-keys';
import { judgeGroups } from './judge-pending';
import { judgeStretch, type Stretch } from './judge-stretch';
import { judgeSomeRows, keepProblem, linesOf } from './sample-steps';

/** Logs of one run; the newest leaves of one, and older ones at random; leaves and rows of one run. */
const LOGS = 500;
const NEWEST = 2_000;
const OLDER = 256;
const LEAVES = 50_000;
/** A log was looked at within one run of the job before. */
const RECENT = 50 * MINUTE_MS;

/** What the job needs. */
export interface SampleWork {
  db: Knex;
  log: Logger;
  metrics: AuditMetrics;
}

/**
 * Compares samples of each log with the records of its site: what is new, some of what is old, and what did not fit; and
 * some of the rows that change with what was sealed of them.
 */
export async function auditSamples(work: SampleWork, now: Date, signal: AbortSignal): Promise<void> {
  let compared = 0;
  let judged = 0;
  const failures: unknown[] = [];
  const shares = new Shares(await dueAudits(work.db, new Date(now.getTime() - RECENT), LOGS));
  for (const due of shares.inOrder()) {
    if (signal.aborted || compared + judged >= LEAVES) break;
    try {
      const { leaves, rows } = await auditOne(work, due, now, signal);
      shares.use(due, leaves + rows);
      compared += leaves;
      judged += rows;
    } catch (error) {
      if (signal.aborted) break;
      // It must not stop the other sites, and the run has failed all the same.
      failures.push(error);
      const words = 'a sample of an evidence log could not be compared; it is tried again';
      logFailure(work.log, 'error', { error, environment_id: due.id }, words);
    }
  }
  work.metrics.compared(compared);
  work.metrics.damaged(await countDamaged(work.db));
  if (failures.length > 0) throw failures[0];
}

/** Each maker of sites has an equal share of what a run looks at; what others leave is for those that have used up theirs. */
class Shares {
  private readonly used = new Map<string, number>();

  constructor(private readonly due: readonly DueAudit[]) {
    for (const { maker } of due) this.used.set(maker, 0);
  }

  *inOrder(): Generator<DueAudit> {
    const later: DueAudit[] = [];
    for (const one of this.due) {
      if ((this.used.get(one.maker) ?? 0) < LEAVES / this.used.size) yield one;
      else later.push(one);
    }
    yield* later;
  }

  use({ maker }: DueAudit, n: number): void {
    this.used.set(maker, (this.used.get(maker) ?? 0) + n);
  }
}

async function auditOne(
  { db, log }: SampleWork,
  due: DueAudit,
  now: Date,
  signal: AbortSignal,
): Promise<Sample> {
  const { id, token } = due;
  const found = await db.transaction((trx) => sample(trx, due, signal), {
    isolationLevel: 'repeatable read',
    readOnly: true,
  });
  const { findings, size, damaged } = found;
  const [first] = findings.all();
  const state = {
    ...{ environment_id: id, size, at: now, findings: findings.total },
    problem: problemOf(linesOf(findings, due.problem)),
    damaged_from: damaged?.from ?? null,
    damaged_to: damaged?.to ?? null,
  };
  await keepAudit(db, state, due.problem);
  if (first !== undefined) {
    const words = 'an evidence log does not fit the records of its site: run npm run doctor -- --ledger';
    const about = { environment_id: id, damage: first.damage };
    const fields = { ...about, token, findings: findings.total, first: first.text };
    tellOnce(log, { level: 'error', key: `damaged ${id}`, fields, message: words, words, about });
  }
  // What was found is kept, and the log has had its turn; the run has failed all the same.
  if (found.failure !== undefined) throw found.failure;
  return found;
}

/** How much was looked at. */
interface Sample {
  leaves: number;
  rows: number;
}

async function sample(
  trx: Knex,
  { id, token, size, problem, damaged_from, damaged_to }: DueAudit,
  signal: AbortSignal,
) {
  const findings = new Findings();
  const groupKey = groupKeyOf(trx);
  const head = await auditedHead(trx, id, { findings, groupKey });
  const about: Audited = {
    trx,
    site: { id, token },
    head,
    findings,
    groupKey,
    imported: 0,
    signal,
    progress: () => undefined,
  };
  await judgeKeys(about, undefined);
  await judgeGroups(about);
  const end = head?.size ?? 0;
  const stretches: Stretch[] = [];
  const known =
    damaged_from === null || damaged_to === null
      ? undefined
      : { from: Number(damaged_from), to: Math.min(end, Number(damaged_to)) };
  if (known !== undefined) stretches.push(known);
  const newest = { from: Math.max(Number(size ?? 0), end - NEWEST), to: end };
  stretches.push(newest);
  if (newest.from > 0) {
    const from = randomInt(newest.from);
    stretches.push({ from, to: Math.min(newest.from, from + OLDER) });
  }
  let damaged: Stretch | undefined;
  for (const stretch of stretches) {
    const before = findings.total;
    const isRead = stretch.from >= stretch.to || (await judgeStretch(about, stretch));
    // What was damaged stays so until all of it was looked at.
    if (!isRead && stretch === known) keepProblem(about, problem);
    if (findings.total > before) damaged ??= stretch;
  }
  let failure: unknown;
  const rows = await judgeSomeRows(about, problem).catch((error: unknown) => {
    signal.throwIfAborted();
    failure = error;
    keepProblem(about, problem);
    return 0;
  });
  const leaves = stretches.reduce((sum, { from, to }) => sum + Math.max(0, to - from), 0);
  return { findings, size: end, damaged, leaves, rows, failure };
}
