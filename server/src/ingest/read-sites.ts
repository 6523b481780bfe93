import type { Knex } from 'knex';
import { GROUP } from '../db/account-groups';
import { PLACE } from '../db/cluster/shard-map';
import { EnvironmentRow } from '../db/models';
import { type SiteRow, VISITOR_PARTS } from './site';

/** Bytes of settings, as stored and of what visitors need of them, up to which a site is light: most have two thousand. */
const LIGHT = 16 * 1024;

/** Of one unpacking of the settings: by an operator for each part they would be unpacked for each. */
const PARTS = `(SELECT to_jsonb(part) FROM jsonb_to_record(settings) AS part(${VISITOR_PARTS.map((name) => `${name} jsonb`).join(', ')}))`;

/** The size as stored is known without unpacking, but says little: what repeats itself is packed to a hundredth. */
const LIGHT_PARTS = `CASE WHEN pg_column_size(settings) <= ${LIGHT} THEN
  (SELECT CASE WHEN pg_column_size(parts) <= ${LIGHT} THEN parts END FROM (SELECT ${PARTS} AS parts) AS light) END`;

/** A row without its settings, because they are large. */
type LargeRow = Omit<SiteRow, 'settings'> & { settings: null };

export const isLarge = (row: SiteRow | LargeRow): row is LargeRow => row.settings === null;

/** The sites with these tokens. */
export const readSites = (
  knex: Knex,
  tokens: readonly string[],
  onCluster: boolean,
): PromiseLike<SiteRow[]> => read(knex, tokens, onCluster, PARTS).castTo<SiteRow[]>();

/** The same in a time that no site's settings make long. */
export const readLightSites = (
  knex: Knex,
  tokens: readonly string[],
  onCluster: boolean,
): PromiseLike<(SiteRow | LargeRow)[]> =>
  read(knex, tokens, onCluster, LIGHT_PARTS).castTo<(SiteRow | LargeRow)[]>();

/** On a cluster with their places. */
function read(knex: Knex, tokens: readonly string[], onCluster: boolean, settings: string) {
  const query = EnvironmentRow.query(knex)
    .whereIn('token', tokens)
    .select('id', 'token', 'status', 'domains', 'settings_version', 'bundles', 'archived_at', 'deleted_at')
    .select(knex.raw(`${settings} AS settings`))
    .select(knex.raw(`(SELECT ${GROUP} FROM users u WHERE u.id = made_by) AS maker`));
  return onCluster ? query.select(knex.raw(`${PLACE} AS place`)) : query;
}
