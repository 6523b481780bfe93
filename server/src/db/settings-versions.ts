import type { Knex } from 'knex';
import { joinSettings, partsOf, type StoredSettings, splitSettings } from '../domain/settings-parts';
import type { Settings } from '../domain/types';
import { sealFact } from './ledger/facts';
import { settingsRecord } from './ledger/records';
import { type EnvironmentRow, SettingsPartRow, SettingsVersionRow } from './models';

/** Writes a version of a site's settings; large parts that an older one holds are not written again. */
export async function storeVersion(
  trx: Knex,
  { id: environment_id, settings, settings_version: version }: StoredSite,
  created_at: Date,
  created_by: number | null,
): Promise<void> {
  const { stored, parts } = splitSettings(settings);
  const rows = [...parts].map(([hash, part]) => ({ environment_id, hash, part: JSON.stringify(part) }));
  // Not by the model, which expects a row for each one, also for those that are there already.
  if (rows.length > 0)
    await trx('settings_parts').insert(rows).onConflict(['environment_id', 'hash']).ignore();
  await SettingsVersionRow.query(trx).insert({
    environment_id,
    version,
    settings: stored,
    created_at,
    created_by,
  });
  await sealFact(trx, {
    ...{ environmentId: environment_id, kind: 'settings', subject: String(version) },
    record: settingsRecord(version, settings, created_at),
  });
}

type StoredSite = Pick<EnvironmentRow, 'id' | 'settings' | 'settings_version'>;

/** The settings of a version, put together; those of an older one may be stored whole. */
export async function wholeSettings(
  db: Knex,
  environment_id: string,
  stored: StoredSettings,
): Promise<Settings> {
  const parts = new Map<string, unknown>();
  for (let wanted = [...partsOf(stored)]; wanted.length > 0; ) {
    const rows = await SettingsPartRow.query(db).where({ environment_id }).whereIn('hash', wanted);
    for (const { hash, part } of rows) parts.set(hash, part);
    const named = new Set(rows.flatMap(({ part }) => [...partsOf(part)]));
    wanted = [...named].filter((hash) => !parts.has(hash));
  }
  return joinSettings(stored, parts);
}
