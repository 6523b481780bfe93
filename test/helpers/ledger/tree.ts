import { createHash } from 'node:crypto';

// The tree of RFC 6962 §2.1, written from its definitions, without any code of the product.

const sha256 = (...parts: Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The largest power of two that is smaller than n. */
function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/** MTH(D[n]): the root of a list of entries. */
export function rootOf(entries: readonly Uint8Array[]): Buffer {
  const [first] = entries;
  if (first === undefined) return sha256();
  if (entries.length === 1) return sha256(Buffer.of(0), first);
  const k = split(entries.length);
  return sha256(Buffer.of(1), rootOf(entries.slice(0, k)), rootOf(entries.slice(k)));
}

/** PATH(m, D[n]): the proof that entry m is in the list. */
export function inclusionOf(m: number, entries: readonly Uint8Array[]): Buffer[] {
  if (entries.length <= 1) return [];
  const k = split(entries.length);
  return m < k
    ? [...inclusionOf(m, entries.slice(0, k)), rootOf(entries.slice(k))]
    : [...inclusionOf(m - k, entries.slice(k)), rootOf(entries.slice(0, k))];
}

/** PROOF(m, D[n]): the proof that the list continues its first m entries. */
export function consistencyOf(m: number, entries: readonly Uint8Array[]): Buffer[] {
  return m === 0 ? [] : subproof(m, entries, true);
}

/** SUBPROOF(m, D[n], b). */
function subproof(m: number, entries: readonly Uint8Array[], isWhole: boolean): Buffer[] {
  if (m === entries.length) return isWhole ? [] : [rootOf(entries)];
  const k = split(entries.length);
  return m <= k
    ? [...subproof(m, entries.slice(0, k), isWhole), rootOf(entries.slice(k))]
    : [...subproof(m - k, entries.slice(k), false), rootOf(entries.slice(0, k))];
}
