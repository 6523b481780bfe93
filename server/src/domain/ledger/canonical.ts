import canonicalize from 'canonicalize';

/**
 * A value in the one way to write it (RFC 8785). A list of vendors may have 20,000 objects: the engine writes a copy whose
 * keys are in order many times faster than the library, but puts keys that are numbers first.
 */
export function canonicalText(value: unknown): string {
  const copy = ordered(value);
  return copy === UNORDERED ? (canonicalize(value) as string) : JSON.stringify(copy);
}

const UNORDERED = Symbol('keys of it have another order in a copy');

function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'number' && !Number.isFinite(value) ? UNORDERED : value;
  if ('toJSON' in value) return UNORDERED;
  if (Array.isArray(value)) {
    const items = value.map(ordered);
    return items.includes(UNORDERED) ? UNORDERED : items;
  }
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const item = ordered((value as Record<string, unknown>)[key]);
    if (item === UNORDERED || DIGIT.test(key) || key === '__proto__') return UNORDERED;
    copy[key] = item;
  }
  return copy;
}

const DIGIT = /^\d/;

/** Values that are written at once. */
const AT_ONCE = 200;

/** The same text in small pieces: a mebibyte at once would hold up whoever waits for an answer. */
export function* canonicalPieces(value: unknown): Generator<string, void> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value || countTo(AT_ONCE, value) < AT_ONCE) {
    yield canonicalText(value);
    return;
  }
  if (Array.isArray(value)) {
    let before = '[';
    for (const item of value) {
      yield before;
      yield* canonicalPieces(item ?? null);
      before = ',';
    }
    yield ']';
    return;
  }
  const object = value as Record<string, unknown>;
  let before = '{';
  for (const key of Object.keys(object).sort()) {
    const item = object[key];
    if (item === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    yield* canonicalPieces(item);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** How many values there are in a value, with itself; no more are counted than so many. */
function countTo(most: number, value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    count += countTo(most - count, item);
    if (count >= most) return count;
  }
  return count;
}
