import type { Json } from '../../src/contract/document';

const EXACT = ['uuid', 'date-time'];
const WORDS: Record<string, string> = {
  uuid: 'UUID',
  'date-time': 'ISO 8601 date and time',
  email: 'e-mail address',
  uri: 'URL',
  int32: '',
  int64: '',
  double: '',
};

/** The limits of a value in addition to its type, in words. */
export function limitsOf(schema: Json, items: { limits: string[] } | undefined): string[] {
  const {
    format,
    pattern,
    minLength,
    maxLength,
    minimum,
    maximum,
    minItems,
    maxItems,
    uniqueItems,
    minProperties,
    maxProperties,
  } = schema;
  const said = WORDS[format] ?? format;
  return [
    said,
    // The length of a UUID or a date is obvious.
    !EXACT.includes(format) && range(minLength, maxLength, 'character'),
    range(minItems, maxItems, 'item'),
    range(minProperties, maxProperties, 'entry'),
    range(minimum, maximum, ''),
    uniqueItems && 'no item twice',
    ...(items?.limits ?? []).map((limit) => `each: ${limit}`),
    // A pattern that only repeats the format is not shown.
    pattern && !said && `pattern ${pattern}`,
  ].filter((limit): limit is string => typeof limit === 'string' && limit !== '');
}

const GROUPED = new Intl.NumberFormat('en');

function range(from: number | undefined, to: number | undefined, unit: string): string {
  const count = (value: number) => (unit === '' ? String(value) : GROUPED.format(value));
  const units = (value: number) =>
    unit === '' ? '' : ` ${value === 1 ? unit : unit.replace(/y$/, 'ie').concat('s')}`;
  if (from === undefined && to === undefined) return '';
  if (from === to) return `exactly ${count(to as number)}${units(to as number)}`;
  if (to === undefined) return `at least ${count(from as number)}${units(from as number)}`;
  if (from === undefined || (from === 0 && unit !== '')) return `at most ${count(to)}${units(to)}`;
  return `${count(from)} to ${count(to)}${units(to)}`;
}
