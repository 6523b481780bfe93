import { nodeHash } from './hash';

/**
 * A complete subtree: `level` is the logarithm of its number of leaves, `index` counts those of its level from the
 * left. Arithmetic instead of bits, which JavaScript has only 32 of.
 */
export interface Node {
  level: number;
  index: number;
}

/** The leaves from `start` up to but not including `end`. */
interface Range {
  start: number;
  end: number;
}

/** The largest power of two below `n`, which is at least 2. */
function splitOf(n: number): number {
  let power = 1;
  while (power * 2 < n) power *= 2;
  return power;
}

/** The complete subtrees of a range that begins at a multiple of the largest of them, from left to right. */
function nodesIn({ start, end }: Range): Node[] {
  const nodes: Node[] = [];
  for (let at = start; at < end; ) {
    let level = 0;
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= end) level += 1;
    nodes.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return nodes;
}

/** The complete subtrees whose hashes make the root of a tree. */
export const rootNodes = (size: number): Node[] => nodesIn({ start: 0, end: size });

/** The hash of a range from those of its complete subtrees. */
export const fold = (hashes: readonly Buffer[]): Buffer =>
  hashes.reduceRight((right, left) => nodeHash(left, right));

/** The ranges whose hashes prove that a leaf is in a tree, in the order of the proof (RFC 6962 §2.1.1, PATH). */
function inclusionRanges(leaf: number, { start, end }: Range): Range[] {
  if (end - start <= 1) return [];
  const middle = start + splitOf(end - start);
  return leaf < middle
    ? [...inclusionRanges(leaf, { start, end: middle }), { start: middle, end }]
    : [...inclusionRanges(leaf, { start: middle, end }), { start, end: middle }];
}

/** The same for a tree of `size` leaves that is the beginning of another one (RFC 6962 §2.1.2, SUBPROOF). */
function consistencyRanges(size: number, { start, end }: Range, isWhole: boolean): Range[] {
  if (size === end) return isWhole ? [] : [{ start, end }];
  const middle = start + splitOf(end - start);
  return size <= middle
    ? [...consistencyRanges(size, { start, end: middle }, isWhole), { start: middle, end }]
    : [...consistencyRanges(size, { start: middle, end }, false), { start, end: middle }];
}

/** A proof before its hashes are read: for each of them the subtrees that it is made of. */
export type ProofPlan = Node[][];

/** Of the leaf in the tree of that size. Throws `RangeError` when it is not in it. */
export function planInclusion(leaf: number, size: number): ProofPlan {
  if (!(leaf >= 0 && leaf < size)) throw new RangeError(`leaf ${leaf} is not in a tree of ${size}`);
  return inclusionRanges(leaf, { start: 0, end: size }).map(nodesIn);
}

/** That a tree is the beginning of a larger one; empty when one of them is empty or they are equal. */
export function planConsistency(from: number, to: number): ProofPlan {
  if (!(from >= 0 && from <= to)) throw new RangeError(`a tree of ${from} is no beginning of one of ${to}`);
  return from === 0 ? [] : consistencyRanges(from, { start: 0, end: to }, true).map(nodesIn);
}
