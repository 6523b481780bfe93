import { randomUUID } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import { checkedFetch } from '../helpers/contract';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { DAY, fromNow, submit } from '../helpers/site/data-subject-requests';
import { member, rowsIn } from '../helpers/site/people';

const server = useServer({ variables: { ROLE: 'api' } });
const db = () => server.service.context.db;

/** A site with so many requests. */
async function desk(requests: number) {
  const site = await server.site();
  const { client, token } = site;
  const ids: string[] = [];
  for (let n = 0; n < requests; n += 1)
    ids.push((await submit(server, token, { request_type: 'access', email: `${n}@example.com` })).request_id);
  const read = (request_id: string | undefined) =>
    client.getDsar({ token, request_id: request_id as string });
  return { ...site, ids, read };
}

/** `true`, or the code with which it was refused. */
const told = ({ items }: { items: { done: boolean; code: string | null }[] }) =>
  items.map(({ done, code }) => (done ? code === null : code));

const actions = ({ history }: { history: { action: string }[] }) => history.map(({ action }) => action);

test('requests are assigned, started, extended and resolved together, each as if alone', async () => {
  const { client, token, ids, read } = await desk(3);
  const ada = await member(server, { client, token }, 'operator');
  await client.createWebhook({ token, body: { url: 'https://93.184.216.34/hook', events: '*' } });
  const request_ids = [...ids].reverse();
  const assigned = await client.assignDsars({ token, body: { request_ids, assignee: ada.userId } });
  expect(assigned.items.map(({ request_id }) => request_id)).toEqual(request_ids);
  expect(told(assigned)).toEqual([true, true, true]);
  for (const outcome of [
    await client.startDsars({ token, body: { request_ids, note: 'Begun.' } }),
    await client.extendDsars({ token, body: { request_ids, reason: 'Many systems.' } }),
    await client.resolveDsars({
      token,
      body: { request_ids, resolution: 'duplicate', note: 'Same as before.' },
    }),
  ])
    expect(told(outcome)).toEqual([true, true, true]);
  for (const id of ids) {
    const request = await read(id);
    expect(actions(request)).toEqual(['created', 'assigned', 'started', 'extended', 'resolved: duplicate']);
    expect(request).toMatchObject({
      ...{ status: 'resolved', resolution: 'duplicate', extension_reason: 'Many systems.' },
      ...{ assignee: { user_id: ada.userId }, resolution_note: 'Same as before.' },
    });
    const { items } = await client.listAuditEvents({ token, resource_id: id });
    expect(items.map(({ operation }) => operation)).toEqual([
      ...['resolveDsars', 'extendDsars', 'startDsars', 'assignDsars'],
    ]);
    expect(items.at(-1)?.changes).toEqual([expect.objectContaining({ after: String(ada.userId) })]);
    expect(items[0]?.changes).toEqual([]);
  }
  const events = await rowsIn(server, 'events', token);
  expect(events.filter(({ event }) => event === 'dsar.resolved')).toHaveLength(3);
  expect(await rowsIn(server, 'deliveries', token)).toHaveLength(3);
  const mails = (await rowsIn(server, 'mails', token)).map(({ kind, request_id }) => `${kind} ${request_id}`);
  for (const id of ids) {
    for (const kind of ['request_extended', 'request_answered'])
      expect(mails.filter((mail) => mail === `${kind} ${id}`)).toHaveLength(1);
  }
});

test('one that is refused is told with the reason, stays as it was, and stops no other', async () => {
  const { client, token, ids, read } = await desk(4);
  const [created, started, resolved, late] = ids as [string, string, string, string];
  await client.startDsar({ token, request_id: started });
  await client.resolveDsar({ token, request_id: resolved, body: { resolution: 'fulfilled' } });
  const due_at = fromNow(-2 * DAY);
  await db()('dsar_requests').where({ request_id: late }).update({ due_at });
  const elsewhere = (await desk(1)).ids[0] as string;
  const request_ids = [created, started, resolved, late, randomUUID(), elsewhere];
  const outcome = await client.startDsars({ token, body: { request_ids } });
  expect(told(outcome)).toEqual([true, 'conflict', 'conflict', true, 'not_found', 'not_found']);
  expect(outcome.items[1]?.message).toBe('The request is in_progress: only a created one can be started.');
  const extended = await client.extendDsars({ token, body: { request_ids, reason: 'Why.' } });
  expect(told(extended)).toEqual([true, true, 'conflict', 'conflict', 'not_found', 'not_found']);
  const untold = await client.extendDsars({
    token,
    body: { request_ids: [late], reason: 'Why.', told_on: '2099-01-01' },
  });
  expect(untold.items[0]).toMatchObject({
    ...{ done: false, code: 'validation_failed', message: 'told_on must not be in the future.' },
  });
  expect(actions(await read(late))).toEqual(['created', 'started']);
  const { items } = await client.listAuditEvents({ token, operation: 'startDsars' });
  expect(items.map(({ resource_id }) => resource_id).sort()).toEqual([created, late].sort());
});

test('a request with files of an answer is not resolved with others, nor is its state changed', async () => {
  const { client, token, ids, read } = await desk(2);
  const [plain, filed] = ids as [string, string];
  const body = { name: 'a.txt', content_type: 'text/plain' as const, bytes: 2 };
  await client.createAnswerFile({ token, request_id: filed, body });
  const outcome = await client.resolveDsars({ token, body: { request_ids: ids, resolution: 'fulfilled' } });
  expect(told(outcome)).toEqual([true, 'conflict']);
  expect(outcome.items[1]?.message).toMatch(/resolve it on its own/);
  expect([(await read(plain)).status, (await read(filed)).status]).toEqual(['resolved', 'created']);
  const spoken = { request_ids: ids, resolution: 'fulfilled', answer: ' ' } as never;
  expect(pathsOf(await refusal(client.resolveDsars({ token, body: spoken })))).toEqual(['body.answer']);
  const silent = await desk(1);
  await silent.client.resolveDsars({
    token: silent.token,
    body: { request_ids: silent.ids, resolution: 'refused', mail: false },
  });
  const mails = await rowsIn(server, 'mails', silent.token);
  expect(mails.filter(({ kind }) => kind === 'request_answered')).toEqual([]);
});

test('up to 100 at once, each once in whatever case; nobody who may not work on them', async () => {
  const { client, token, ids } = await desk(2);
  const [one] = ids as [string];
  const start = (request_ids: string[], by = client) => by.startDsars({ token, body: { request_ids } });
  const twice = await start([one, one.toUpperCase()]);
  expect(twice.items).toEqual([{ request_id: one, done: true, code: null, message: null }]);
  for (const wrong of [[], [one, one], ['1'], Array.from({ length: 101 }, () => randomUUID())])
    expect(pathsOf(await refusal(start(wrong)))[0]).toMatch(/^body\.request_ids/);
  const many = await start(Array.from({ length: 100 }, () => randomUUID()));
  expect(many.items.filter(({ code }) => code === 'not_found')).toHaveLength(100);
  const viewer = await member(server, { client, token }, 'viewer');
  expect((await refusal(start(ids, viewer.client))).status).toBe(403);
  const assign = (assignee: number) => client.assignDsars({ token, body: { request_ids: ids, assignee } });
  // A mistake of the call, not of a request.
  expect((await refusal(assign(viewer.userId))).status).toBe(409);
  const { userId } = await member(server, { client, token }, 'operator');
  expect(told(await assign(userId))).toEqual([true, true]);
  expect(told(await assign(userId))).toEqual([true, true]);
  // They have them already: nothing changed.
  expect((await client.listAuditEvents({ token, operation: 'assignDsars' })).items).toHaveLength(2);
});

test('calls about the same requests at once wait for each other, and each request is done once', async () => {
  const { client, token, ids, read } = await desk(6);
  const orders = [ids, [...ids].reverse(), ids, [...ids].reverse()];
  const outcomes = await Promise.all(
    orders.map((request_ids) => client.startDsars({ token, body: { request_ids } })),
  );
  expect(outcomes.flatMap(({ items }) => items).filter(({ done }) => done)).toHaveLength(6);
  for (const id of ids) expect(actions(await read(id))).toEqual(['created', 'started']);
});

test('an API key works on many with dsar:write alone', async () => {
  const { client, token, ids } = await desk(1);
  const by = async (scope: 'dsar:read' | 'dsar:write') => {
    const { key } = await client.createKey({ body: { name: scope, scopes: [scope], site: token } });
    return createAvow({ baseUrl: server.url, apiKey: key, fetch: checkedFetch, retries: 0 });
  };
  const start = { token, body: { request_ids: ids } };
  expect((await refusal((await by('dsar:read')).startDsars(start))).status).toBe(403);
  expect(told(await (await by('dsar:write')).startDsars(start))).toEqual([true]);
});
