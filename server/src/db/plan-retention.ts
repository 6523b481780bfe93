import type { Knex } from 'knex';
import {
  countedFor,
  MAX_COUNTED,
  outlivedBefore,
  type PlannedKind,
  RETAINED,
  type Retained,
} from '../domain/retention';
import type { Settings } from '../domain/types';
import { makerOf, makerWithin } from './account-groups';

/** The fields of a site that retention needs. */
export interface RetainedSite {
  id: string;
  settings: Pick<Settings, 'retention_days'>;
}

/** A site with who made it: the group of accounts, and who of it. */
export interface MadeSite extends RetainedSite {
  maker: string;
  within: string;
}

/** Of every site: without their other settings, which take up to half a mebibyte each. */
export const retainedSites = (db: Knex): Knex.QueryBuilder<MadeSite, MadeSite[]> =>
  db('environments').select(
    'id',
    db.raw("jsonb_build_object('retention_days', settings->'retention_days') AS settings"),
    db.raw(`${makerOf('environments')} AS maker`),
    db.raw(`${makerWithin('environments')} AS within`),
  );

/**
 * What a run at this time would delete from a site. The cost grows with what is deleted, not with what the
 * site has.
 */
export async function planRetention(db: Knex, site: RetainedSite, now: Date): Promise<PlannedKind[]> {
  const plan: PlannedKind[] = [];
  for (const retained of RETAINED) {
    const before = outlivedBefore(site.settings, retained.setting, now);
    plan.push({ kind: retained.kind, before, ...(await count(db, site.id, retained, before)) });
  }
  return plan;
}

async function count(
  db: Knex,
  environmentId: string,
  { table, column }: Retained,
  before: Date,
): Promise<Pick<PlannedKind, 'deleted' | 'kept' | 'oldest'>> {
  const values = { environmentId, table, column, before };
  const { rows } = await db.raw<{ rows: { deleted: number; oldest: Date | null }[] }>(
    `SELECT count(*) AS deleted, min(at) AS oldest FROM (
       SELECT :column: AS at FROM :table: WHERE environment_id = :environmentId AND :column: < :before
       ORDER BY :column: LIMIT :most) AS outlived`,
    { ...values, most: MAX_COUNTED },
  );
  const { deleted, oldest } = rows[0] as { deleted: number; oldest: Date | null };
  if (deleted === 0) return { deleted, oldest, kept: 0 };
  const kept = await db.raw<{ rows: { kept: number }[] }>(
    `SELECT count(*) AS kept FROM (
       SELECT FROM :table: WHERE environment_id = :environmentId AND (:column: >= :before OR :column: IS NULL)
       LIMIT :most) AS kept`,
    { ...values, most: countedFor(deleted) },
  );
  return { deleted, oldest, kept: kept.rows[0]?.kept ?? 0 };
}
