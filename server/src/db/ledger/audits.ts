import type { Knex } from 'knex';
import { GROUP } from '../account-groups';

/** What samples have found of a site's log. */
export interface AuditState {
  environment_id: string;
  /** Leaves up to here were in a sample, or passed over. */
  size: number;
  at: Date;
  findings: number;
  /** What was found, a line each, the worst first, as far as there is room: ids and tables, nothing of a person. */
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
  /** Who made the site: a group of accounts, or the site itself. */
  maker: string;
  size: number | null;
  /** What the last sample found, and what was found since. */
  problem: string | null;
  damaged_from: number | null;
  damaged_to: number | null;
}

/**
 * Logs of which no sample was taken since; a sample that a wrong clock dated ahead does not count. Makers of sites take turns,
 * and of each what waits longest comes first: a new site since it was made, so that nobody's new ones keep others out. The
 * turns are counted where all is known, since a cluster counts none over several nodes.
 */
export async function dueAudits(db: Knex, before: Date, limit: number): Promise<DueAudit[]> {
  const { rows } = await db.raw<{ rows: DueAudit[] }>(
    `WITH due AS MATERIALIZED (
       SELECT e.id, e.token, coalesce((${GROUP})::text, e.id::text) AS maker, a.size, a.problem, a.damaged_from, a.damaged_to,
         CASE WHEN a.at < :before THEN a.at ELSE e.created_at END AS since
       FROM ledger_heads h JOIN environments e ON e.id = h.environment_id AND e.deleted_at IS NULL
       LEFT JOIN users u ON u.id = e.made_by
       LEFT JOIN ledger_audits a ON a.environment_id = h.environment_id
       WHERE a.at IS NULL OR a.at < :before OR a.at > :before::timestamptz + interval '2 days')
     SELECT id, token, maker, size, problem, damaged_from, damaged_to FROM due
     ORDER BY row_number() OVER (PARTITION BY maker ORDER BY since, id), since, id LIMIT :limit`,
    { before, limit },
  );
  return rows;
}

/** Characters of what was found that are kept. */
const MOST = 8_000;

/** What was found, as far as there is room. */
export function problemOf(lines: readonly string[]): string | null {
  let kept: string | null = null;
  for (const line of new Set(lines)) {
    if (kept !== null && kept.length + line.length > MOST) break;
    kept = kept === null ? line : `${kept}\n${line}`;
  }
  return kept;
}

/**
 * What was found since it was as it was looked at: it is added at the end. On a cluster a row that is there is changed by
 * immutable functions alone, of which `concat_ws` is none.
 */
const LATE = `nullif(CASE WHEN :looked::text IS NULL THEN known.problem
  WHEN starts_with(known.problem, :looked) THEN substr(known.problem, length(:looked) + 2) END, '')`;

/**
 * Stores what a sample found; since when a log is damaged stays until a sample finds nothing. What was found beside it,
 * while it looked, stays for the next one.
 * @param looked what was known when it began
 */
export const keepAudit = (
  db: Knex,
  state: Omit<AuditState, 'damaged_since'>,
  looked: string | null,
): Promise<unknown> =>
  db.raw(
    `INSERT INTO ledger_audits AS known (environment_id, size, at, findings, problem, damaged_since, damaged_from, damaged_to)
     VALUES (:environment_id, :size, :at, :findings, :problem, CASE WHEN :findings::int > 0 THEN :at::timestamptz END, :damaged_from, :damaged_to)
     ON CONFLICT (environment_id) DO UPDATE SET size = excluded.size, at = excluded.at,
       findings = excluded.findings + (${LATE} IS NOT NULL)::int,
       problem = coalesce(excluded.problem || E'\n' || ${LATE}, excluded.problem, ${LATE}),
       damaged_from = excluded.damaged_from, damaged_to = excluded.damaged_to,
       damaged_since = CASE WHEN excluded.findings > 0 OR ${LATE} IS NOT NULL THEN coalesce(known.damaged_since, excluded.at) END`,
    { ...state, looked } as unknown as Record<string, string>,
  );

/** Stores what was found beside the samples, when something was sealed, with what is known: the next sample looks for it. */
export const keepFound = (db: Knex, environment_id: string, problem: string, at: Date): Promise<unknown> =>
  db.raw(
    `INSERT INTO ledger_audits AS known (environment_id, size, at, findings, problem, damaged_since)
     VALUES (:environment_id, 0, :at, 1, :problem, :at)
     ON CONFLICT (environment_id) DO UPDATE SET
       findings = CASE WHEN known.damaged_since IS NULL THEN 1 ELSE known.findings + 1 END,
       problem = CASE WHEN known.damaged_since IS NULL THEN excluded.problem
         ELSE coalesce(known.problem || E'\n', '') || excluded.problem END,
       damaged_since = coalesce(known.damaged_since, excluded.damaged_since)
       WHERE known.damaged_since IS NULL OR known.problem IS NULL
         OR strpos(known.problem, excluded.problem) = 0 AND length(known.problem) < ${MOST}`,
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
