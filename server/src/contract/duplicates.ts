/** The indexes of the first two items of a list that are equal as JSON; reads each item once. */
export function findDuplicates(list: readonly unknown[]): [number, number] | undefined {
  const seen = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    const text = textOf(item);
    if (text === undefined) continue;
    const first = seen.get(text);
    if (first !== undefined) return [first, index];
    seen.set(text, index);
  }
  return undefined;
}

/** Undefined for what nests too deep to be read, as no request's body may: it is equal to nothing. */
function textOf(item: unknown): string | undefined {
  try {
    return canonical(item);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** JSON in which the order of keys does not matter. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, inner) =>
    isPlain(inner) ? ordered(inner) : isEndless(inner) ? named(inner) : inner,
  );

/** 1e400 is parsed as Infinity, which JSON would write as null. */
const isEndless = (value: unknown): value is number => typeof value === 'number' && !Number.isFinite(value);
const named = (value: number): unknown => ({ number: String(value) });

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// Entries instead of an object, because an object sorts keys that look like numbers first.
const ordered = (value: object): unknown => {
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { entries: entries.map(([name, inner]) => [name, inner]) };
};
