import type { Knex } from 'knex';
import { type HeadRow, headOf } from '../db/ledger/heads';
import type { Segment } from '../db/ledger/segments';
import { HASH_BYTES } from '../domain/ledger/hash';
import { HashedTile, type TileAt, tileOf, WIDTH } from '../domain/ledger/tiles';
import { fold, type ProofPlan, planConsistency, planInclusion } from '../domain/ledger/tree';
import { type LogReader, readerOf } from './tile-reader';

/** Where a record lies in a log, and what proves it. */
export interface LeafPlace {
  /** From 0 on. */
  leaf: number;
  /** RFC 6962 §2.1.1, against the root of the head. */
  proof: Buffer[];
}

/** The same with the head that it is proven against. */
export interface LeafProof extends LeafPlace {
  head: HeadRow;
}

/**
 * Proves that a commitment is sealed; undefined when it is not, or not yet.
 * @param commitment in hexadecimal digits
 * @param at when its record was stored or dated, which is found with it
 */
export async function proveLeaf(
  db: Knex,
  environmentId: string,
  commitment: string,
  at: Date,
): Promise<LeafProof | undefined> {
  const log = readerOf(db, environmentId);
  for (let tries = 0; tries < TRIES; tries += 1) {
    // Before the leaf is looked for: a tree only grows, so that what is found later may not be in it.
    const head = await headOf(db, environmentId);
    if (head === undefined) return undefined;
    const leaf = await findLeaf(log, Buffer.from(commitment, 'hex'), at);
    if (leaf === undefined) return undefined;
    if (leaf < head.size) return { leaf, head, proof: await readProof(log, planInclusion(leaf, head.size)) };
  }
  return undefined;
}

/** A leaf that lies beyond a head was sealed after it was read: the next head has it. */
const TRIES = 2;

/** Proves it against one head; undefined when it is not below it. */
export async function proveBelow(
  log: LogReader,
  { size }: HeadRow,
  commitment: string,
  at: Date,
): Promise<LeafPlace | undefined> {
  const leaf = await findLeaf(log, Buffer.from(commitment, 'hex'), at);
  if (leaf === undefined || leaf >= size) return undefined;
  return { leaf, proof: await readProof(log, planInclusion(leaf, size)) };
}

/** Proves a leaf against a size of the log that holds it. */
export const proveAt = (db: Knex, environmentId: string, leaf: number, size: number): Promise<Buffer[]> =>
  readProof(readerOf(db, environmentId), planInclusion(leaf, size));

/** Proves that a log of one size is the beginning of the same log at another one (RFC 6962 §2.1.2). */
export const proveGrowth = (db: Knex, environmentId: string, from: number, to: number): Promise<Buffer[]> =>
  readProof(readerOf(db, environmentId), planConsistency(from, to));

/** The place of a leaf, found by the time of its record. */
export async function findLeaf(log: LogReader, commitment: Buffer, at: Date): Promise<number | undefined> {
  for await (const segment of log.segments(at)) {
    const leaf = await findIn(log, segment, commitment);
    if (leaf !== undefined) return leaf;
  }
  return undefined;
}

async function findIn(
  log: LogReader,
  { first_leaf, leaves }: Segment,
  commitment: Buffer,
): Promise<number | undefined> {
  const end = first_leaf + leaves;
  const bundles = [Math.floor(first_leaf / WIDTH), Math.floor((end - 1) / WIDTH)];
  const places = [...new Set(bundles)].map((tile) => ({ level: 0, tile }));
  for (const { tile, hashes } of await log.tiles(places)) {
    const start = tile * WIDTH;
    const [from, to] = [Math.max(first_leaf, start) - start, Math.min(end, start + WIDTH) - start];
    const found = placeIn(hashes.subarray(0, to * HASH_BYTES), commitment, from);
    if (found !== undefined) return start + found;
  }
  return undefined;
}

/** The place of a hash among others, not before `from`. */
function placeIn(hashes: Buffer, hash: Buffer, from: number): number | undefined {
  for (let at = hashes.indexOf(hash, from * HASH_BYTES); at >= 0; at = hashes.indexOf(hash, at + 1))
    if (at % HASH_BYTES === 0) return at / HASH_BYTES;
  return undefined;
}

/** Reads the rows that a proof is made of, each once, and computes its hashes. */
async function readProof(log: LogReader, plan: ProofPlan): Promise<Buffer[]> {
  const places = new Map<string, TileAt>();
  for (const node of plan.flat()) {
    const { level, tile } = tileOf(node);
    places.set(`${level} ${tile}`, { level, tile });
  }
  const tiles = await log.tiles([...places.values()]);
  const byPlace = new Map(tiles.map((tile) => [`${tile.level} ${tile.tile}`, tile]));
  return plan.map((nodes) =>
    fold(
      nodes.map((node) => {
        const { level, tile } = tileOf(node);
        const found = byPlace.get(`${level} ${tile}`) ?? new HashedTile({ level, tile }, Buffer.alloc(0));
        return found.hashOf(node);
      }),
    ),
  );
}
