import type { Knex } from 'knex';
import { raw } from 'objection';
import { SettingsVersionRow } from '../db/models';
import { SEEN_SETTINGS } from '../domain/banner/sources';
import { splitSettings } from '../domain/settings-parts';

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
  const before = await SettingsVersionRow.query(db)
    .findById([environment_id, made])
    .select(raw(SEEN).as('settings'))
    .throwIfNotFound();
  // A version that was stored whole may be followed by the same settings in parts.
  const same = [before.settings, splitSettings(before.settings).stored].map((seen) => JSON.stringify(seen));
  const changed = await SettingsVersionRow.query(db)
    .where({ environment_id })
    .whereBetween('version', [Math.max(made + 1, now - MAX_VERSIONS), now])
    .whereRaw(`${SEEN} NOT IN (?::jsonb, ?::jsonb)`, same)
    .orderBy('version')
    .select('version', 'created_at');
  // A change that was reverted does not count.
  return changed.at(-1)?.version === now ? changed[0]?.created_at : undefined;
}
