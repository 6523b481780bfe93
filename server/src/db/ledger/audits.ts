import type { Knex } from 'knex';

/** What samples have found of a site's log. */
export interface AuditState {
  environment_id: string;
  /** Leaves up to here were in a sample, or passed over. */
  size: number;
  at: Date;
  findings: number;
  /** The first finding: ids and tables, nothing of a person. */
  problem: string | null;
  damaged_since: Date | null;
  /** The leaves that did not fit. */
  damaged_from: number | null;
  damaged_to: number | null;
}

/** A log whose turn it is. */
export interface DueAudit {
  id: string;
  token: string;
  size: number | null;
  /** The first finding of the last sample. */
  problem: string | null;
  damaged_from: number | null;
  damaged_to: number | null;
}

/** Logs of which no sample was taken since, those that wait longest first. */
export async function dueAudits(db: Knex, before: Date, limit: number): Promise<DueAudit[]> {
  const { rows } = await db.raw<{ rows: DueAudit[] }>(
    `SELECT e.id, e.token, a.size, a.problem, a.damaged_from, a.damaged_to FROM ledger_heads h
     JOIN environments e ON e.id = h.environment_id AND e.deleted_at IS NULL
     LEFT JOIN ledger_audits a ON a.environment_id = h.environment_id
     WHERE a.at IS NULL OR a.at < :before ORDER BY a.at NULLS FIRST, e.id LIMIT :limit`,
    { before, limit },
  );
  return rows;
}

/** Stores what a sample found; since when a log is damaged stays until a sample finds nothing. */
export const keepAudit = (db: Knex, state: Omit<AuditState, 'damaged_since'>): Promise<unknown> =>
  db.raw(
    `INSERT INTO ledger_audits (environment_id, size, at, findings, problem, damaged_since, damaged_from, damaged_to)
     VALUES (:environment_id, :size, :at, :findings, :problem, CASE WHEN :findings::int > 0 THEN :at::timestamptz END, :damaged_from, :damaged_to)
     ON CONFLICT (environment_id) DO UPDATE SET size = excluded.size, at = excluded.at, findings = excluded.findings,
       problem = excluded.problem, damaged_from = excluded.damaged_from, damaged_to = excluded.damaged_to,
       damaged_since = CASE WHEN excluded.findings > 0 THEN coalesce(ledger_audits.damaged_since, excluded.damaged_since) END`,
    state as unknown as Record<string, string>,
  );

/** Stores what was found beside the samples, when something was sealed: the next sample looks for it itself. */
export const keepFound = (db: Knex, environment_id: string, problem: string, at: Date): Promise<unknown> =>
  db.raw(
    `INSERT INTO ledger_audits (environment_id, size, at, findings, problem, damaged_since)
     VALUES (:environment_id, 0, :at, 1, :problem, :at)
     ON CONFLICT (environment_id) DO UPDATE SET findings = 1, problem = :problem, damaged_since = :at
       WHERE ledger_audits.damaged_since IS NULL`,
    { environment_id, problem, at },
  );

export const auditStateOf = (db: Knex, environment_id: string): Promise<AuditState | undefined> =>
  db<AuditState>('ledger_audits').where({ environment_id }).first() as Promise<AuditState | undefined>;

/** How many logs do not fit their records. */
export async function countDamaged(db: Knex): Promise<number> {
  const { rows } = await db.raw<{ rows: [{ n: number }] }>(
    `SELECT count(*)::int AS n FROM ledger_audits a JOIN environments e ON e.id = a.environment_id AND e.deleted_at IS NULL
     WHERE a.damaged_since IS NOT NULL`,
  );
  return rows[0].n;
}
