import { nodeHash } from './hash';

const isPowerOfTwo = (size: number): boolean =>
  Number.isInteger(Math.log2(size)) && 2 ** Math.log2(size) === size;

export interface Head {
  size: number;
  root: Buffer;
}

/** Whether the proof shows that the older tree is the beginning of the newer one: RFC 9162, section 2.1.4.2. */
export function isConsistent(older: Head, newer: Head, proof: readonly Buffer[]): boolean {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && older.root.equals(newer.root);
  // The empty tree is the beginning of every tree.
  if (older.size === 0) return proof.length === 0;
  const path = isPowerOfTwo(older.size) ? [older.root, ...proof] : proof;
  const [first, ...others] = path;
  if (first === undefined) return false;
  // Halved instead of shifted: sizes go beyond 32 bits.
  let [left, right] = [older.size - 1, newer.size - 1];
  const up = (): void => {
    left = Math.floor(left / 2);
    right = Math.floor(right / 2);
  };
  while (left % 2 === 1) up();
  let [olderRoot, newerRoot] = [first, first];
  for (const hash of others) {
    if (right === 0) return false;
    if (left % 2 === 1 || left === right) {
      olderRoot = nodeHash(hash, olderRoot);
      newerRoot = nodeHash(hash, newerRoot);
      while (left % 2 === 0 && left !== 0) up();
    } else {
      newerRoot = nodeHash(newerRoot, hash);
    }
    up();
  }
  return right === 0 && olderRoot.equals(older.root) && newerRoot.equals(newer.root);
}
