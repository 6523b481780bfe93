import { HASH_BYTES, leafHash, nodeHash } from './hash';
import type { Node } from './tree';

/** Levels of the tree in one tile, and hashes in a full one (C2SP tlog-tiles). */
const HEIGHT = 8;
export const WIDTH = 2 ** HEIGHT;

/** A tile's place. Level 0 are the hashes of leaves, which are kept as their entries. */
export interface TileAt {
  level: number;
  tile: number;
}

/** The tile that holds a complete subtree, and which of its hashes the subtree is made of. */
export function tileOf({ level, index }: Node): TileAt & { from: number; count: number } {
  const count = 2 ** (level % HEIGHT);
  const first = index * count;
  return {
    level: Math.floor(level / HEIGHT),
    tile: Math.floor(first / WIDTH),
    from: first % WIDTH,
    count,
  };
}

/** A tile, or the part of it that there is: each of its subtrees is hashed once, when it is first asked for. */
export class HashedTile implements TileAt {
  readonly level: number;
  readonly tile: number;
  /** Of every subtree, and which of them are computed; the root of the tile has the number 1. */
  private known: { hashes: Buffer; has: Uint8Array } | undefined;

  /** @param hashes commitments at level 0 */
  constructor(
    { level, tile }: TileAt,
    readonly hashes: Buffer,
  ) {
    this.level = level;
    this.tile = tile;
  }

  /** The hash of a subtree that lies in this tile. Throws `RangeError` when the tile is too short. */
  hashOf(node: Node): Buffer {
    const { from, count } = tileOf(node);
    if ((from + count) * HASH_BYTES > this.hashes.length)
      throw new RangeError('a tile lacks a hash that its tree has');
    return this.subtree(from, count);
  }

  private subtree(from: number, count: number): Buffer {
    if (count === 1 && this.level > 0) return this.own(from);
    this.known ??= { hashes: Buffer.alloc(2 * WIDTH * HASH_BYTES), has: new Uint8Array(2 * WIDTH) };
    const { hashes, has } = this.known;
    const number = (WIDTH + from) / count;
    const place = hashes.subarray(number * HASH_BYTES, (number + 1) * HASH_BYTES);
    if (has[number] === 1) return place;
    const half = count / 2;
    const hash =
      count === 1
        ? leafHash(this.own(from))
        : nodeHash(this.subtree(from, half), this.subtree(from + half, half));
    hash.copy(place);
    has[number] = 1;
    return place;
  }

  private own(at: number): Buffer {
    return this.hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);
  }
}

/** Bytes that a tile takes in memory at most, with its hashes. */
export const TILE_BYTES = 3 * WIDTH * HASH_BYTES + 2 * WIDTH;

/** The largest number that a tile's path may name: every size below 2^53 fits. */
const MAX_NUMBER = 2 ** 45;
const PATH =
  /^(?:(entries)|(\d|[1-5]\d|6[0-3]))((?:\/x\d{3}){0,4}\/\d{3})(?:\.p\/([1-9]\d?|1\d\d|2[0-4]\d|25[0-5]))?$/;

/** What a path below `/tile/` asks for. */
export interface TilePath extends TileAt {
  /** Whether the entries themselves are asked for, and not the hashes of their leaves. */
  entries: boolean;
  /** How many hashes: 256 of a full tile. */
  width: number;
}

/** Reads such a path; undefined for what is none. */
export function readTilePath(path: string): TilePath | undefined {
  if (path.length > 40) return undefined;
  const found = PATH.exec(path);
  if (found === null) return undefined;
  const [, entries, level = '0', number = '', width] = found;
  const digits = number.replaceAll(/[/x]/g, '');
  const tile = Number(digits);
  // Each number has one path only.
  if (tile > MAX_NUMBER || `/${numberPath(tile)}` !== number) return undefined;
  return {
    entries: entries !== undefined,
    level: Number(level),
    tile,
    width: width === undefined ? WIDTH : Number(width),
  };
}

/** A number in groups of three digits, all but the last with an x (C2SP tlog-tiles). */
export function numberPath(number: number): string {
  const groups = [String(number % 1000).padStart(3, '0')];
  for (let rest = Math.floor(number / 1000); rest > 0; rest = Math.floor(rest / 1000))
    groups.unshift(`x${String(rest % 1000).padStart(3, '0')}`);
  return groups.join('/');
}

/** A bundle of entries as C2SP tlog-tiles has it: each with its length in two bytes. */
export function entryBundle(commitments: Buffer): Buffer {
  const count = commitments.length / HASH_BYTES;
  const bundle = Buffer.alloc(count * (HASH_BYTES + 2));
  for (let i = 0; i < count; i += 1) {
    const at = i * (HASH_BYTES + 2);
    bundle.writeUInt16BE(HASH_BYTES, at);
    commitments.copy(bundle, at + 2, i * HASH_BYTES, (i + 1) * HASH_BYTES);
  }
  return bundle;
}
