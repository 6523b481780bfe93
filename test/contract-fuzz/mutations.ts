import fc from 'fast-check';
import type { Operation } from '../../server/src/contract/operations';
import { CURSORS, ENVELOPES, KEYS, LONG, NAMES, NASTY, TEXTS, TYPES } from './nasty';
import { type Parts, stringify, WRITTEN } from './requests';

/** A request with one thing changed: what was done, and where an answer would say so. */
export interface Mutated {
  what: string;
  parts: Parts;
  /** The place that was changed, as errors name places; undefined when it is the request as a whole. */
  place?: string;
}

type Mutation = (parts: Parts, at: number) => Mutated | undefined;

/** What an operation's requests become when one thing is changed. */
export function mutationsOf(operation: Operation, valid: fc.Arbitrary<Parts>): fc.Arbitrary<Mutated> {
  const fitting: Mutation[] = [unknownQuery];
  if (operation.bodyTypes.length > 0)
    fitting.push(
      drop,
      replace,
      replace,
      replace,
      add,
      add,
      grow,
      stretch,
      envelope,
      broken,
      tooLarge,
      mediaType,
      encoding,
    );
  else fitting.push(unexpectedBody);
  if (operation.segments.some((segment) => segment.startsWith('{'))) fitting.push(pathValue);
  if (operation.queryNames.size > 0) fitting.push(queryValue, queryValue, repeatedQuery);
  if (operation.queryNames.has('cursor')) fitting.push(cursor, cursor);
  if (operation.takesKey) fitting.push(key);
  if (operation.bearer) fitting.push(credentials);
  const one = fc.record({ mutate: fc.constantFrom(...fitting), at: fc.nat() });
  return fc
    .tuple(
      valid,
      fc.oneof({ weight: 2, arbitrary: fc.tuple(one) }, { weight: 1, arbitrary: fc.tuple(one, one, one) }),
    )
    .map(([parts, mutations]) => apply(parts, mutations))
    .filter((mutated) => mutated !== undefined);
}

/** One thing after the other; only of a single one it is certain that an answer names its place. */
function apply(parts: Parts, mutations: { mutate: Mutation; at: number }[]): Mutated | undefined {
  let mutated: Mutated | undefined;
  for (const { mutate, at } of mutations) {
    const next = mutate(mutated?.parts ?? parts, at);
    if (next === undefined) continue;
    mutated = mutated === undefined ? next : { what: `${mutated.what}, ${next.what}`, parts: next.parts };
  }
  return mutated;
}

const pick = <T>(values: readonly T[], at: number): T => values[at % values.length] as T;

/** A place in a body: where it hangs, and how errors name it. */
export interface Place {
  keys: (string | number)[];
  value: unknown;
}

export function placesOf(body: unknown): Place[] {
  const places: Place[] = [];
  const todo: Place[] = [{ keys: [], value: body }];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    places.push(next);
    const { keys, value } = next;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, child] of Object.entries(value)) todo.push({ keys: [...keys, name], value: child });
  }
  return places;
}

export const nameOf = (keys: (string | number)[]): string => ['body', ...keys].join('.');

/** The body with another value in one place; undefined takes the place away. */
export function changed(body: unknown, [first, ...rest]: (string | number)[], value: unknown): unknown {
  if (first === undefined) return value;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(body) ? [...body] : { ...(body as object) };
  const inner = changed((body as Record<string, unknown>)[first], rest, value);
  // Defined, not assigned: `__proto__` is to be a property like any other.
  Object.defineProperty(copy, first, { value: inner, enumerable: true, configurable: true, writable: true });
  return copy;
}

const drop: Mutation = (parts, at) => {
  const places = placesOf(parts.body).filter(({ keys }) => typeof keys.at(-1) === 'string');
  if (places.length === 0) return undefined;
  const { keys } = pick(places, at);
  return {
    what: 'drop',
    place: nameOf(keys),
    parts: { ...parts, body: changed(parts.body, keys, undefined) },
  };
};

const replace: Mutation = (parts, at) => {
  const { keys } = pick(placesOf(parts.body), at);
  const value = pick(NASTY, Math.floor(at / 7));
  return {
    what: `replace by ${String(JSON.stringify(value)).slice(0, 40)}`,
    place: nameOf(keys),
    parts: { ...parts, body: changed(parts.body, keys, value) },
  };
};

const add: Mutation = (parts, at) => {
  const places = placesOf(parts.body).filter(
    ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  );
  if (places.length === 0) return undefined;
  const { keys } = pick(places, at);
  const name = pick(NAMES, Math.floor(at / 3));
  const body = changed(parts.body, [...keys, name], pick([1, true, { a: 1 }, 'x'], at));
  return { what: `add ${JSON.stringify(name).slice(0, 40)}`, place: nameOf(keys), parts: { ...parts, body } };
};

const grow: Mutation = (parts, at) => {
  const places = placesOf(parts.body).filter(({ value }) => Array.isArray(value) && value.length > 0);
  if (places.length === 0) return undefined;
  const { keys, value } = pick(places, at);
  const many = Array.from({ length: 300 }, () => (value as unknown[])[0]);
  return { what: 'grow', place: nameOf(keys), parts: { ...parts, body: changed(parts.body, keys, many) } };
};

const stretch: Mutation = (parts, at) => {
  const places = placesOf(parts.body).filter(({ value }) => typeof value === 'string' && value.length > 0);
  if (places.length === 0) return undefined;
  const { keys, value } = pick(places, at);
  const long = String(value).repeat(
    1 + Math.floor(pick([6_000, 70_000, 1_000_000], at) / String(value).length),
  );
  return { what: 'stretch', place: nameOf(keys), parts: { ...parts, body: changed(parts.body, keys, long) } };
};

const envelope: Mutation = (parts, at) => {
  const text = pick(ENVELOPES, at);
  // Where a body may be left out, none is no mistake.
  if (text === '' && !parts.operation.bodyRequired) return undefined;
  return { what: `body ${text}`, parts: { ...parts, text: WRITTEN.get(text) ?? text } };
};

const broken: Mutation = (parts, at) => {
  const text = stringify(parts.body);
  const bytes = Buffer.from(text);
  const cases: (string | Buffer)[] = [
    ...[text.slice(0, Math.floor(text.length / 2)), `${text},`, `${text}\0`, `\u00ef${text}`],
    Buffer.concat([bytes.subarray(0, 1), Buffer.from([0xff, 0xfe]), bytes.subarray(1)]),
    Buffer.from(text, 'utf16le'),
  ];
  return { what: 'broken JSON', parts: { ...parts, text: pick(cases, at) } };
};

const tooLarge: Mutation = (parts, at) => {
  const size = parts.operation.bodyLimit + pick([1, 1000, 100_000], at);
  const text = stringify(parts.body);
  return {
    what: 'too large',
    parts: { ...parts, text: text + ' '.repeat(Math.max(0, size - Buffer.byteLength(text))) },
  };
};

const withHeader = (parts: Parts, name: string, value: string): Parts => ({
  ...parts,
  headers: { ...parts.headers, [name]: value },
});

const mediaType: Mutation = (parts, at) => ({
  what: 'media type',
  parts: withHeader(parts, 'Content-Type', pick(TYPES, at)),
});
const encoding: Mutation = (parts, at) => ({
  what: 'content encoding',
  parts: withHeader(parts, 'Content-Encoding', pick(['gzip', 'br', 'x'], at)),
});
const key: Mutation = (parts, at) => ({
  ...{ what: 'idempotency key', place: 'header.idempotency-key' },
  parts: withHeader(parts, 'Idempotency-Key', Buffer.from(pick(KEYS, at)).toString('latin1')),
});
const credentials: Mutation = (parts, at) => ({
  what: 'credentials',
  parts: withHeader(
    parts,
    'Authorization',
    pick(
      ['', 'Bearer', 'Bearer x', 'Bearer a.b.c', 'Basic YTpi', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
      at,
    ),
  ),
});
const unexpectedBody: Mutation = (parts, at) => ({
  ...{ what: 'unexpected body', place: 'body' },
  parts: {
    ...withHeader(parts, 'Content-Type', 'application/json'),
    text: pick(['{}', 'x', '\0', LONG], at),
  },
});

const pathValue: Mutation = (parts, at) => {
  const name = pick(Object.keys(parts.path), at);
  const value = pick(
    TEXTS.filter((text) => text !== ''),
    Math.floor(at / 3),
  );
  return {
    what: `path ${name}`,
    place: `path.${name}`,
    parts: { ...parts, path: { ...parts.path, [name]: value } },
  };
};

const queryValue: Mutation = (parts, at) => {
  const name = pick([...parts.operation.queryNames], at);
  const rest = parts.query.filter(([other]) => other !== name);
  const value = pick(TEXTS, Math.floor(at / 5));
  return {
    what: `query ${name}`,
    place: `query.${name}`,
    parts: { ...parts, query: [...rest, [name, value]] },
  };
};

const repeatedQuery: Mutation = (parts, at) => {
  if (parts.query.length === 0) return undefined;
  const pair = pick(parts.query, at);
  return {
    what: `repeated ${pair[0]}`,
    place: `query.${pair[0]}`,
    parts: { ...parts, query: [...parts.query, pair] },
  };
};

const unknownQuery: Mutation = (parts, at) => {
  const name = pick(
    NAMES.filter((one) => one.isWellFormed()),
    at,
  );
  return {
    what: `unknown query ${name.slice(0, 40)}`,
    place: 'query',
    parts: { ...parts, query: [...parts.query, [name, 'x']] },
  };
};

const cursor: Mutation = (parts, at) => {
  const rest = parts.query.filter(([name]) => name !== 'cursor');
  return {
    what: 'cursor',
    place: 'query.cursor',
    parts: { ...parts, query: [...rest, ['cursor', pick(CURSORS, at)]] },
  };
};
