import type { ValidateFunction } from 'ajv/dist/2020';
import fc from 'fast-check';
import { type Json, resolve } from '../../server/src/contract/document';
import { compileSchema } from '../../server/src/contract/validation';

const compiled = new Map<Json, ValidateFunction>();

/** Whether a value is one that a schema of the contract allows. */
export function isValid(schema: Json, value: unknown): boolean {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = compileSchema(schema);
    compiled.set(schema, validate);
  }
  return validate(value);
}

/**
 * Values of properties that only the running service knows, by the property's name; mixed with what the
 * schema alone allows.
 */
export type Hints = Record<string, readonly unknown[]>;

/** Values that a schema of the contract allows; full ones leave no property out and no list empty. */
export function valuesOf(schema: Json, hints: Hints = {}, full = false): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valuesOf(resolve(schema), hints, full);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice: Json) => valuesOf(choice, hints, full)));
  if (schema.allOf !== undefined) return allOf(schema, hints, full);
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type: string) => valuesOf({ ...schema, type }, hints, full)));
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integers(schema);
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true });
    case 'string':
      return strings(schema);
    case 'array':
      return fc.array(valuesOf(schema.items, hints, full), {
        minLength: schema.minItems ?? (full ? 1 : 0),
        maxLength: Math.min(schema.maxItems ?? 5, Math.max(5, schema.minItems ?? 0)),
      });
    default:
      return objects(schema, hints, full);
  }
}

function allOf(schema: Json, hints: Hints, full: boolean): fc.Arbitrary<unknown> {
  const parts: fc.Arbitrary<unknown>[] = schema.allOf.map((part: Json) => valuesOf(part, hints, full));
  if (parts.length === 1) return parts[0] as fc.Arbitrary<unknown>;
  return fc.tuple(...parts).map((values) => Object.assign({}, ...(values as object[])));
}

function integers({ minimum = -(2 ** 31), maximum = 2 ** 31 - 1 }: Json): fc.Arbitrary<number> {
  return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: maximum }));
}

/** What PostgreSQL cannot store is refused whatever a schema says. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Printable ASCII, and characters that have surprised programs before. */
const CHARACTERS = [
  ...Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)),
  ...'\t\n\u0001\u007f\u0085\u00a0éßİıµſǆ΄אَ‌\u2028\u202e漢ｆ\ufeff\uffff',
];
const written = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Texts that match a pattern. "Anything but" stands for tens of thousands of characters: a choice of them is
 * much faster.
 */
const matching = (pattern: string): fc.Arbitrary<string> =>
  fc.stringMatching(
    new RegExp(
      pattern.replaceAll(/\[\^(?:\\.|[^\]\\])*\]/g, (but) => {
        const fits = new RegExp(`^${but}$`);
        return `[${CHARACTERS.filter((character) => fits.test(character))
          .map(written)
          .join('')}]`;
      }),
    ),
  );

const texts = new Map<Json, fc.Arbitrary<string>>();

/** Made once for each schema: an e-mail address stands in many places, and its pattern is dear. */
function strings(schema: Json): fc.Arbitrary<string> {
  let made = texts.get(schema);
  if (made === undefined) {
    made = newStrings(schema);
    texts.set(schema, made);
  }
  return made;
}

function newStrings(schema: Json): fc.Arbitrary<string> {
  const { pattern, minLength = 0, maxLength = 200 } = schema;
  const short =
    pattern === undefined
      ? fc.oneof(
          fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) }),
          fc.string({ unit: 'binary', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) }),
        )
      : matching(pattern);
  const fits = (text: string): boolean => isStorable(text) && isValid(schema, text);
  const good = short.filter(fits);
  // As long as is allowed, by repeating the last character.
  const longest = good.map((text) => {
    const characters = [...text];
    const room = maxLength - characters.length;
    const stretched = text + (characters.at(-1) ?? 'x').repeat(Math.max(0, room));
    return fits(stretched) ? stretched : text;
  });
  return fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: longest });
}

function objects(schema: Json, hints: Hints, full: boolean): fc.Arbitrary<object> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries<Json>(properties).map(([name, property]) => {
    const values = valuesOf(property, hints, full);
    const known = (hints[name] ?? []).filter((value) => isValid(property, value));
    const mixed =
      known.length === 0
        ? values
        : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: values });
    return [name, mixed];
  });
  const requiredKeys = full ? Object.keys(properties) : required;
  const own = fc.record(Object.fromEntries(fields), { requiredKeys, noNullPrototype: true });
  const all =
    typeof additionalProperties === 'object' ? fc.tuple(own, further(schema, hints, full)).map(merge) : own;
  return all.filter((value) => isValid(schema, value));
}

const merge = ([a, b]: [object, object]): object => ({ ...b, ...a });

function further(schema: Json, hints: Hints, full: boolean): fc.Arbitrary<object> {
  const { additionalProperties, propertyNames, maxProperties = 5 } = schema;
  const names = propertyNames?.pattern
    ? matching(propertyNames.pattern).filter(isStorable)
    : fc.stringMatching(/^[a-z][a-z0-9_]{0,39}$/);
  return fc.dictionary(names, valuesOf(additionalProperties, hints, full), {
    minKeys: full ? 1 : 0,
    maxKeys: Math.min(5, maxProperties),
    noNullPrototype: true,
  });
}
