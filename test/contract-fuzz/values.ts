import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { type Json, loadContract, resolve } from '../../server/src/http/contract';

const { document } = loadContract();
const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats(ajv, { mode: 'full' });
ajv.addFormat('int32', {
  type: 'number',
  validate: (n) => Number.isInteger(n) && Math.abs(n + 0.5) < 2 ** 31,
});
for (const format of ['int64', 'bytes']) ajv.addFormat(format, true);
ajv.addSchema(document, 'contract');

const compiled = new Map<Json, ValidateFunction>();

/** Whether a value is one that a schema of the contract allows. */
export function isValid(schema: Json, value: unknown): boolean {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"contract#/')));
    compiled.set(schema, validate);
  }
  return validate(value);
}

/** Values of properties that only the running service knows, by the property's name; mixed with what the schema alone allows. */
export type Hints = Record<string, readonly unknown[]>;

/** Values that a schema of the contract allows; full ones leave no property out and no list empty. */
export function valuesOf(schema: Json, hints: Hints = {}, full = false): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valuesOf(resolve(document, schema), hints, full);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice: Json) => valuesOf(choice, hints, full)));
  if (schema.allOf !== undefined) return allOf(schema, hints, full);
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

function strings(schema: Json): fc.Arbitrary<string> {
  const { pattern, minLength = 0, maxLength = 200 } = schema;
  const short =
    pattern === undefined
      ? fc.oneof(
          fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) }),
          fc.string({ unit: 'binary', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) }),
        )
      : fc.stringMatching(new RegExp(pattern));
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
    ? fc.stringMatching(new RegExp(propertyNames.pattern)).filter(isStorable)
    : fc.stringMatching(/^[a-z][a-z0-9_]{0,39}$/);
  return fc.dictionary(names, valuesOf(additionalProperties, hints, full), {
    minKeys: full ? 1 : 0,
    maxKeys: Math.min(5, maxProperties),
    noNullPrototype: true,
  });
}
