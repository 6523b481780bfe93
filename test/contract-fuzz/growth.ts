import { changed, nameOf, type Place, placesOf } from './mutations';
import { type Parts, write } from './requests';

/** One way to make a request of any size: `of` gives it about so many bytes of what it grows by. */
export interface Growth {
  what: string;
  of(bytes: number): Parts;
}

/** A value of about so many bytes, as it stands in JSON. */
type Grower = (bytes: number) => string;

const repeat = (part: string, bytes: number): string =>
  part.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(part))));
const list = (item: string, bytes: number): string => `[${repeat(`${item},`, bytes)}${item}]`;
const numbered = (bytes: number, one: (n: number) => string): string =>
  Array.from({ length: Math.max(1, Math.floor(bytes / one(10_000).length)) }, (_, n) => one(n)).join();

/** What patterns, formats, trimmers and splitters stumble over. */
export const HITS = [
  ...['a', ' ', '0', '-', '.', '%', ',', ';', '/', '@', 'é', '😀', '\t'],
  ...['a.', 'a@', 'a-', '1,', '; ', ', ', 'W/', 'q=', '%41', '::', '[', 'a\u0301', 'A0', '2026-', 'Android'],
];

/** Values that are too much whatever stands there. */
const ANYWHERE: Record<string, Grower> = {
  'a list of {}': (bytes) => list('{}', bytes),
  'a list of lists': (bytes) => list('[]', bytes),
  'a list of unlike texts': (bytes) => `[${numbered(bytes, (n) => `"t${n}"`)}]`,
  'a list of numbers': (bytes) => `[${numbered(bytes, String)}]`,
  'a list of null': (bytes) => list('null', bytes),
  'unlike names': (bytes) => `{${numbered(bytes, (n) => `"k${n}":{}`)}}`,
  'names that are numbers': (bytes) => `{${numbered(bytes, (n) => `"${n * 7}":1`)}}`,
  'one name again and again': (bytes) => `{${repeat('"a":1,', bytes)}"a":1}`,
  'a long name': (bytes) => `{"${repeat('n', bytes)}":[{},{},{}]}`,
  'nested lists': (bytes) => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
  'nested objects': (bytes) => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`,
  digits: (bytes) => repeat('7', bytes),
  decimals: (bytes) => `0.${repeat('3', bytes)}`,
};

const quoted =
  (hit: string): Grower =>
  (bytes) =>
    JSON.stringify(`${repeat(hit, bytes)}!`);

/** Bodies that are no JSON, or nothing but it. */
const WHOLE: Record<string, Grower> = {
  brackets: (bytes) => repeat('[', bytes),
  braces: (bytes) => repeat('{"a":', bytes),
  spaces: (bytes) => `${repeat(' ', bytes)}{}`,
  escapes: (bytes) => `"${repeat('\\u0000', bytes)}"`,
  'a cut text': (bytes) => `{"a":"${repeat('\\', bytes)}`,
};

const MARK = '@grown';

/** Everything by which the body of a request can grow: each container in each way, each text by each hit. */
export function bodyGrowths(parts: Parts): Growth[] {
  const places = placesOf(parts.body).filter(({ keys }) =>
    keys.every((key) => !/^[1-9]\d*$/.test(String(key))),
  );
  return [
    ...Object.entries(WHOLE).map(([what, grow]) => ({
      what: `body: ${what}`,
      of: (bytes: number) => ({ ...parts, text: grow(bytes) }),
    })),
    ...places.flatMap((place) => growthsOf(parts, place)),
  ];
}

function growthsOf(parts: Parts, { keys, value }: Place): Growth[] {
  const text = JSON.stringify(changed(parts.body, keys, MARK));
  const put = (what: string, grow: Grower): Growth => ({
    what: `${nameOf(keys)}: ${what}`,
    of: (bytes) => ({ ...parts, text: text.replace(`"${MARK}"`, () => grow(bytes)) }),
  });
  if (typeof value === 'string')
    return HITS.map((hit) => put(`${JSON.stringify(hit)} repeated`, quoted(hit)));
  if (typeof value !== 'object' || value === null) return [put('digits', ANYWHERE.digits as Grower)];
  const anywhere = Object.entries(ANYWHERE).map(([what, grow]) => put(what, grow));
  const [first] = Object.values(value);
  if (first === undefined) return anywhere;
  const item = JSON.stringify(first);
  const own = Array.isArray(value)
    ? put('its own item again and again', (bytes) => list(item, bytes))
    : put('its own value under other names', (bytes) => `{${numbered(bytes, (n) => `"k${n}":${item}`)}}`);
  return [...anywhere, own];
}

const QUERIES: Record<string, Grower> = {
  'one name again and again': (bytes) => repeat('a&', bytes),
  'one name with values': (bytes) => repeat('a=b&', bytes),
  'unlike names': (bytes) => numbered(bytes, (n) => `k${n}=1`).replaceAll(',', '&'),
  brackets: (bytes) => repeat('a[b]&', bytes),
  'nested brackets': (bytes) => `a${repeat('[b]', bytes)}=1`,
  separators: (bytes) => repeat('&', bytes),
  percents: (bytes) => `a=${repeat('%41', bytes)}`,
};

/** Everything by which the address of a request can grow. */
export function addressGrowths(parts: Parts): Growth[] {
  const { path } = write(parts);
  const [place = ''] = path.split('?');
  const at = (what: string, grow: (bytes: number) => string): Growth => ({
    what,
    of: (bytes) => ({ ...parts, address: grow(bytes) }),
  });
  const names = [...parts.operation.queryNames];
  return [
    ...Object.entries(QUERIES).map(([what, grow]) =>
      at(`query: ${what}`, (bytes) => `${place}?${grow(bytes)}`),
    ),
    ...names.flatMap((name) => [
      at(`query ${name} again and again`, (bytes) => `${place}?${repeat(`${name}=1&`, bytes)}`),
      at(`query ${name}: long`, (bytes) => `${place}?${name}=${repeat('1,', bytes)}`),
    ]),
    at('path: slashes', (bytes) => `${place}${repeat('/', bytes)}`),
    at('path: percents', (bytes) => place.replace(/[^/]*$/, (end) => `${end}${repeat('%41', bytes)}`)),
    at('path: dots', (bytes) => `${place}${repeat('.', bytes)}`),
  ];
}

const HEADERS = [
  ...['Accept', 'Accept-Encoding', 'Authorization', 'Content-Type', 'Cookie', 'Forwarded', 'Idempotency-Key'],
  ...[
    'If-None-Match',
    'Origin',
    'Range',
    'Referer',
    'traceparent',
    'User-Agent',
    'X-Forwarded-For',
    'X-Request-Id',
  ],
];

/** What must stand first, so that the rest is looked at. */
const START: Record<string, string> = { Authorization: 'Bearer ', 'Content-Type': 'application/json;' };

/** Each header that anything reads, by each hit. */
export function headerGrowths(parts: Parts): Growth[] {
  const values = HITS.filter((hit) => /^[\x20-\x7e]+$/.test(hit));
  const one = (name: string, hit: string): Growth => ({
    what: `${name}: ${JSON.stringify(hit)} repeated`,
    of: (bytes) => ({
      ...parts,
      headers: { ...parts.headers, [name]: `${START[name] ?? ''}a${repeat(hit, bytes)}b` },
    }),
  });
  const many: Growth = {
    what: 'many headers',
    of: (bytes) => {
      const names = Array.from({ length: Math.floor(bytes / 14) }, (_, n) => [`X-Name-${n}`, '1']);
      return { ...parts, headers: { ...parts.headers, ...Object.fromEntries(names) } };
    },
  };
  return [many, ...HEADERS.flatMap((name) => values.map((hit) => one(name, hit)))];
}
