/** The places of the first two items of a list that are the same JSON value; one look at each of them. */
export function findTwins(list: readonly unknown[]): [number, number] | undefined {
  const seen = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    const text = canonical(item);
    const twin = seen.get(text);
    if (twin !== undefined) return [twin, index];
    seen.set(text, index);
  }
  return undefined;
}

/** JSON in which the order of names says nothing. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, inner) =>
    isPlain(inner) ? ordered(inner) : isEndless(inner) ? named(inner) : inner,
  );

/** JSON has no word for what 1e400 becomes, and would write null. */
const isEndless = (value: unknown): value is number => typeof value === 'number' && !Number.isFinite(value);
const named = (value: number): unknown => ({ number: String(value) });

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// Entries instead of an object: the names of an object that look like numbers have an order of their own.
const ordered = (value: object): unknown => {
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { entries: entries.map(([name, inner]) => [name, inner]) };
};
