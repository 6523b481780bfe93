import { randomUUID } from 'node:crypto';
import type { Operation } from '../../server/src/contract/operations';
import {
  contract,
  environmentOperations,
  exampleRequest,
  idsOf,
  itemIds,
  makeId,
  type Owned,
  ownedSite,
} from '../helpers/http/contract-requests';
import { raw } from '../helpers/http/raw';
import { useServer } from '../helpers/server';
import { rowsOf } from '../helpers/site/rows';
import { INWARD } from '../helpers/webhooks/receiver';

let mine: Owned;
let theirs: Owned & { email: string };
const server = useServer({ variables: { ...INWARD, ROLE: 'api' } });
beforeAll(async () => {
  mine = await ownedSite(server);
  theirs = await ownedSite(server);
});

/** Session ids are made by browsers: one that a site does not know is a session without records there. */
const NAMED_BY_VISITORS = new Set(['session_id']);
/** Versions of settings are counted in each site: the same number is one of one’s own. */
const COUNTED = new Set(['version']);
const UNKNOWN = 'env_0000000000000000000000';
const withIds = environmentOperations.flatMap((operation) =>
  idsOf(operation).map((name) => ({ id: operation.id, name, operation })),
);
const lists = environmentOperations.filter(({ queryNames }) => queryNames.has('cursor'));

/** The ids of an operation's path, made in a site. */
async function idsIn(site: Owned, operation: Operation): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const name of idsOf(operation)) ids[name] = (await makeId(server, site, name)) ?? randomUUID();
  return ids;
}

test.each(environmentOperations)(
  '$id: somebody else’s environment is as unknown as none',
  async (operation) => {
    const ids = await idsIn(theirs, operation);
    const before = await rowsOf(server.service.context.db, theirs.token);
    const foreign = await raw(
      server.url,
      exampleRequest(operation, { ...ids, token: theirs.token }, mine.bearer),
    );
    const unknown = await raw(server.url, exampleRequest(operation, { ...ids, token: UNKNOWN }, mine.bearer));
    expect([foreign.status, foreign.json.data.code]).toEqual([404, 'not_found']);
    expect(foreign.text).toBe(unknown.text);
    expect(await rowsOf(server.service.context.db, theirs.token)).toEqual(before);
  },
);

test.each(withIds)(
  '$id: somebody else’s $name is unknown in one’s own environment',
  async ({ operation, name }) => {
    const ids = {
      ...(await idsIn(mine, operation)),
      [name]: (await idsIn(theirs, operation))[name] as string,
    };
    const before = await rowsOf(server.service.context.db, theirs.token);
    const answer = await raw(
      server.url,
      exampleRequest(operation, { ...ids, token: mine.token }, mine.bearer),
    );
    const isOwn = NAMED_BY_VISITORS.has(name) || COUNTED.has(name);
    expect(answer.status).toBe(isOwn ? operation.status : 404);
    expect(answer.text).not.toContain(theirs.token);
    expect(await rowsOf(server.service.context.db, theirs.token)).toEqual(before);
  },
);

test.each(lists)('$id: somebody else’s cursor leads to nothing of theirs', async (operation) => {
  const { filled, items, cursor } = await secondPage(operation);
  if (!filled) return;
  const request = exampleRequest(
    operation,
    { token: mine.token, ...(await idsIn(mine, operation)) },
    mine.bearer,
  );
  const answer = await raw(server.url, {
    ...request,
    path: withQuery(request.path, `limit=200&cursor=${cursor}`),
  });
  expect(answer.status).toBe(200);
  for (const item of items) expect(answer.text).not.toContain(JSON.stringify(item).slice(1, 60));
});

test('a cursor of one list is none of another', async () => {
  for (const operation of lists) {
    const { filled, cursor } = await secondPage(operation);
    if (!filled || operation.id === 'listMembers') continue;
    const path = `/api/environments/${mine.token}/members?cursor=${cursor}`;
    const answer = await raw(server.url, { path, headers: { Authorization: `Bearer ${mine.bearer}` } });
    expect([answer.status, answer.json.data.errors[0].path]).toEqual([400, 'query.cursor']);
  }
});

test('without a bearer token every owner operation is 401, whatever else the request holds', async () => {
  for (const operation of contract.operations.filter(({ bearer }) => bearer)) {
    const ids = Object.fromEntries(idsOf(operation).map((name) => [name, randomUUID()]));
    const request = exampleRequest(operation, { ...ids, token: theirs.token });
    const answer = await raw(server.url, request);
    expect([operation.id, answer.status, answer.json.data.code]).toEqual([operation.id, 401, 'unauthorized']);
  }
});

test('every path of an owner needs the bearer token', () => {
  const owners = contract.operations.filter(({ path }) => /^\/api\/(cookies|environments|me)\b/.test(path));
  expect(owners.filter(({ bearer }) => !bearer).map(({ id }) => id)).toEqual([]);
});

/** Makes records until their list has a second page. */
async function secondPage(operation: Operation) {
  const ids = await idsIn(theirs, operation);
  for (let i = 0; i < 2; i += 1) for (const name of itemIds(operation)) await makeId(server, theirs, name);
  const { path, headers } = exampleRequest(operation, { ...ids, token: theirs.token }, theirs.bearer);
  const page = await raw(server.url, { path: withQuery(path, 'limit=1'), headers: headers ?? {} });
  expect(page.status).toBe(200);
  const { items, next_cursor: cursor } = page.json.data;
  return { filled: cursor !== null, items, cursor };
}

const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;
