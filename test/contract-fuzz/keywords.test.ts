/** @jest-environment node */
import Ajv2020 from 'ajv/dist/2020';
import fc from 'fast-check';
import { findDuplicates } from '../../server/src/contract/duplicates';
import { makeKeywordsLinear } from '../../server/src/contract/linear-keywords';
import { loadContract } from '../../server/src/contract/operations';
import { changed, placesOf } from './mutations';
import { NASTY } from './nasty';
import { bodySchema, stringify } from './requests';
import { operations, SEED } from './run';
import { valuesOf } from './values';

/** Ajv as it is published: a second copy of its modules, which nobody has changed. */
let Published = Ajv2020;
jest.isolateModules(() => {
  Published = jest.requireActual<{ default: typeof Ajv2020 }>('ajv/dist/2020').default;
});
makeKeywordsLinear();

const { document } = loadContract();

function bothOf(schema: object, allErrors = true) {
  return [Published, Ajv2020].map((Ajv) => {
    const ajv = new Ajv({ allErrors, strict: false, validateFormats: false });
    ajv.addSchema(document, 'contract');
    return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"contract#/')));
  });
}

const withBody = operations.filter(({ bodyTypes }) => bodyTypes.length > 0);

test.each(withBody)('$id: what is valid stays valid, and nothing else becomes it', (operation) => {
  const schema = bodySchema(operation);
  const values = fc.record({
    body: valuesOf(schema, {}, true),
    at: fc.nat(),
    value: fc.constantFrom(...NASTY, Array(300).fill({}), 'intact'),
  });
  for (const allErrors of [true, false]) {
    const [published, ours] = bothOf(schema, allErrors);
    fc.assert(
      fc.property(values, ({ body, at, value }) => {
        const places = placesOf(body);
        const { keys } = places[at % places.length] as (typeof places)[number];
        const sent = JSON.parse(stringify(value === 'intact' ? body : changed(body, keys, value)));
        expect(ours?.(sent)).toBe(published?.(sent));
      }),
      { seed: SEED, numRuns: 30 },
    );
  }
});

describe('keywords', () => {
  const pair = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
  const $defs = { pair };
  const items = { $ref: '#/$defs/pair' };

  test('errors of many items are counted up to a bound, in lists as in maps', () => {
    const validate = new Ajv2020({ allErrors: true, strict: false }).compile({
      ...{ $defs, type: ['array', 'object'], items, additionalProperties: items },
      propertyNames: { pattern: '^x' },
    });
    validate(Array(10_000).fill({}));
    expect(validate.errors?.length).toBe(101);
    validate(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, {}])));
    expect(validate.errors?.length).toBeLessThan(400);
  });

  test('the errors of one alternative hide no error of another', () => {
    const strings = { type: 'array', items: { type: 'string', pattern: '^x' } };
    const schema = { anyOf: [{ type: 'array', items: { type: 'object', required: ['a'] } }, strings] };
    const [published, ours] = bothOf(schema);
    const numbers = Array(1_000).fill(1);
    const texts = Array(1_000).fill('x');
    for (const value of [numbers, texts, [...texts, 1], [...texts, 'y'], [...numbers, 'x']])
      expect(ours?.(value)).toBe(published?.(value));
    expect([ours?.(numbers), ours?.(texts), ours?.([...texts, 'y'])]).toEqual([false, true, false]);
  });

  test('what is too long is told to be so, and not looked into', () => {
    const looked: string[] = [];
    const ajv = new Ajv2020({ allErrors: true });
    ajv.addFormat('seen', (text: string) => looked.push(text) > 0);
    const list = { type: 'array', maxItems: 3, uniqueItems: true, items: { type: 'integer' } };
    const text = { type: 'string', maxLength: 2, format: 'seen' };
    const validate = ajv.compile({ type: 'object', properties: { list, text } });
    validate({ list: ['x', 'x', 'x', 'x'], text: 'long!' });
    expect(validate.errors?.map(({ keyword }) => keyword)).toEqual(['maxItems', 'maxLength']);
    expect(looked).toEqual([]);
    expect(validate({ list: [1, 2, 3], text: '😀😀' })).toBe(true);
    expect(looked).toEqual(['😀😀']);
  });

  test('the same item twice is found whatever it is, as Ajv finds it', () => {
    const [published, ours] = bothOf({ type: 'array', uniqueItems: true, items: {} });
    const lists = fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 6 });
    const twice = lists.chain((list) => fc.shuffledSubarray([...list, ...list]));
    fc.assert(
      fc.property(fc.oneof(lists, twice), (list) => {
        const value = JSON.parse(JSON.stringify(list));
        expect(ours?.(value)).toBe(published?.(value));
      }),
      { seed: SEED, numRuns: 500 },
    );
    expect(findDuplicates([{ a: 1, b: [2] }, 'x', { b: [2], a: 1 }])).toEqual([0, 2]);
    expect(findDuplicates([{ entries: [['a', 1]] }, { a: 1 }, ['a', 1], '{"a":1}'])).toBeUndefined();
    const endless = JSON.parse('[1e400, null, -1e400, "Infinity", {"number": "Infinity"}, 1e400]');
    expect(findDuplicates(endless)).toEqual([0, 5]);
  });
});
