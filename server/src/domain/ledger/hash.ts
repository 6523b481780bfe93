import { hash } from 'node:crypto';

/** Bytes of a commitment, and of every hash of the tree. */
export const HASH_BYTES = 32;

/** The hash of the empty tree (RFC 6962 §2.1). */
export const EMPTY_ROOT = hash('sha256', '', 'buffer');

/** The prefixes that tell leaves from nodes, before their bytes: hashed at once, a tree costs a third. */
const NODE = Buffer.alloc(1 + 2 * HASH_BYTES, 1);
const LEAF = Buffer.alloc(1 + HASH_BYTES, 0);

/** The hash of a leaf, whose entry is a commitment (RFC 6962 §2.1). */
export function leafHash(entry: Buffer): Buffer {
  if (entry.length !== HASH_BYTES)
    return hash('sha256', Buffer.concat([LEAF.subarray(0, 1), entry]), 'buffer');
  entry.copy(LEAF, 1);
  return hash('sha256', LEAF, 'buffer');
}

/** The hash of two subtrees (RFC 6962 §2.1). */
export function nodeHash(left: Buffer, right: Buffer): Buffer {
  left.copy(NODE, 1);
  right.copy(NODE, 1 + HASH_BYTES);
  return hash('sha256', NODE, 'buffer');
}

/** The hashes that lie one after the other in a tile or a bundle of entries. */
export function hashesIn(bytes: Buffer): Buffer[] {
  const hashes: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += HASH_BYTES) hashes.push(bytes.subarray(at, at + HASH_BYTES));
  return hashes;
}

/** The root of a complete subtree: the number of hashes is a power of two. */
export function rootOf(hashes: readonly Buffer[]): Buffer {
  let level = hashes;
  while (level.length > 1) {
    const next: Buffer[] = [];
    for (let i = 0; i < level.length; i += 2) next.push(nodeHash(level[i] as Buffer, level[i + 1] as Buffer));
    level = next;
  }
  return level[0] as Buffer;
}
