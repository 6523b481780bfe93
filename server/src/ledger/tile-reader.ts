import type { Knex } from 'knex';
import { type Segment, segmentsAt } from '../db/ledger/segments';
import { readTiles } from '../db/ledger/tree-rows';
import { HashedTile, TILE_BYTES, type TileAt } from '../domain/ledger/tiles';
import { Memory } from '../domain/memory';

/** Where proofs are read from. */
export interface LogReader {
  tiles(places: readonly TileAt[]): Promise<HashedTile[]>;
  /** The segments that an instant may lie in. */
  segments(at: Date): AsyncIterable<Segment>;
}

/** Each proof reads its rows from the database. */
export const readerOf = (db: Knex, environmentId: string): LogReader => ({
  tiles: async (places) =>
    (await readTiles(db, environmentId, places)).map((tile) => new HashedTile(tile, tile.hashes)),
  segments: async function* (at) {
    yield* await segmentsAt(db, environmentId, at);
  },
});

/** Bytes of tiles and their hashes that are kept: a proof shares most of them with its neighbour's. */
const KEPT = 4 * 2 ** 20;

const nameOf = ({ level, tile }: TileAt): string => `${level} ${tile}`;

/** Proofs of many records against one head: what they share is read and hashed once. */
export class RememberingReader implements LogReader {
  private readonly kept = new Memory<{ tile: HashedTile; size: number }>(KEPT);
  private last: Segment | undefined;
  private readonly from: LogReader;

  constructor(db: Knex, environmentId: string) {
    this.from = readerOf(db, environmentId);
  }

  async tiles(places: readonly TileAt[]): Promise<HashedTile[]> {
    const found = places.flatMap((place) => this.kept.get(nameOf(place))?.tile ?? []);
    const there = new Set(found.map(nameOf));
    const missing = places.filter((place) => !there.has(nameOf(place)));
    if (missing.length === 0) return found;
    const read = await this.from.tiles(missing);
    for (const tile of read) this.kept.set(nameOf(tile), { tile, size: TILE_BYTES });
    return [...found, ...read];
  }

  /** Records in the order of time mostly lie in the segment of the one before. */
  async *segments(at: Date): AsyncGenerator<Segment> {
    const { last } = this;
    if (last !== undefined && last.first_at <= at && at <= last.last_at) yield last;
    for await (const segment of this.from.segments(at)) {
      this.last = segment;
      yield segment;
    }
  }
}
