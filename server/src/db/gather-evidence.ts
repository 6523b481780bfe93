import type { Knex } from 'knex';
import type { Volume } from '../domain/volume-warning';
import { RUNNING } from './models/breach-row';

/** The numbers that the compliance checks need from the records. */
export interface RecordedEvidence {
  resolved: number;
  resolved_late: number;
  requests_overdue: number;
  reported: number;
  reported_late_without_reason: number;
  breaches_overdue: number;
  not_reportable: number;
}

/** Counts requests and breaches of one environment. */
export async function gatherRecords(db: Knex, environmentId: string, now: Date): Promise<RecordedEvidence> {
  const { rows } = await db.raw<{ rows: RecordedEvidence[] }>(
    `SELECT r.*, b.* FROM
     (SELECT count(*) FILTER (WHERE status = 'resolved') AS resolved,
        count(*) FILTER (WHERE status = 'resolved' AND resolved_at > coalesce(extended_until, due_at)) AS resolved_late,
        count(*) FILTER (WHERE status <> 'resolved' AND coalesce(extended_until, due_at) < :now) AS requests_overdue
      FROM dsar_requests WHERE environment_id = :environmentId) AS r,
     (SELECT count(*) FILTER (WHERE status = 'reported') AS reported,
        count(*) FILTER (WHERE status = 'reported' AND reported_at > notify_by AND late_reason IS NULL) AS reported_late_without_reason,
        count(*) FILTER (WHERE ${RUNNING} AND notify_by < :now) AS breaches_overdue,
        count(not_reportable_at) AS not_reportable
      FROM breaches WHERE environment_id = :environmentId) AS b`,
    { environmentId, now },
  );
  return rows[0] as RecordedEvidence;
}

/**
 * Decisions since a day, and how many of them are tied to a banner: they name a bundle of the site, or a settings
 * version of which one was made. From the counts.
 */
export async function gatherDecisions(
  db: Knex,
  environmentId: string,
  since: string,
): Promise<{ total: number; withBanner: number }> {
  const { rows } = await db.raw<{ rows: { total: number; tied: number }[] }>(
    `SELECT coalesce(sum(n) FILTER (WHERE metric = 'decision'), 0)::float8 AS total,
       coalesce(sum(CASE metric WHEN 'decision' THEN n ELSE -n END) FILTER (WHERE settings_version IS NOT NULL), 0)::float8 AS tied
     FROM daily_counts
     LEFT JOIN (SELECT DISTINCT settings_version FROM bundles WHERE environment_id = :environmentId) AS made
       ON settings_version = banner_version
     WHERE environment_id = :environmentId AND metric IN ('decision', 'untied') AND day >= :since`,
    { environmentId, since },
  );
  const { total, tied } = rows[0] as { total: number; tied: number };
  return { total, withBanner: tied };
}

/** Decisions of a day (`YYYY-MM-DD`), and of the days from another one until it. */
export async function gatherVolume(
  db: Knex,
  environmentId: string,
  from: string,
  day: string,
): Promise<Volume> {
  const { rows } = await db.raw<{ rows: Volume[] }>(
    `SELECT coalesce(sum(n) FILTER (WHERE day = :day), 0)::float8 AS today,
       coalesce(sum(n) FILTER (WHERE day < :day), 0)::float8 AS before
     FROM daily_counts WHERE environment_id = :environmentId AND metric = 'decision' AND day >= :from AND day <= :day`,
    { environmentId, from, day },
  );
  return rows[0] as Volume;
}

/**
 * The start of the last hour in which the banner was shown or answered, or undefined. Hours that began before
 * the instant are ignored.
 */
export async function lastSeenHour(db: Knex, environmentId: string, since: Date): Promise<Date | undefined> {
  const row = await db('hourly_counts')
    .where({ environment_id: environmentId })
    .whereIn('metric', ['impression', 'decision'])
    .andWhere('hour', '>=', since)
    .max({ hour: 'hour' })
    .first();
  return row?.hour ?? undefined;
}
