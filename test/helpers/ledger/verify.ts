import { leafHash, nodeHash } from '../../../server/src/domain/ledger/hash';

// Written from RFC 9162 §2.1, apart from the program: what it proves must be proven to others.

/** The root that an inclusion proof leads to (§2.1.3.2). Throws when the proof has a wrong length. */
export function rootByInclusion(leaf: number, size: number, entry: Buffer, proof: readonly Buffer[]): Buffer {
  let [fn, sn] = [leaf, size - 1];
  let root = leafHash(entry);
  for (const part of proof) {
    if (sn === 0) throw new Error('the proof is too long');
    if (fn % 2 === 1 || fn === sn) {
      root = nodeHash(part, root);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = halves(fn, sn);
    } else root = nodeHash(root, part);
    [fn, sn] = halves(fn, sn);
  }
  if (sn !== 0) throw new Error('the proof is too short');
  return root;
}

const halves = (fn: number, sn: number): [number, number] => [Math.floor(fn / 2), Math.floor(sn / 2)];

/** The roots of both sizes that a consistency proof leads to (§2.1.4.2). Throws when the proof has a wrong length. */
export function rootsByConsistency(
  first: number,
  second: number,
  firstRoot: Buffer,
  proof: readonly Buffer[],
): [Buffer, Buffer] {
  const path = Number.isInteger(Math.log2(first)) ? [firstRoot, ...proof] : [...proof];
  let [fn, sn] = [first - 1, second - 1];
  while (fn % 2 === 1) [fn, sn] = halves(fn, sn);
  const start = path.shift();
  if (start === undefined) throw new Error('the proof is empty');
  let [fr, sr] = [start, start];
  for (const part of path) {
    if (sn === 0) throw new Error('the proof is too long');
    if (fn % 2 === 1 || fn === sn) {
      fr = nodeHash(part, fr);
      sr = nodeHash(part, sr);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = halves(fn, sn);
    } else sr = nodeHash(sr, part);
    [fn, sn] = halves(fn, sn);
  }
  if (sn !== 0) throw new Error('the proof is too short');
  return [fr, sr];
}

/** The root of entries by the recursive definition (RFC 6962 §2.1). */
export function rootOfEntries(entries: readonly Buffer[]): Buffer {
  if (entries.length === 1) return leafHash(entries[0] as Buffer);
  let middle = 1;
  while (middle * 2 < entries.length) middle *= 2;
  return nodeHash(rootOfEntries(entries.slice(0, middle)), rootOfEntries(entries.slice(middle)));
}
