import canonicalize from 'canonicalize';

/** What the log says of an erasure. */
export type SealedErasure = Record<string, unknown>;

/** What of an erasure never changes; whatever is a number in it counts, and never falls. */
const FIXED = ['erasure_id', 'kind', 'found_by', 'rule', 'day', 'begun_at'] as const;

/**
 * What of an erasure cannot have become so since it was sealed, by name. Only a rule's is opened again, by a later run of
 * its day: every other one that came to its end has ended.
 */
export function impossibleSince(sealed: SealedErasure, present: SealedErasure): string[] {
  const fixed = FIXED.filter((name) => canonicalize(sealed[name]) !== canonicalize(present[name]));
  const fallen = Object.keys(sealed).filter((name) => {
    const count = sealed[name];
    return typeof count === 'number' && !(Number(present[name] ?? 0) >= count);
  });
  const isReopened = sealed.kind !== 'retention' && sealed.finished_at !== null;
  return [...fixed, ...fallen, ...(isReopened ? ['finished_at'] : [])];
}

/** The same of all that was sealed of one erasure, the oldest first. */
export const impossibleAmong = (sealed: readonly SealedErasure[]): string[] => [
  ...new Set(sealed.slice(1).flatMap((next, n) => impossibleSince(sealed[n] as SealedErasure, next))),
];
