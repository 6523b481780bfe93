/**
 * Merges typed values with values that somebody else has saved: if only one of the two changed something,
 * that change is kept; if both did, the typed value is kept. Compares records field by field and lists entry
 * by entry.
 * @param base the values that both started from
 */
export function rebase<Value>(base: Value, typed: Value, saved: Value): Value {
  if (same(typed, base)) return saved;
  if (same(saved, base)) return typed;
  if (Array.isArray(typed) && Array.isArray(saved)) return lists(base, typed, saved) as Value;
  if (isRecord(typed) && isRecord(saved)) return records(base, typed, saved) as Value;
  return typed;
}

type Fields = Record<string, unknown>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether two values are equal, in any order of fields. */
function same(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((entry, at) => same(entry, other[at]));
  if (!isRecord(one) || !isRecord(other)) return one === other;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) =>
    same(one[key], other[key]),
  );
}

/** A value that two users have changed to different values. */
export interface Clash {
  /** Its path: names of fields and, in lists, of entries. */
  path: string[];
  theirs: unknown;
  yours: unknown;
}

/** The values for which `rebase` keeps the typed value over another saved one. */
export function clashesOf(base: unknown, typed: unknown, saved: unknown, path: string[] = []): Clash[] {
  if (same(typed, base) || same(saved, base) || same(typed, saved)) return [];
  if (Array.isArray(typed) && Array.isArray(saved)) {
    const [before, now] = [byName(Array.isArray(base) ? base : []), byName(saved)];
    return typed.flatMap((entry) => {
      const name = nameOf(entry);
      if (!isRecord(entry) || !before.has(name)) return [];
      return clashesOf(before.get(name), entry, now.get(name), [...path, titleOf(entry)]);
    });
  }
  if (isRecord(typed) && isRecord(saved)) {
    const old: Fields = isRecord(base) ? base : {};
    const keys = new Set([...Object.keys(saved), ...Object.keys(typed)]);
    return [...keys].flatMap((key) => clashesOf(old[key], typed[key], saved[key], [...path, key]));
  }
  return [{ path, theirs: saved, yours: typed }];
}

const titleOf = ({ name, key, id }: Fields): string => String(name || key || id || 'entry');

function records(base: unknown, typed: Fields, saved: Fields): Fields {
  const before: Fields = isRecord(base) ? base : {};
  const merged = [...new Set([...Object.keys(saved), ...Object.keys(typed)])].map(
    (key) => [key, rebase(before[key], typed[key], saved[key])] as const,
  );
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
}

/** In the typed order; entries that somebody else has added come last. */
function lists(base: unknown, typed: unknown[], saved: unknown[]): unknown[] {
  const before = byName(Array.isArray(base) ? base : []);
  const now = byName(saved);
  const kept = typed.flatMap((entry) => {
    const name = nameOf(entry);
    if (!before.has(name)) return [entry];
    if (now.has(name)) return [rebase(before.get(name), entry, now.get(name))];
    return same(entry, before.get(name)) ? [] : [entry];
  });
  const mine = new Set(typed.map(nameOf));
  return [...kept, ...saved.filter((entry) => !mine.has(nameOf(entry)) && !before.has(nameOf(entry)))];
}

const byName = (entries: unknown[]) => new Map(entries.map((entry) => [nameOf(entry), entry]));

/** The identity of a list's entry, by the contract's names of such fields. */
function nameOf(entry: unknown): unknown {
  if (!isRecord(entry)) return entry;
  const { id, key, lang_id, name, domain } = entry;
  return id ?? key ?? lang_id ?? JSON.stringify([name, domain]);
}
