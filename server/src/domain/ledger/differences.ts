import canonicalize from 'canonicalize';

/** The names of members that differ. */
export function differences(sealed: unknown, present: object): string[] {
  const before = (sealed ?? {}) as Record<string, unknown>;
  const now = JSON.parse(JSON.stringify(present)) as Record<string, unknown>;
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => canonicalize(before[name]) !== canonicalize(now[name]));
}
