import type { Knex } from 'knex';
import { SettingsVersionRow } from '../db/models';
import { SEEN_SETTINGS } from '../domain/banner/sources';

/** Versions that are looked through for the first change. */
const MAX_VERSIONS = 100;
const SEEN = `jsonb_build_object(${SEEN_SETTINGS.map((name) => `'${name}', settings->'${name}'`).join(', ')})`;

/**
 * When the settings that a bundle is made from first differed from a version; undefined when they are equal
 * now.
 */
export async function seenChange(
  db: Knex,
  environment_id: string,
  made: number,
  now: number,
): Promise<Date | undefined> {
  if (made === now) return undefined;
  const changed = await SettingsVersionRow.query(db)
    .where({ environment_id })
    .whereBetween('version', [Math.max(made + 1, now - MAX_VERSIONS), now])
    .whereRaw(`${SEEN} <> (SELECT ${SEEN} FROM settings_versions WHERE environment_id = ? AND version = ?)`, [
      environment_id,
      made,
    ])
    .orderBy('version')
    .select('version', 'created_at');
  // A change that was reverted does not count.
  return changed.at(-1)?.version === now ? changed[0]?.created_at : undefined;
}
