import { EvidenceError } from '../errors.js';
import { type Bytes, equal, fromBase64, sha256 } from './bytes.js';

/** A hash of 32 bytes, or its text in base64. */
export type Hash = Uint8Array | string;

/** Where a commitment is said to be in a tree. */
export interface Inclusion {
  /** The entry: what `commitmentOf` returns. */
  commitment: Hash;
  /** Its place, from 0. */
  leaf: number;
  /** Leaves of the tree. */
  size: number;
  root: Hash;
  /** Hashes from the leaf's sibling up. */
  proof: readonly Hash[];
}

/** Two heads of a tree, the second of which is said to continue the first. */
export interface Consistency {
  from: { size: number; root: Hash };
  to: { size: number; root: Hash };
  proof: readonly Hash[];
}

const node = (left: Uint8Array, right: Uint8Array): Promise<Bytes> => sha256(Uint8Array.of(1), left, right);
// Division, not shifts: sizes go beyond 32 bits.
const half = (value: number): number => Math.floor(value / 2);

/**
 * Whether a commitment is in the tree with this root (RFC 9162 §2.1.3.2).
 * @throws {EvidenceError} when a number or a hash is none
 */
export async function verifyInclusion({ commitment, leaf, size, root, proof }: Inclusion): Promise<boolean> {
  if (sizeOf(leaf) >= sizeOf(size)) return false;
  const expected = hashOf(root);
  let hash = await sha256(Uint8Array.of(0), hashOf(commitment));
  let [at, last] = [leaf, size - 1];
  for (const one of proof) {
    if (last === 0) return false;
    const sibling = hashOf(one);
    if (at % 2 === 1 || at === last) {
      hash = await node(sibling, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      hash = await node(hash, sibling);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && equal(hash, expected);
}

/**
 * Whether the larger tree begins with the smaller one: nothing was removed or changed (RFC 9162 §2.1.4.2).
 * @throws {EvidenceError} when a number or a hash is none
 */
export async function verifyConsistency({ from, to, proof }: Consistency): Promise<boolean> {
  const [older, newer] = [hashOf(from.root), hashOf(to.root)];
  if (sizeOf(from.size) > sizeOf(to.size)) return false;
  if (from.size === to.size) return proof.length === 0 && equal(older, newer);
  // Every tree continues the empty one, whose root is the hash of nothing.
  if (from.size === 0) return proof.length === 0 && equal(older, await sha256());
  const hashes = proof.map(hashOf);
  let [at, last] = [from.size - 1, to.size - 1];
  while (at % 2 === 1) [at, last] = [half(at), half(last)];
  // The older tree is one complete subtree: its root needs no place in the proof.
  const first = at === 0 ? older : hashes.shift();
  if (first === undefined) return false;
  let [one, other]: Uint8Array[] = [first, first];
  for (const hash of hashes) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      one = await node(hash, one as Uint8Array);
      other = await node(hash, other as Uint8Array);
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      other = await node(other as Uint8Array, hash);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && equal(one as Uint8Array, older) && equal(other as Uint8Array, newer);
}

function hashOf(hash: Hash): Uint8Array {
  const bytes = typeof hash === 'string' ? fromBase64(hash) : hash;
  if (bytes?.length !== 32) throw new EvidenceError('a hash has 32 bytes, written in base64');
  return bytes;
}

function sizeOf(value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new EvidenceError('a size or leaf is a whole number from 0 to 2^53 - 1');
}
