import fc from 'fast-check';
import { type Json, resolve } from '../../server/src/contract/document';
import { loadContract, type Operation } from '../../server/src/contract/operations';
import { EnvironmentRow } from '../../server/src/db/models';
import { defaultSettings } from '../../server/src/domain/settings';
import { revisionOf } from '../../server/src/services/environments';
import { idsOf, makeId } from '../helpers/http/contract-requests';
import type { RawRequest } from '../helpers/http/raw';
import { PASSWORD, type TestServer } from '../helpers/server';
import { type Hints, valuesOf } from './values';

const { document } = loadContract();

/** A request in its parts, before it is written down. */
export interface Parts {
  operation: Operation;
  /** Values of the path, not yet encoded. */
  path: Record<string, string>;
  query: [string, string][];
  headers: Record<string, string>;
  /** A JSON value; see `text`. */
  body?: unknown;
  /** Path and query as they are sent, instead of `path` and `query`. */
  address?: string;
  /** The body as it is sent, instead of `body`. */
  text?: string | Buffer;
}

/** The schema of an operation's body. */
export function bodySchema({ path, method, bodyTypes }: Operation): Json | undefined {
  const { requestBody } = document.paths[path][method.toLowerCase()];
  return bodyTypes.length === 0 ? undefined : requestBody.content[bodyTypes[0] as string].schema;
}

/** Requests that the contract allows. */
export function requestsOf(operation: Operation, hints: Hints): fc.Arbitrary<Parts> {
  const schema = bodySchema(operation);
  const key = operation.takesKey
    ? fc.option(fc.stringMatching(/^[\x21-\x7e]{1,128}$/), { nil: undefined })
    : fc.constant(undefined);
  return fc
    .record({
      path: parametersOf(operation, 'path', hints).map(Object.fromEntries),
      query: parametersOf(operation, 'query', hints),
      type: schema === undefined ? fc.constant(undefined) : fc.constantFrom(...operation.bodyTypes),
      key,
      body: schema === undefined ? fc.constant(undefined) : valuesOf(schema, hints),
    })
    .map(({ path, query, type, key, body }) => ({
      operation,
      path,
      query,
      headers: {
        ...(type === undefined ? {} : { 'Content-Type': type }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
      ...(body === undefined ? {} : { body }),
    }));
}

function parametersOf(
  operation: Operation,
  where: 'path' | 'query',
  hints: Hints,
): fc.Arbitrary<[string, string][]> {
  const all = operation.parameters
    .filter((parameter) => parameter.in === where)
    .map((parameter) => {
      const values = parameterValues(parameter, hints).map(
        (value) => [parameter.name, value] as [string, string],
      );
      return { values, required: parameter.required };
    });
  const sometimes = all.map(({ values, required }) =>
    required ? values : fc.option(values, { nil: undefined }),
  );
  const optional = all.flatMap(({ values, required }) => (required ? [] : [values]));
  // Of some parameters only one may be given: half of the requests have at most one that need not be there.
  const few = fc
    .tuple(
      fc.tuple(...all.flatMap(({ values, required }) => (required ? [values] : []))),
      fc.oneof(fc.constant(undefined), ...optional),
    )
    .map(([needed, one]) => [...needed, one]);
  return fc.oneof(few, fc.tuple(...sometimes)).map((found) => found.filter((pair) => pair !== undefined));
}

function parameterValues({ name, schema }: Json, hints: Hints): fc.Arbitrary<string> {
  const values = valuesOf(schema, hints).map((value) =>
    Array.isArray(value) ? value.join(',') : String(value),
  );
  const known = hints[name]?.map(String) ?? [];
  if (known.length === 0) return values;
  if (name === 'token') return fc.constantFrom(...known);
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: values });
}

/** Writes a request down. */
export function write({
  operation,
  path,
  query,
  headers,
  body,
  text,
  address,
}: Parts): RawRequest & { path: string } {
  const place = operation.path.replace(/{(\w+)}/g, (_, name) => encode(path[name] ?? ''));
  const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const sent = text ?? (body === undefined ? undefined : stringify(body));
  return {
    method: operation.method,
    path: address ?? (search === '' ? place : `${place}?${search}`),
    headers,
    ...(sent === undefined ? {} : { body: sent }),
  };
}

/** A lone surrogate goes as the bytes that UTF-8 forbids. */
const encode = (text: string): string =>
  [...text].map((part) => (part.isWellFormed() ? encodeURIComponent(part) : '%ED%A0%80')).join('');

/** What JSON can write and JSON.stringify cannot: these strings stand for it. */
export const WRITTEN = new Map([
  ['@deep', `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['@deep object', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
  ['@infinite', '1e400'],
  ['@negative zero', '-0'],
  ['@precise', '9007199254740993'],
  ['@exponent', '1E2'],
]);

export function stringify(body: unknown): string {
  return JSON.stringify(body).replaceAll(/"(@[a-z ]+)"/g, (all, name) => WRITTEN.get(name) ?? all);
}

/** A PNG of one pixel. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What a site knows that the contract does not: values that find something. */
export async function hintsFor(
  server: TestServer,
  operation: Operation,
  site: { token: string; bearer: string; email: string },
): Promise<Hints> {
  const ids: Record<string, string[]> = {};
  for (const name of idsOf(operation)) {
    const id = await makeId(server, site, name);
    if (id !== undefined) ids[name] = [id];
  }
  // A site's present script is there only once it was generated.
  if (operation.file) await makeId(server, site, 'hash');
  const settings = defaultSettings();
  const row = await EnvironmentRow.query(server.service.context.db)
    .findOne({ token: site.token })
    .throwIfNotFound();
  return {
    token: [site.token],
    site: [site.token],
    networks: [['127.0.0.0/8']],
    expires_at: ['2099-01-01T00:00:00.000Z'],
    expected_revision: [revisionOf(row)],
    expected_settings_version: [row.settings_version],
    email: [site.email],
    password: [PASSWORD],
    current_password: [PASSWORD],
    session_id: ['0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11'],
    // What the pattern allows is seldom one.
    address: ['203.0.113.9', '2001:db8::9'],
    categories: [{ analytics: true, marketing: false }, settings.categories],
    category: ['marketing'],
    allowed: [['analytics'], []],
    // The site asks about nobody by itself.
    vendors: [{}, []],
    banner_version: [1],
    // A receiver that nobody is: port 9 of the loopback interface refuses.
    url: ['http://127.0.0.1:9/hook', 'https://shop.example.com'],
    aware_at: [new Date(Date.now() - 3_600_000).toISOString()],
    occurred_from: [null],
    occurred_to: [null],
    subjects_informed_at: [null],
    reported_at: [new Date(Date.now() - 60_000).toISOString()],
    language: ['en'],
    default_language: ['en'],
    languages: [['en'], ['en', 'de']],
    first_layer_buttons: [['accept_all', 'reject_all', 'settings']],
    google_consent: [['ad_storage', 'ad_user_data']],
    texts: ['all', {}],
    // Most others contradict the rest of the settings, or are no image.
    gpp: [null],
    banner_test: [null],
    linked_domains: [null],
    auto_blocking: [
      null,
      { enabled: true, rules: [{ place: 'tracker.example', category: null }], unclassified: null },
    ],
    image: [PIXEL],
    time_zone: ['Asia/Kathmandu', 'UTC'],
    domain: ['shop.example.com'],
    domains: [['www.example.com', 'bücher.example']],
    ...ids,
  };
}

/** Resolves a reference of the document. */
export const follow = (schema: Json): Json => resolve(schema);
