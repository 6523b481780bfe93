import type { Knex } from 'knex';
import type { ChangedTile } from '../../domain/ledger/append';
import type { TileAt } from '../../domain/ledger/tiles';

/** The stored part of tiles; of level 0 their commitments. One that does not exist is left out. */
export async function readTiles(
  db: Knex,
  environment_id: string,
  tiles: readonly TileAt[],
): Promise<ChangedTile[]> {
  const bundles = tiles.filter(({ level }) => level === 0).map(({ tile }) => tile);
  const above = tiles.filter(({ level }) => level > 0);
  const found: ChangedTile[] = [];
  if (bundles.length > 0) {
    const rows = await db('ledger_entries')
      .where({ environment_id })
      .whereIn('bundle', bundles)
      .select('bundle', 'commitments');
    for (const { bundle, commitments } of rows)
      found.push({ level: 0, tile: Number(bundle), hashes: commitments });
  }
  if (above.length > 0) {
    const rows = await db('ledger_tiles')
      .where({ environment_id })
      .whereIn(
        ['level', 'tile'],
        above.map(({ level, tile }) => [level, tile]),
      )
      .select('level', 'tile', 'hashes');
    for (const { level, tile, hashes } of rows) found.push({ level, tile: Number(tile), hashes });
  }
  return found;
}

/** Tiles that one statement writes: two mebibytes. */
const AT_ONCE = 256;

/** Writes tiles as they are now; what they held before is their beginning. */
export async function writeTiles(
  trx: Knex,
  environment_id: string,
  tiles: readonly ChangedTile[],
): Promise<void> {
  const entries = tiles
    .filter(({ level }) => level === 0)
    .map(({ tile, hashes }) => ({ environment_id, bundle: tile, commitments: hashes }));
  for (let from = 0; from < entries.length; from += AT_ONCE)
    await trx('ledger_entries')
      .insert(entries.slice(from, from + AT_ONCE))
      .onConflict(['environment_id', 'bundle'])
      .merge(['commitments']);
  const above = tiles
    .filter(({ level }) => level > 0)
    .map(({ level, tile, hashes }) => ({ environment_id, level, tile, hashes }));
  if (above.length > 0)
    await trx('ledger_tiles').insert(above).onConflict(['environment_id', 'level', 'tile']).merge(['hashes']);
}
