import type { Input } from '@avow/sdk';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { type TestServer, useServer } from '../helpers/server';
import { DAY, fromNow, submit } from '../helpers/site/data-subject-requests';

const server = useServer();

/** Makes a request older than it is, so that its deadlines lie where a test needs them. */
const backdate = (request_id: string, columns: Record<string, string>) =>
  server.service.context.db('dsar_requests').where({ request_id }).update(columns);

type Filters = Omit<Input<'listDsar'>, 'token'>;
const listed = async (site: Awaited<ReturnType<TestServer['site']>>, filters: Filters = {}) =>
  (await site.client.listDsar({ token: site.token, ...filters })).items.map(({ request_id }) => request_id);

test('requests are listed newest first, each as getDsar shows it', async () => {
  const { client, token } = await server.site();
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.unshift((await submit(server, token)).request_id);
  const { items, next_cursor } = await client.listDsar({ token });
  expect(items.map(({ request_id }) => request_id)).toEqual(ids);
  expect(next_cursor).toBeNull();
  for (const item of items)
    expect(await client.getDsar({ token, request_id: item.request_id })).toEqual({
      ...item,
      ...{ search: null, evidence: expect.any(Object), answer: null, undelivered: [] },
    });
});

test('a site without requests has an empty list', async () => {
  const { client, token } = await server.site();
  expect(await client.listDsar({ token })).toEqual({ items: [], next_cursor: null });
});

test('the list is filtered by status', async () => {
  const site = await server.site();
  const { client, token } = site;
  const [created, started, resolved] = [
    (await submit(server, token)).request_id,
    (await submit(server, token)).request_id,
    (await submit(server, token)).request_id,
  ];
  await client.startDsar({ token, request_id: started });
  await client.resolveDsar({ token, request_id: resolved, body: { resolution: 'refused' } });
  expect(await listed(site, { status: 'created' })).toEqual([created]);
  expect(await listed(site, { status: 'in_progress' })).toEqual([started]);
  expect(await listed(site, { status: 'resolved' })).toEqual([resolved]);
});

test('the list is filtered by type, and filters go together', async () => {
  const site = await server.site();
  const access = (await submit(server, site.token, { request_type: 'access' })).request_id;
  const erasure = (await submit(server, site.token, { request_type: 'erasure' })).request_id;
  expect(await listed(site, { request_type: 'access' })).toEqual([access]);
  expect(await listed(site, { request_type: 'erasure', status: 'created' })).toEqual([erasure]);
  expect(await listed(site, { request_type: 'erasure', status: 'resolved' })).toEqual([]);
  expect(await listed(site, { request_type: 'complaint' })).toEqual([]);
});

test('the list is filtered by e-mail address, in any case and with any sign', async () => {
  const site = await server.site();
  const email = "Ada.O'Neil+dsar%20&x=y@Example.com";
  const [first, second] = [
    (await submit(server, site.token, { email })).request_id,
    (await submit(server, site.token, { email: email.toUpperCase() })).request_id,
  ];
  await submit(server, site.token, { email: 'other@example.com' });
  expect(await listed(site, { email })).toEqual([second, first]);
  expect(await listed(site, { email: email.toLowerCase() })).toEqual([second, first]);
  expect(await listed(site, { email: 'nobody@example.com' })).toEqual([]);
});

test('overdue is what is unresolved after its deadline, an extension included', async () => {
  const site = await server.site();
  const { client, token } = site;
  const make = async (columns?: Record<string, string>) => {
    const { request_id } = await submit(server, token);
    if (columns !== undefined) await backdate(request_id, columns);
    return request_id;
  };
  const past = { created_at: fromNow(-31 * DAY), due_at: fromNow(-DAY) };
  const fresh = await make();
  const lastMinute = await make({ created_at: fromNow(-30 * DAY), due_at: fromNow(60_000) });
  const late = await make(past);
  const lateInProgress = await make(past);
  await client.startDsar({ token, request_id: lateInProgress });
  const extended = await make({ ...past, extended_until: fromNow(59 * DAY) });
  const extendedAndLate = await make({ due_at: fromNow(-61 * DAY), extended_until: fromNow(-DAY) });
  const answeredLate = await make(past);
  await client.resolveDsar({ token, request_id: answeredLate, body: { resolution: 'fulfilled' } });

  const overdue = new Set(await listed(site, { overdue: true }));
  expect(overdue).toEqual(new Set([late, lateInProgress, extendedAndLate]));
  expect(new Set(await listed(site, { overdue: false }))).toEqual(
    new Set([fresh, lastMinute, extended, answeredLate]),
  );
  const { items } = await client.listDsar({ token });
  for (const { request_id, overdue: shown } of items) expect(shown).toBe(overdue.has(request_id));
  expect(await listed(site, { overdue: true, status: 'in_progress' })).toEqual([lateInProgress]);
});

test('pages follow each other without a gap or a repetition while new requests arrive', async () => {
  const { client, token } = await server.site();
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.unshift((await submit(server, token)).request_id);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listDsar({ token, limit: 2, ...(cursor === undefined ? {} : { cursor }) });
    expect(page.items.length).toBeLessThanOrEqual(2);
    seen.push(...page.items.map(({ request_id }) => request_id));
    cursor = page.next_cursor ?? undefined;
    await submit(server, token);
  } while (cursor !== undefined);
  expect(seen).toEqual(ids);
});

test('requests of the very same moment are paged by their ids', async () => {
  const { client, token } = await server.site();
  const ids: string[] = [];
  for (let count = 0; count < 4; count += 1) ids.push((await submit(server, token)).request_id);
  for (const request_id of ids) await backdate(request_id, { created_at: '2026-11-21T09:30:00.000Z' });
  const seen: string[] = [];
  for await (const { request_id } of client.listDsar.each({ token, limit: 1 })) seen.push(request_id);
  expect(seen).toEqual([...ids].sort().reverse());
});

test('a page is exactly full without another one behind it', async () => {
  const { client, token } = await server.site();
  for (let count = 0; count < 2; count += 1) await submit(server, token);
  expect((await client.listDsar({ token, limit: 2 })).next_cursor).toBeNull();
});

test.each([
  ['limit', { limit: 0 }],
  ['limit', { limit: 201 }],
  ['limit', { limit: 1.5 }],
  ['cursor', { cursor: 'nonsense' }],
  ['cursor', { cursor: Buffer.from('["2026-02-30T00:00:00.000Z","x"]').toString('base64url') }],
  ['status', { status: 'open' }],
  ['request_type', { request_type: 'deletion' }],
  ['overdue', { overdue: 'maybe' }],
  ['email', { email: 'visitor' }],
  ['sort', { sort: 'email' }],
])('a wrong %s is refused: %j', async (name, filters) => {
  const { client, token } = await server.site();
  const error = await refusal(client.listDsar({ token, ...(filters as Filters) }));
  expect([error.status, pathsOf(error)]).toEqual([400, [`query.${name}`]]);
});

test("somebody else's requests are neither listed nor found, also not with a cursor", async () => {
  const [mine, theirs] = [await server.site(), await server.site()];
  const { request_id } = await submit(server, theirs.token);
  await submit(server, theirs.token);
  const { next_cursor } = await theirs.client.listDsar({ token: theirs.token, limit: 1 });
  expect(await listed(mine, { cursor: next_cursor as string })).toEqual([]);
  const attempts = [
    mine.client.listDsar({ token: theirs.token }),
    mine.client.getDsar({ token: theirs.token, request_id }),
    mine.client.getDsar({ token: mine.token, request_id }),
  ];
  for (const { status } of await Promise.all(attempts.map(refusal))) expect(status).toBe(404);
});

test('requests are for members only', async () => {
  const { token } = await server.site();
  const { request_id } = await submit(server, token);
  for (const path of [`/api/cookies/${token}/dsar`, `/api/cookies/${token}/dsar/${request_id}`])
    expect((await fetch(server.url + path)).status).toBe(401);
});

test('a request is found by its id in upper case, and by no other text', async () => {
  const { client, token } = await server.site();
  const { request_id } = await submit(server, token);
  const found = await client.getDsar({ token, request_id: request_id.toUpperCase() });
  expect(found.request_id).toBe(request_id);
  const error = await refusal(client.getDsar({ token, request_id: 'first' }));
  expect([error.status, pathsOf(error)]).toEqual([400, ['path.request_id']]);
});

test('by deadline, the earliest comes first, an extension counts, and pages go on where the last one ended', async () => {
  const site = await server.site();
  const { client, token } = site;
  const [late, extended, soon] = [
    (await submit(server, token)).request_id,
    (await submit(server, token)).request_id,
    (await submit(server, token)).request_id,
  ];
  await backdate(late, { due_at: fromNow(-2 * DAY) });
  await backdate(extended, { due_at: fromNow(DAY) });
  await backdate(soon, { due_at: fromNow(3 * DAY) });
  await client.extendDsar({ token, request_id: extended, body: { reason: 'Many systems.' } });
  expect(await listed(site, { order: 'deadline' })).toEqual([late, soon, extended]);
  const read: string[] = [];
  for await (const { request_id } of client.listDsar.each({ token, order: 'deadline', limit: 1 }))
    read.push(request_id);
  expect(read).toEqual([late, soon, extended]);
});

test('what is still to be answered is told apart from what is not', async () => {
  const site = await server.site();
  const { client, token } = site;
  const [created, started, resolved] = [
    (await submit(server, token)).request_id,
    (await submit(server, token)).request_id,
    (await submit(server, token)).request_id,
  ];
  await client.startDsar({ token, request_id: started });
  await client.resolveDsar({ token, request_id: resolved, body: { resolution: 'refused' } });
  expect(await listed(site, { open: true })).toEqual([started, created]);
  expect(await listed(site, { open: false })).toEqual([resolved]);
});
