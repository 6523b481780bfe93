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
  const newer = await sha256(Uint8Array.of(0), hashOf(commitment));
  const top = await climb({ at: leaf, last: size - 1, newer }, proof.map(hashOf));
  return top !== undefined && equal(top.newer, expected);
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
  const top = await climb({ at, last, newer: first, older: first }, hashes);
  return top?.older !== undefined && equal(top.older, older) && equal(top.newer, newer);
}

/** A node on the way to the root, and the last one beside it; hashes of it in the tree, and in an older one. */
interface Step {
  at: number;
  last: number;
  newer: Uint8Array;
  older?: Uint8Array | undefined;
}

/** From a node to the root; undefined where the proof has another length than the way. */
async function climb(
  { at, last, newer, older }: Step,
  proof: Uint8Array[],
): Promise<Pick<Step, 'newer' | 'older'> | undefined> {
  for (const hash of proof) {
    if (last === 0) return undefined;
    if (at % 2 === 1 || at === last) {
      older &&= await node(hash, older);
      newer = await node(hash, newer);
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
    } else newer = await node(newer, hash);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 ? { newer, older } : undefined;
}

function hashOf(hash: Hash): Uint8Array {
  const bytes = typeof hash === 'string' ? fromBase64(hash) : hash;
  if (bytes?.length !== 32) throw new EvidenceError('a hash has 32 bytes, written in base64');
  return bytes;
}

function sizeOf(value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new EvidenceError('a size or leaf is a whole number below 2^53');
}
