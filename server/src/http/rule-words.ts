import { PATTERN_MESSAGES } from '../../../spec/generated/patterns';

/** JSON's types with their articles. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'must be a day and a time that exist, such as 2026-11-21T09:30:00.000Z',
  uuid: 'must be a UUID such as 018f6f5e-7c1d-7a6e-9b59-0d6a8c1f2b3c',
  'idn-email': 'must be an e-mail address without characters that nobody sees',
  int32: 'must be a whole number from -2147483648 to 2147483647',
};

/** Rules that compare with a number, which is the last of the validator's message. */
const BOUNDS: Readonly<Record<string, (bound: string) => string>> = {
  minLength: (fewest) => (fewest === '1' ? 'must not be empty' : `must have at least ${fewest} characters`),
  maxLength: (most) => `must have at most ${most} characters`,
  minimum: (least) => `must be ${least} or more`,
  maximum: (most) => `must be ${most} or less`,
  minItems: (fewest) =>
    fewest === '1' ? 'must not be empty: give at least one entry' : `must have at least ${fewest} entries`,
  maxItems: (most) => `must have at most ${most} entries`,
  minProperties: (fewest) =>
    fewest === '1' ? 'must not be empty: give at least one field' : `must have at least ${fewest} fields`,
  maxProperties: (most) => `must have at most ${most} fields`,
};

/** What is said of a name that the contract does not have. */
export const UNKNOWN_NAME = 'is not known here: remove it, or check its spelling';

const FIXED: Readonly<Record<string, string>> = {
  required: 'is required',
  additionalProperties: UNKNOWN_NAME,
  unevaluatedProperties: UNKNOWN_NAME,
  uniqueItems: 'must name each entry once: remove the one that is there twice',
};

/** What a value of the rule `type` or `enum` may be, for a sentence: `a list`, `"*"`, `one of: a, b`. */
export function kindInWords(keyword: string, message: string): string {
  if (keyword === 'type') {
    const [, kinds = ''] = /^must be ([\w,]+)$/.exec(message) ?? [];
    return kinds
      .split(',')
      .map((kind) => KINDS[kind] ?? kind)
      .join(' or ');
  }
  const [, values = ''] = /allowed values: (.*)$/s.exec(message) ?? [];
  return values.includes(', ') ? `one of: ${values}` : `"${values}"`;
}

/**
 * A validator's message for a broken rule in words that say what to do; a rule that the contract does not use
 * keeps its message.
 */
export function inWords(keyword: string, message: string): string {
  const fixed = FIXED[keyword];
  if (fixed !== undefined) return fixed;
  const bound = BOUNDS[keyword];
  if (bound !== undefined) return bound(message.match(/-?\d[\d.]*/g)?.at(-1) ?? '');
  if (keyword === 'type' || keyword === 'enum') return `must be ${kindInWords(keyword, message)}`;
  const [, quoted = ''] = /^must match (?:pattern|format) "(.*)"$/s.exec(message) ?? [];
  return (keyword === 'pattern' ? PATTERN_MESSAGES : FORMATS)[quoted] ?? message;
}
