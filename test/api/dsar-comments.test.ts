import { randomUUID } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import { applyRetention } from '../../server/src/jobs/retention';
import { createLogger } from '../../server/src/observability/logger';
import { checkedFetch } from '../helpers/contract';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { type Client, useServer } from '../helpers/server';
import { DAY, submit } from '../helpers/site/data-subject-requests';
import { member, rowsIn } from '../helpers/site/people';

const server = useServer({ variables: { ROLE: 'api' } });
const ADA = 'ada@example.com';
const TEXT = 'Only we know that the backup was searched.';

/** A site with somebody's request. */
async function desk(settings: object = {}) {
  const site = await server.site(settings);
  const { client, token } = site;
  const { request_id } = await submit(server, token, { email: ADA, name: 'Ada' });
  const request = { token, request_id };
  const add = (text = TEXT, by: Client = client) => by.addDsarComment({ ...request, body: { text } });
  const texts = async (by: Client = client) =>
    (await by.listDsarComments(request)).items.map(({ text }) => text);
  return { ...site, request_id, request, add, texts };
}

test('members write to each other about a request, oldest first, page by page', async () => {
  const { client, request, add, texts, ...site } = await desk();
  const operator = await member(server, { client, token: request.token }, 'operator');
  const viewer = await member(server, { client, token: request.token }, 'viewer');
  const first = await add('First.\nSecond line.');
  expect(first).toEqual({
    ...{ comment_id: first.comment_id, user_id: site.userId, author: site.email, key_id: null },
    ...{ text: 'First.\nSecond line.', created_at: expect.stringMatching(/Z$/) },
  });
  await add('Second.', operator.client);
  await client.resolveDsar({ ...request, body: { resolution: 'fulfilled' } });
  await add('Third, after the answer.');
  expect(await texts(viewer.client)).toEqual(['First.\nSecond line.', 'Second.', 'Third, after the answer.']);
  const page = await client.listDsarComments({ ...request, limit: 2 });
  const next = await client.listDsarComments({ ...request, cursor: page.next_cursor as string });
  expect([page.items.length, next.items.map(({ text }) => text), next.next_cursor]).toEqual([
    ...[2, ['Third, after the answer.'], null],
  ]);
  expect((await refusal(add('No.', viewer.client))).status).toBe(403);
  const stranger = await server.person();
  for (const act of [() => texts(stranger.client), () => add('No.', stranger.client)])
    expect((await refusal(act())).status).toBe(404);
});

test('one deletes one’s own comments, and an owner any', async () => {
  const { client, request, add, texts } = await desk();
  const [otto, olga] = [
    await member(server, { client, token: request.token }, 'operator'),
    await member(server, { client, token: request.token }, 'operator'),
  ];
  const [own, other] = [await add('A.', otto.client), await add('B.', otto.client)];
  const remove = (by: Client, comment_id: string) => by.deleteDsarComment({ ...request, comment_id });
  expect((await refusal(remove(olga.client, own.comment_id))).status).toBe(403);
  expect(await remove(otto.client, own.comment_id.toUpperCase())).toEqual({ comment_id: own.comment_id });
  expect((await refusal(remove(otto.client, own.comment_id))).status).toBe(404);
  expect((await refusal(remove(client, randomUUID()))).status).toBe(404);
  await remove(client, other.comment_id);
  expect(await texts()).toEqual([]);
  const { items } = await client.listAuditEvents({ token: request.token, resource_id: request.request_id });
  expect(items.map(({ operation }) => operation)).toEqual([
    ...['deleteDsarComment', 'deleteDsarComment', 'addDsarComment', 'addDsarComment'],
  ]);
  // What was written is not kept in the trail.
  expect(JSON.stringify(items)).not.toContain('A.');
});

test('a text is bounded and says something, and a request has at most 500', async () => {
  const { request, add, client } = await desk();
  for (const text of ['', ' \n', '\u200b', 'x'.repeat(10_001)])
    expect(pathsOf(await refusal(add(text)))).toEqual(['body.text']);
  await add('x'.repeat(10_000));
  const [row] = await rowsIn(server, 'dsar_comments', request.token);
  const more = Array.from({ length: 498 }, () => ({ ...row, comment_id: randomUUID(), text: 'x' }));
  await server.service.context.db.batchInsert('dsar_comments', more, 100);
  const outcomes = await Promise.allSettled([add(), add(), add()]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect((await refusal(add())).message).toMatch(/at most 500 comments/);
  expect((await refusal(client.listDsarComments({ ...request, request_id: randomUUID() }))).status).toBe(404);
});

test('a repeated call with the same key writes one comment', async () => {
  const { client, request, texts } = await desk();
  const idempotencyKey = randomUUID();
  const once = () => client.addDsarComment({ ...request, body: { text: TEXT } }, { idempotencyKey });
  const [one, other] = [await once(), await once()];
  expect([other, await texts()]).toEqual([one, [TEXT]]);
});

test('neither the request, its history, its export, its event, its pack nor its mails hold a comment', async () => {
  const { client, token, request, add } = await desk();
  await client.createWebhook({ token, body: { url: 'https://93.184.216.34/hook', events: '*' } });
  await add();
  const resolved = await client.resolveDsar({ ...request, body: { resolution: 'fulfilled' } });
  const shown = [resolved, await client.getDsar(request), await client.listDsar({ token })];
  const tables = ['events', 'deliveries', 'mails', 'ledger_facts', 'audit_events'];
  for (const table of tables) shown.push((await rowsIn(server, table, token)) as never);
  const file = await (await client.exportDsar({ token })).text();
  expect(JSON.stringify(shown) + file).not.toContain(TEXT);
});

test('comments go with the person after the answer, not before, whatever else is left of the request', async () => {
  const { client, token, request, add, texts } = await desk();
  await add();
  const erase = (preview = false) =>
    client.eraseSubject({ token, body: { subject: { email: ADA }, preview } });
  const requests = (report: Awaited<ReturnType<typeof erase>>) =>
    report.erased.find(({ kind }) => kind === 'requests')?.count;
  expect([requests(await erase()), await texts()]).toEqual([0, [TEXT]]);
  await client.resolveDsar({ ...request, body: { resolution: 'fulfilled' } });
  expect(requests(await erase(true))).toBe(1);
  expect([requests(await erase()), await texts()]).toEqual([1, []]);
  // Of a request whose other data are gone already.
  await add('Written afterwards.');
  expect(requests(await erase(true))).toBe(1);
  expect([requests(await erase()), await texts()]).toEqual([1, []]);
  expect(requests(await erase())).toBe(0);
});

test('comments go with the request by retention, and with the site', async () => {
  const { client, token, request, add } = await desk({
    retention_days: { consents: 1825, events: 90, requests: 30 },
  });
  const other = await submit(server, token);
  await add();
  await client.addDsarComment({ token, request_id: other.request_id, body: { text: 'Stays.' } });
  await client.resolveDsar({ ...request, body: { resolution: 'fulfilled' } });
  const { db } = server.service.context;
  const resolved_at = new Date(Date.now() - 31 * DAY);
  await db('dsar_requests').where({ request_id: request.request_id }).update({ resolved_at });
  await applyRetention(db, createLogger('silent'), new Date());
  expect((await rowsIn(server, 'dsar_comments', token)).map(({ text }) => text)).toEqual(['Stays.']);
});

test('an API key reads comments with dsar:read and writes them with dsar:write, under its own name', async () => {
  const { client, token, texts, add } = await desk();
  const keyed = async (scope: 'dsar:read' | 'dsar:write') => {
    const { key, key_id } = await client.createKey({ body: { name: scope, scopes: [scope], site: token } });
    return { key_id, by: createAvow({ baseUrl: server.url, apiKey: key, fetch: checkedFetch, retries: 0 }) };
  };
  const [reader, writer] = [await keyed('dsar:read'), await keyed('dsar:write')];
  expect((await refusal(add(TEXT, reader.by))).status).toBe(403);
  expect((await add(TEXT, writer.by)).key_id).toBe(writer.key_id);
  expect(await texts(reader.by)).toEqual([TEXT]);
});
