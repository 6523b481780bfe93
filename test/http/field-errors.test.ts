import { type Json, resolve } from '../../server/src/contract/document';
import { loadContract } from '../../server/src/contract/operations';
import { compileSchema } from '../../server/src/contract/validation';
import { fieldErrors } from '../../server/src/http/field-errors';
import { ownedSite } from '../helpers/http/contract-requests';
import { post, raw } from '../helpers/http/raw';
import { startServer, useServer } from '../helpers/server';

const { document, operations } = loadContract();

/** Keywords that check nothing by themselves. */
const SILENT = [
  // Says which zone a day is of.
  'x-site-time',
  '$ref',
  'allOf',
  'default',
  'description',
  'example',
  'examples',
  'items',
  'properties',
  'title',
];
/** Every value breaks some rule somewhere. */
const VALUES = [
  ...[5, -1, 1.5, 2 ** 31, 2 ** 53, true, null, [], {}, { unknown_field: 1 }, { '!': {} }],
  ...['', 'x', '\n', '*', '2026-02-30T09:30:00Z', 'https://example.com/'],
];

/** Each schema by which a request is checked, once. */
function requestSchemas(): Json[] {
  const found = new Map<string, Json>();
  const visit = (schema: Json, seen: string[]): void => {
    if (schema.$ref !== undefined) {
      if (!seen.includes(schema.$ref)) visit(resolve(schema), [...seen, schema.$ref]);
      return;
    }
    found.set(JSON.stringify(schema), schema);
    inner(schema, seen);
  };
  const inner = (schema: Json, seen: string[]): void => {
    for (const part of schema.allOf ?? []) visit(part, seen);
    // An alternative is never tried alone.
    for (const part of schema.anyOf ?? []) inner(resolve(part), seen);
    for (const property of Object.values(schema.properties ?? {})) visit(property, seen);
    for (const part of [schema.items, schema.additionalProperties])
      if (typeof part === 'object') visit(part, seen);
  };
  for (const { method, path, parameters } of operations) {
    const body = document.paths[path][method.toLowerCase()].requestBody?.content ?? {};
    for (const { schema } of [...Object.values<Json>(body), ...parameters]) visit(schema, []);
  }
  return [...found.values()];
}

/** Values just beyond the bounds of a schema. */
const beyond = ({
  items,
  maxLength,
  minLength,
  maxItems,
  minItems,
  maximum,
  minimum,
  maxProperties,
}: Json) => [
  ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
  ...(minLength === undefined ? [] : ['x'.repeat(minLength - 1)]),
  ...(maxItems === undefined ? [] : [Array(maxItems + 1).fill('x')]),
  ...(minItems === undefined ? [] : [Array(minItems - 1).fill('x')]),
  ...(items?.enum === undefined && items?.$ref === undefined ? [] : [['x', 'x']]),
  ...(maximum === undefined ? [] : [maximum + 1]),
  ...(minimum === undefined ? [] : [minimum - 1]),
  ...(maxProperties === undefined
    ? []
    : [Object.fromEntries(Array.from({ length: maxProperties + 1 }, (_, n) => [`k${n}`, 'x']))]),
];

test('whatever rule of the contract a request breaks, it is told in words, not in the validator’s', () => {
  const schemas = requestSchemas();
  const [own, words, broken] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const schema of schemas) {
    const validate = compileSchema(schema);
    for (const value of [...VALUES, ...beyond(schema)]) {
      if (validate(value)) continue;
      const errors = fieldErrors(validate.errors, 'body');
      expect(errors.length).toBeGreaterThan(0);
      for (const { message } of errors) words.add(message);
      for (const { keyword, message, params } of validate.errors ?? []) {
        broken.add(keyword);
        own.add(String(message)).add(`${message}: ${params.allowedValues?.join(', ')}`);
      }
    }
  }
  expect([...words].filter((message) => own.has(message))).toEqual([]);
  expect([...words].filter((message) => !/^(must|is|has) /.test(message))).toEqual([]);
  const rules = new Set(schemas.flatMap((schema) => Object.keys(schema)));
  const unbroken = [...rules].filter((rule) => !SILENT.includes(rule) && !broken.has(rule));
  expect(unbroken).toEqual([]);
});

describe('a problem is reported once, with how to fix it', () => {
  let token: string;
  let headers: Record<string, string>;
  const express = useServer({ visitorHost: false });
  beforeAll(async () => {
    const site = await ownedSite(express);
    token = site.token;
    headers = { Authorization: `Bearer ${site.bearer}` };
  });

  const NAMES = document.components.schemas.EventName.enum.join(', ');
  test.each<[string, unknown, string, string]>([
    ['an empty list', [], 'minItems', 'must not be empty: give at least one entry'],
    ['a number', 5, 'anyOf', 'must be "*" or a list'],
    ['another text', 'all', 'anyOf', 'must be "*" or a list'],
    [
      'an event twice',
      ['dsar.created', 'dsar.created'],
      'uniqueItems',
      'must name each entry once: remove the one that is there twice',
    ],
  ])('events of a webhook as %s', async (_, events, code, message) => {
    const body = { url: 'https://example.com/hook', events };
    const { status, json } = await post(express.url, `/api/cookies/${token}/webhooks`, body, headers);
    expect([status, json.data.errors]).toEqual([400, [{ path: 'body.events', message, code }]]);
  });

  test('an event that does not exist', async () => {
    const body = { url: 'https://example.com/hook', events: ['dsar.created', 'dsar.lost'] };
    const { json } = await post(express.url, `/api/cookies/${token}/webhooks`, body, headers);
    const message = `must be one of: ${NAMES}`;
    expect(json.data.errors).toEqual([{ path: 'body.events.1', message, code: 'enum' }]);
  });

  const UUID = 'must be a UUID such as 018f6f5e-7c1d-7a6e-9b59-0d6a8c1f2b3c';
  test.each<[object, string, string, string]>([
    [{ privacy_policy_url: 5 }, 'privacy_policy_url', 'anyOf', 'must be a string or null'],
    [{ privacy_policy_url: 'no' }, 'privacy_policy_url', 'pattern', 'must be an absolute http or https URL'],
    [
      { privacy_policy_url: `https://${'\u4e16'.repeat(254)}/` },
      'privacy_policy_url',
      'pattern',
      'must be an absolute http or https URL',
    ],
    [{ consent_lifetime_days: '9' }, 'consent_lifetime_days', 'type', 'must be a whole number'],
    [{ languages: [] }, 'languages', 'minItems', 'must not be empty: give at least one entry'],
    [
      { banner: { texts: { English: {}, german: {} } } },
      'banner.texts',
      'propertyNames',
      'has a key that is not allowed: each must be a BCP 47 language tag in its usual letter case, such as en, de-AT or zh-Hant',
    ],
  ])('settings %j', async (settings, place, code, message) => {
    const { status, json } = await raw(express.url, {
      method: 'PATCH',
      path: `/api/environments/${token}`,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ settings }),
    });
    const path = `body.settings.${place}`;
    expect(status).toBe(400);
    const errors: { code: string }[] = json.data.errors.filter(
      (error: { path: string }) => error.path === path,
    );
    expect(errors.filter((error) => error.code !== 'required')).toEqual([{ path, message, code }]);
  });

  test('an instant that looks wrong, and one that looks right and does not exist', async () => {
    const ask = (from: string) =>
      raw(express.url, { path: `/api/cookies/${token}/events?from=${from}`, headers });
    const told = async (from: string) => (await ask(from)).json.data.errors.map((one: Json) => one.message);
    expect(await told('yesterday')).toEqual([
      'must be a day such as 2026-11-21, or an ISO 8601 instant between 2000 and 2099 such as 2026-11-21T09:30:00.000Z',
    ]);
    expect(await told('2026-02-30T09:30:00Z')).toEqual(['names the day 2026-02-30, which does not exist']);
  });

  test('both hosts use the same words', async () => {
    const fast = await startServer({ databaseUrl: express.databaseUrl });
    const body = { session_id: 'x', decision: 5, categories: { a: 1 }, page_url: 'x'.repeat(3000), odd: 1 };
    const answers = await Promise.all(
      [express, fast].map(({ url }) => post(url, `/api/consents/${token}/log`, body)),
    );
    await fast.stop();
    const [one, two] = answers.map(({ json }) =>
      json.data.errors.map((error: object) => JSON.stringify(error)).sort(),
    );
    expect(one).toEqual(two);
    expect(one).toContain(JSON.stringify({ path: 'body.session_id', message: UUID, code: 'pattern' }));
  });
});
