import { EMPTY_ROOT, HASH_BYTES, leafHashes, rootOf } from './hash';
import { HashedTile, type TileAt, tileOf, WIDTH } from './tiles';
import { fold, type Node, rootNodes } from './tree';

const nameOf = ({ level, tile }: TileAt): string => `${level} ${tile}`;
const FULL = WIDTH * HASH_BYTES;

/** The tiles at the right edge of a tree: those that a new leaf changes, and its root is made of. */
export function edgeOf(size: number): TileAt[] {
  const edge = new Map<string, TileAt>();
  for (const node of rootNodes(size)) {
    const { level, tile } = tileOf(node);
    edge.set(nameOf({ level, tile }), { level, tile });
  }
  return [...edge.values()];
}

/** A tile that has changed, whole. */
export interface ChangedTile extends TileAt {
  /** Commitments at level 0, otherwise hashes. */
  hashes: Buffer;
}

/** A tree that grows at its right edge, of which nothing else is in memory. */
export class GrowingTree {
  private readonly tiles = new Map<string, Buffer>();
  private readonly changed = new Map<string, TileAt>();

  /** @param edge the tiles of `edgeOf(size)` */
  constructor(
    public size: number,
    edge: readonly ChangedTile[],
  ) {
    for (const tile of edge) this.tiles.set(nameOf(tile), tile.hashes);
  }

  /** Adds commitments; 256 at once are as cheap as can be. */
  append(commitments: Buffer): void {
    for (let from = 0; from < commitments.length; ) {
      const room = FULL - (this.size % WIDTH) * HASH_BYTES;
      const some = commitments.subarray(from, from + room);
      this.extend({ level: 0, tile: Math.floor(this.size / WIDTH) }, some);
      this.size += some.length / HASH_BYTES;
      from += some.length;
    }
  }

  /** The root, from the edge alone. */
  root(): Buffer {
    if (this.size === 0) return EMPTY_ROOT;
    const hashOf = (node: Node): Buffer => {
      const at = tileOf(node);
      return new HashedTile(at, this.tileAt(at)).hashOf(node);
    };
    return fold(rootNodes(this.size).map(hashOf));
  }

  /** The tiles that were changed since the last call, each as it is now. */
  takeChanged(): ChangedTile[] {
    const changed = [...this.changed.values()].map((at) => ({ ...at, hashes: this.tileAt(at) }));
    this.changed.clear();
    const edge = new Set(edgeOf(this.size).map(nameOf));
    for (const name of this.tiles.keys()) if (!edge.has(name)) this.tiles.delete(name);
    return changed;
  }

  private tileAt(at: TileAt): Buffer {
    return this.tiles.get(nameOf(at)) ?? Buffer.alloc(0);
  }

  private extend({ level, tile }: TileAt, hashes: Buffer): void {
    const at = { level, tile };
    const whole = Buffer.concat([this.tileAt(at), hashes]);
    this.tiles.set(nameOf(at), whole);
    this.changed.set(nameOf(at), at);
    if (whole.length < FULL) return;
    const root = rootOf(level === 0 ? leafHashes(whole) : whole);
    this.extend({ level: level + 1, tile: Math.floor(tile / WIDTH) }, root);
  }
}
