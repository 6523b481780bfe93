import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { type Json, resolve } from '../../../server/src/contract/document';
import { loadContract, type Operation, parameterOf } from '../../../server/src/contract/operations';
import { valuesOf } from '../../contract-fuzz/values';
import type { TestServer } from '../server';
import { type RawRequest, raw } from './raw';

export const contract = loadContract();
const { document } = contract;

/** A site and a bearer token of its owner. */
export interface Owned {
  token: string;
  bearer: string;
}

/** Operations of an owner on one environment: those that roles and tenancy are about. */
/** They are for pages of linked domains: only a browser says of which origin one is. */
export const FROM_A_PAGE = ['createConsentLink', 'takeConsentLink'];
/** How an operation is answered by its example, which comes from no page. */
export const exampleStatus = ({ id, status }: Operation): number => (FROM_A_PAGE.includes(id) ? 403 : status);

export const environmentOperations = contract.operations.filter(({ bearer, hasToken }) => bearer && hasToken);

/** The names of an operation's path parameters besides the environment's token. */
export const idsOf = ({ segments }: Operation): string[] =>
  segments.flatMap((part) => parameterOf(part)?.name ?? []).filter((name) => name !== 'token');

/** A new person with a new environment, and a token to send by hand. */
export async function ownedSite(server: TestServer): Promise<Owned & { userId: number; email: string }> {
  const { token, userId, email } = await server.site();
  return { token, userId, email, bearer: await bearerOf(server, userId) };
}

export const bearerOf = async (server: TestServer, userId: number): Promise<string> =>
  (await server.service.context.tokens.issue(userId, undefined, { how: 'password' })).token;

/** The request that the contract's example shows, with the given values in its path and its required query. */
export function exampleRequest(
  operation: Operation,
  path: Record<string, string>,
  bearer?: string,
): RawRequest & { path: string } {
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(path[name] ?? String(sample(schema)))}`);
  const place = operation.path.replace(/{(\w+)}/g, (_, name) => encodeURIComponent(path[name] ?? name));
  const body = exampleBody(operation);
  return {
    method: operation.method,
    path: query.length === 0 ? place : `${place}?${query.join('&')}`,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': operation.bodyTypes[0] as string }),
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** The contract's own example of a body; people are somebody else each time. */
export function exampleBody({ path, method }: Operation): Json {
  const content: Json[] = Object.values(
    document.paths[path][method.toLowerCase()].requestBody?.content ?? {},
  );
  const example = content.find((type) => type.example !== undefined)?.example;
  if (example === undefined) return undefined;
  return JSON.parse(
    JSON.stringify(example)
      .replaceAll(/"[^"@]+@example\.com"/g, () => `"${randomUUID()}@example.com"`)
      // A receiver that nobody is: port 9 of the loopback interface refuses.
      .replaceAll('https://receiver.example.com', 'http://127.0.0.1:9'),
  );
}

const sample = (schema: Json): unknown => fc.sample(valuesOf(resolve(schema)), { seed: 7, numRuns: 1 })[0];

async function makeKey(server: TestServer, { token, bearer }: Owned): Promise<string> {
  const { json } = await raw(server.url, {
    method: 'POST',
    path: '/api/me/keys',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${bearer}` },
    body: JSON.stringify({ name: 'example', set: 'export', site: token }),
  });
  return json.data.key_id;
}

/** The session of the bearer token itself, which its first use notes. */
async function ownSession(server: TestServer, { bearer }: Owned): Promise<string> {
  const headers = { Authorization: `Bearer ${bearer}` };
  const { json } = await raw(server.url, { method: 'GET', path: '/api/me/sessions', headers });
  return json.data.items[0].login_session_id;
}

/**
 * An id that an operation's path asks for, of a record made for the purpose: by the operation of the contract
 * that answers with such an id. undefined when there is none.
 */
export async function makeId(server: TestServer, site: Owned, name: string): Promise<string | undefined> {
  // It is made outside of the site that it is bound to.
  if (name === 'key_id') return makeKey(server, site);
  if (name === 'login_session_id') return ownSession(server, site);
  // The first of a file.
  if (name === 'part') return '0';
  const maker = contract.operations.find(
    (operation) =>
      operation.method === 'POST' &&
      operation.hasToken &&
      idsOf(operation).length === 0 &&
      name in dataProperties(operation) &&
      // Not one that may have none.
      !mayBeNull(dataProperties(operation)[name]),
  );
  if (maker === undefined) return undefined;
  const request = exampleRequest(maker, { token: site.token }, maker.bearer ? site.bearer : undefined);
  const { status, json, text } = await raw(server.url, request);
  if (status >= 300) throw new Error(`${maker.id} made no ${name}: ${text}`);
  return String(json.data[name]);
}

const mayBeNull = ({ type, anyOf = [] }: Json): boolean =>
  [type].flat().includes('null') || anyOf.some(mayBeNull);

/**
 * What a visitor's operation has in its path: the site, and what of it the operation shows, made for the
 * purpose.
 */
export async function visitorPath(
  server: TestServer,
  site: Owned,
  operation: Operation,
): Promise<Record<string, string>> {
  const path: Record<string, string> = { token: site.token };
  // A site has files only once its bundle was generated.
  if (operation.file) path.hash = (await makeId(server, site, 'hash')) as string;
  if (idsOf(operation).includes('language')) path.language = 'en';
  if (idsOf(operation).includes('consent_id')) {
    path.consent_id = (await makeId(server, site, 'consent_id')) as string;
    // A visitor's own: that of the example by which it was made.
    path.session_id = exampleBody(
      contract.operations.find(({ id }) => id === 'logConsent') as Operation,
    ).session_id;
  }
  return path;
}

/** The properties of what an operation answers. */
export function dataProperties({ path, method, status }: Operation): Record<string, Json> {
  const answer = document.paths[path][method.toLowerCase()].responses[status];
  const envelope = resolve(answer.content?.['application/json']?.schema ?? {});
  const properties = (schema: Json): Record<string, Json> => {
    const { allOf = [], properties: own = {} } = resolve(schema);
    return Object.assign({}, ...allOf.map(properties), own);
  };
  return envelope.properties?.data === undefined ? {} : properties(envelope.properties.data);
}

/** The ids that the items of a list have. */
export function itemIds(operation: Operation): string[] {
  const items = resolve(dataProperties(operation).items?.items ?? {});
  return Object.keys(items.properties ?? {}).filter((name) => name.endsWith('_id'));
}
