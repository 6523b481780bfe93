import { randomUUID } from 'node:crypto';
import { WRITTEN } from './requests';

export const LONG = 'x'.repeat(70_000);
const LONGER = 'x'.repeat(1_000_000);
export const TEXTS = [
  ...[
    '',
    ' ',
    'x',
    '0',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '2147483648',
    '9007199254740993',
    'null',
    'undefined',
    '[object Object]',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    '\0',
    'a\0b',
    '\ud800',
    'a\udc00',
    '\u202e',
    '’ OR 1=1 --',
    '{{7*7}}',
    '%s%n',
    '../../etc/passwd',
  ],
  ...[
    '1990-01-01T00:00:00Z',
    '2200-01-01T00:00:00Z',
    '0000-00-00T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-11-21T09:30:00+24:00',
  ],
  ...[
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'not-a-uuid',
    'x'.repeat(5000),
  ],
];
export const NASTY: unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 31,
    -(2 ** 31) - 1,
    2 ** 53,
    1e308,
    [],
    {},
    [[]],
    [null],
    { a: { a: {} } },
  ],
  ...WRITTEN.keys(),
  ...TEXTS,
  ...[LONG, LONGER],
];
export const NAMES = [
  ...[
    'unknown',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'a/b',
    'a~b',
    'a.b',
    '',
    ' ',
    '0',
    'length',
    '\0',
    '\ud800',
    'x'.repeat(2000),
  ],
  ...['$ref', 'ID', 'environment_id', 'token', 'n'.repeat(501)],
];
export const ENVELOPES = [
  'null',
  '[]',
  '"text"',
  '1',
  'true',
  '{',
  '{"a":1,}',
  '{}{}',
  '',
  ' ',
  'undefined',
  '\u0000',
  '@deep',
];
export const TYPES = [
  'text/html',
  'application/xml',
  '',
  'application/json; charset=latin1',
  'application/x-www-form-urlencoded',
];
export const KEYS = ['', 'a b', 'x'.repeat(129), '\u00e9', 'a\tb'];

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
export const CURSORS = [
  ...[
    'x',
    'e30',
    base64url([]),
    base64url({}),
    base64url(null),
    base64url(['a']),
    base64url([1, 2]),
    base64url([null, null]),
  ],
  ...[
    base64url(['2026-02-30T00:00:00.000Z', randomUUID()]),
    base64url(['2099-12-31T23:59:59.999Z', randomUUID()]),
  ],
  ...[
    base64url(['0']),
    base64url(['999999999']),
    base64url(['9999999999999']),
    base64url([randomUUID()]),
    base64url([['a'], ['b']]),
  ],
  ...[base64url(['2026-01-01T00:00:00.000Z', "'; DROP TABLE users"]), base64url(['\0', '\0'])],
];
