import { daysKept, type Retained } from '../../domain/retention';
import { DAY_MS, MINUTE_MS } from '../../domain/time';
import type { Audited, RetainedVersion } from './audited-site';

/** A run of retention that began under one version of the settings may end under the next. */
export const OVERLAP = 10 * MINUTE_MS;

/** All versions of a site's settings, the oldest first; read once for an audit. */
export async function versionsOf(about: Audited): Promise<RetainedVersion[]> {
  const { trx, site } = about;
  about.versions ??= await trx('settings_versions')
    .where({ environment_id: site.id })
    .orderBy('version')
    .select(
      'created_at',
      trx.raw("jsonb_build_object('retention_days', settings->'retention_days') AS settings"),
    );
  return about.versions;
}

/**
 * Before which instant records could have outlived the shortest time for which a version kept them that was in force on
 * a day, which a run may outlast.
 * @param day in milliseconds
 */
export async function outlivedOn(about: Audited, day: number, setting: Retained['setting']): Promise<number> {
  const end = day + 2 * DAY_MS;
  const versions = await versionsOf(about);
  const inForce = versions.filter(({ created_at }, n) => {
    const until = versions[n + 1]?.created_at.getTime() ?? Number.POSITIVE_INFINITY;
    return created_at.getTime() <= end && until >= day - OVERLAP;
  });
  return end - Math.min(...inForce.map(({ settings }) => daysKept(settings, setting))) * DAY_MS;
}
