import { createAvow, type Input } from '@avow/sdk';
import { groupKeyOf } from '../../server/src/db/ledger/group-key';
import { auditSite } from '../../server/src/ledger/audit';
import { unassignAll } from '../../server/src/services/dsar-assignees';
import { checkedFetch } from '../helpers/contract';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { submit } from '../helpers/site/data-subject-requests';
import { join, member } from '../helpers/site/people';

const server = useServer({ variables: { ROLE: 'api' } });
const db = () => server.service.context.db;

const byKey = (apiKey: string) =>
  createAvow({ baseUrl: server.url, apiKey, fetch: checkedFetch, retries: 0 });

type Filters = Omit<Input<'listDsar'>, 'token'>;

/** A site with an operator and so many requests. */
async function desk(requests = 1) {
  const site = await server.site();
  const ada = await member(server, site, 'operator');
  const ids: string[] = [];
  for (let n = 0; n < requests; n += 1) ids.push((await submit(server, site.token)).request_id);
  const { client, token } = site;
  const assign = (request_id: string, body: Input<'assignDsar'>['body'], by = client) =>
    by.assignDsar({ token, request_id, body });
  const read = (request_id = ids[0] as string) => client.getDsar({ token, request_id });
  const listed = async (filters: Filters, by = client) =>
    (await by.listDsar({ token, ...filters })).items.map(({ request_id }) => request_id);
  return { ...site, ada, ids, id: ids[0] as string, assign, read, listed };
}

/** What the ledger's audit finds wrong: every entry of a history must have been sealed. */
async function damage(token: string): Promise<string[]> {
  const { id } = await db()('environments').where({ token }).first('id');
  const { vault } = server.service.context;
  const found = await db().transaction((trx) =>
    auditSite(trx, { id, token }, { groupKey: groupKeyOf(trx), vault }),
  );
  return found.all().map(({ text }) => text);
}

test('a request is given to a member, to whoever asks and to nobody, which its history and the trail tell', async () => {
  const { client, token, ada, id, assign, read, ...site } = await desk();
  expect((await read()).assignee).toBeNull();
  const given = await assign(id, { assignee: ada.userId });
  expect(given.assignee).toEqual({
    ...{ user_id: ada.userId, email: ada.email, name: (await ada.client.getMe()).name },
    assigned_at: expect.stringMatching(/Z$/),
  });
  expect((await assign(id, { assignee: 'me' })).assignee?.user_id).toBe(site.userId);
  expect((await assign(id, { assignee: null }, ada.client)).assignee).toBeNull();
  expect((await read()).history.slice(1).map(({ actor, action, note }) => [actor, action, note])).toEqual([
    [site.email, 'assigned', ada.email],
    [site.email, 'assigned', site.email],
    [ada.email, 'unassigned', null],
  ]);
  const { items } = await client.listAuditEvents({ token, operation: 'assignDsar' });
  expect(
    items.map(({ resource_id, changes }) => [resource_id, changes[0]?.before, changes[0]?.after]),
  ).toEqual([
    [id, String(site.userId), null],
    [id, String(ada.userId), String(site.userId)],
    [id, null, String(ada.userId)],
  ]);
  expect(await damage(token)).toEqual([]);
});

test('who has it already gets it again without an entry, and every answer of a step names them', async () => {
  const { client, token, ada, id, assign, read } = await desk();
  const first = await assign(id, { assignee: ada.userId });
  expect(await assign(id, { assignee: ada.userId })).toEqual(first);
  expect((await client.listAuditEvents({ token, operation: 'assignDsar' })).items).toHaveLength(1);
  const started = await client.startDsar({ token, request_id: id });
  expect(started.assignee).toEqual(first.assignee);
  const { evidence: _, search: __, answer: ___, undelivered: ____, ...found } = await read();
  expect([found, (await client.listDsar({ token })).items[0]]).toEqual([started, started]);
});

test('only operators and owners who can log in get requests', async () => {
  const { ada, id, token, assign, read, ...site } = await desk();
  const viewer = await member(server, { ...site, token }, 'viewer');
  const stranger = await server.person();
  const invited = await site.client.addMember({
    token,
    body: { email: 'new@example.com', role: 'operator' },
  });
  await db()('users').where({ id: ada.userId }).update({ disabled_at: new Date() });
  for (const assignee of [viewer.userId, stranger.userId, invited.user_id, ada.userId, 999_999]) {
    const { status, message } = await refusal(assign(id, { assignee }));
    expect([status, message]).toEqual([409, expect.stringMatching(/choose an operator or owner/)]);
  }
  for (const assignee of [0, -1, 1.5, 'you'])
    expect(pathsOf(await refusal(assign(id, { assignee: assignee as never })))).toContain('body.assignee');
  expect((await refusal(assign(id, { assignee: 'me' }, viewer.client))).status).toBe(403);
  expect((await refusal(assign(id, { assignee: 'me' }, stranger.client))).status).toBe(404);
  expect((await read()).history).toHaveLength(1);
});

test('of two who take a request at once, one is told who has it', async () => {
  const { ada, id, assign, client, read } = await desk();
  const take = (by: typeof client) => assign(id, { assignee: 'me', expected_assignee: null }, by);
  const outcomes = await Promise.allSettled([take(client), take(ada.client)]);
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused.map(({ status }) => status)).toEqual([409]);
  const { assignee } = await read();
  expect(refused[0].message).toContain(assignee?.email);
  await assign(id, { assignee: null, expected_assignee: assignee?.user_id as number });
  const gone = await refusal(assign(id, { assignee: 'me', expected_assignee: assignee?.user_id as number }));
  expect([gone.status, gone.message]).toEqual([
    409,
    expect.stringMatching(/Nobody works on this request any more/),
  ]);
});

test('an operator who hands a request to and fro for a day keeps it from no owner, and from nobody the day after', async () => {
  const { ada, id, token, assign, read } = await desk();
  const { history } = await read();
  const changed = (times: number, at = new Date().toISOString()) =>
    db()('dsar_requests')
      .where({ request_id: id })
      .update({ history: JSON.stringify(Array.from({ length: times }, () => ({ ...history[0], at }))) });
  const take = () => ada.client.assignDsar({ token, request_id: id, body: { assignee: 'me' } });
  await changed(149);
  await take();
  expect(
    (await ada.client.assignDsar({ token, request_id: id, body: { assignee: null } })).assignee,
  ).toBeNull();
  expect(await refusal(take())).toMatchObject({ status: 429, retryAfter: expect.any(Number) });
  expect((await assign(id, { assignee: 'me' })).assignee).not.toBeNull();
  await assign(id, { assignee: null });
  await changed(200);
  expect((await refusal(assign(id, { assignee: 'me' }))).message).toMatch(/at most 200 times in 24 hours/);
  await changed(400, new Date(Date.now() - 86_400_000).toISOString());
  expect((await take()).assignee?.user_id).toBe(ada.userId);
});

test('list and export are filtered by a member, by whoever asks, and by nobody', async () => {
  const { client, token, ada, ids, assign, listed } = await desk(4);
  const [own, hers, herOther, free] = ids as [string, string, string, string];
  await assign(own, { assignee: 'me' });
  for (const id of [hers, herOther]) await assign(id, { assignee: ada.userId });
  await client.startDsar({ token, request_id: hers });
  expect(await listed({ assignee: 'me' })).toEqual([own]);
  expect(await listed({ assignee: 'me' }, ada.client)).toEqual([herOther, hers]);
  expect(await listed({ assignee: String(ada.userId) })).toEqual([herOther, hers]);
  expect(await listed({ assignee: 'nobody' })).toEqual([free]);
  expect(await listed({ assignee: String(ada.userId), status: 'in_progress' })).toEqual([hers]);
  expect(await listed({ assignee: '999999' })).toEqual([]);
  for (const wrong of ['', '0', 'you', '1e3', '12345678901'])
    expect(pathsOf(await refusal(client.listDsar({ token, assignee: wrong })))).toEqual(['query.assignee']);
  const file = async (format: 'csv' | 'ndjson') =>
    (await client.exportDsar({ token, format, assignee: String(ada.userId) })).text();
  const lines = (await file('ndjson'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ request_id, assignee }) => [request_id, assignee.user_id])).toEqual([
    [hers, ada.userId],
    [herOther, ada.userId],
  ]);
  const [head, first] = (await file('csv')).split('\n');
  expect([head, first]).toEqual([
    expect.stringMatching(/,assignee,/),
    expect.stringContaining(`,${ada.email},`),
  ]);
});

test.each(['removed', 'made a viewer'])('who is %s has no requests any more', async (how) => {
  const { client, token, ada, ids, assign, read, ...site } = await desk(3);
  const [open, resolved, kept] = ids as [string, string, string];
  for (const id of [open, resolved]) await assign(id, { assignee: ada.userId });
  await assign(kept, { assignee: 'me' });
  await client.resolveDsar({ token, request_id: resolved, body: { resolution: 'fulfilled' } });
  const user_id = ada.userId;
  if (how === 'removed') await client.removeMember({ token, user_id });
  else await client.updateMember({ token, user_id, body: { role: 'viewer' } });
  expect((await read(open)).assignee).toBeNull();
  expect((await read(open)).history.at(-1)).toMatchObject({
    ...{ action: 'unassigned', actor: site.email, user_id: site.userId },
    note: how === 'removed' ? 'They were removed from the site.' : 'They became a viewer.',
  });
  // Its answer is its last step.
  expect((await read(resolved)).assignee).toBeNull();
  expect((await read(resolved)).history.at(-1)?.action).toBe('resolved: fulfilled');
  expect((await read(kept)).assignee?.user_id).toBe(site.userId);
  expect(await damage(token)).toEqual([]);
  // Of another site they are what they were.
  const other = await desk();
  await join(other, ada, 'operator');
  await other.assign(other.id, { assignee: user_id });
  expect((await other.read()).assignee?.user_id).toBe(user_id);
});

test('a member who is removed while requests are given to them has none', async () => {
  const { client, token, ada, ids, assign, listed } = await desk(6);
  const work = ids.map((id) => assign(id, { assignee: ada.userId }).catch(() => undefined));
  await Promise.all([...work, client.removeMember({ token, user_id: ada.userId })]);
  expect(await listed({ assignee: 'nobody' })).toHaveLength(6);
  expect(await damage(token)).toEqual([]);
});

test('requests of many pages are taken from somebody', async () => {
  const { ada, ids, assign, listed, id } = await desk();
  await assign(id, { assignee: ada.userId });
  const row = await db()('dsar_requests').where({ request_id: id }).first();
  const { deadline: _, history, ...columns } = row;
  await db().batchInsert(
    'dsar_requests',
    Array.from({ length: 1_100 }, (_one, n) => ({
      ...columns,
      history: JSON.stringify(history),
      request_id: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    })),
    200,
  );
  const { environment_id } = row;
  await db().transaction((trx) =>
    unassignAll(
      trx,
      { environment_id, user_id: ada.userId },
      { userId: ada.userId, email: ada.email },
      'Why.',
    ),
  );
  expect(await listed({ assignee: String(ada.userId) })).toEqual([]);
  expect(await db()('ledger_facts').where({ environment_id, kind: 'dsar' }).count('* as n')).toEqual([
    { n: ids.length + 1 + 1_101 },
  ]);
});

test('an API key assigns with dsar:write alone, for its maker', async () => {
  const { client, token, id, assign, ...site } = await desk();
  const [reading, writing] = await Promise.all(
    (['dsar:read', 'dsar:write'] as const).map((scope) =>
      client.createKey({ body: { name: scope, scopes: [scope], site: token } }),
    ),
  );
  expect((await refusal(assign(id, { assignee: 'me' }, byKey(reading?.key as string)))).status).toBe(403);
  const given = await assign(id, { assignee: 'me' }, byKey(writing?.key as string));
  expect(given.assignee?.user_id).toBe(site.userId);
  expect(given.history.at(-1)?.key_id).toBe(writing?.key_id);
});
