import { createHash } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import { strFromU8, unzipSync } from 'fflate';
import { newId } from '../../server/src/domain/ids';
import { inLines } from '../../server/src/services/json-lines';
import { checkedFetch } from '../helpers/contract';
import { useServer } from '../helpers/server';
import { attach, begin, PDF, someRequest } from '../helpers/site/attachments';
import { member } from '../helpers/site/people';

const server = useServer();
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A request with everything that a case may have. */
async function wholeCase() {
  const owner = await server.site();
  const { client, token } = owner;
  const request_id = await someRequest(server.visitor, token);
  const at = { token, request_id };
  await client.startDsar({ ...at, body: { note: 'Identity card was shown.' } });
  await client.extendDsar({ ...at, body: { reason: 'Many systems have to be searched.' } });
  const letter = Buffer.alloc(600_000, 'a long letter ');
  await attach(client, at, PDF, { name: 'Ausweis ä.pdf' });
  await attach(client, at, letter, { name: 'letter.txt', content_type: 'text/plain' });
  await begin(client, at, 5, { name: 'never-sent.pdf' });
  const answer = Buffer.from('all your data');
  const body = { name: 'data.txt', content_type: 'text/plain' as const, bytes: answer.length };
  const { file_id } = await client.createAnswerFile({ ...at, body });
  const content = answer.toString('base64');
  const stored = await client.putAnswerFilePart({ ...at, file_id, part: 0, body: { content } });
  expect(stored.sha256).toBe(sha256(answer));
  await client.resolveDsar({ ...at, body: { resolution: 'fulfilled' } });
  return { owner, at, letter, answer };
}

test('a case has all that there is of its request', async () => {
  const { owner, at, letter } = await wholeCase();
  const all = await owner.client.getDsarCase(at);
  expect(all).toMatchObject({
    site: { token: at.token, name: 'Example shop', domain: 'shop.example.com' },
    request: { request_id: at.request_id, status: 'resolved', extension_reason: expect.any(String) },
    attachments: [
      { name: 'Ausweis ä.pdf', sha256: sha256(PDF), added_by: owner.email },
      { name: 'letter.txt', bytes: letter.length, sha256: sha256(letter) },
      { name: 'never-sent.pdf', sha256: null },
    ],
    answer_files: [{ name: 'data.txt', complete: true }],
    mails: [{ kind: 'request_answered' }, { kind: 'request_extended' }, { kind: 'request_received' }],
    mails_left_out: false,
  });
  expect(all.request.history.map(({ action }) => action)).toEqual([
    ...['created', 'started', 'extended', 'resolved: fulfilled'],
  ]);
});

test('its archive has the same, the files, and their hashes', async () => {
  const { owner, at, letter, answer } = await wholeCase();
  const download = await owner.client.exportDsarCase(at);
  expect(download.headers.get('content-disposition')).toMatch(/^attachment; filename="request-shop.*\.zip"$/);
  const files = unzipSync(new Uint8Array(await download.arrayBuffer()));
  expect(Object.keys(files)).toEqual([
    ...['case.json', 'attachments/001 Ausweis ä.pdf', 'attachments/002 letter.txt'],
    ...['answer-files/001 data.txt', 'sha256sums.txt'],
  ]);
  const { generated_at: _, ...told } = JSON.parse(strFromU8(files['case.json'] as Uint8Array));
  expect(await owner.client.getDsarCase(at)).toMatchObject({ ...told, request: expect.anything() });
  expect(Buffer.from(files['attachments/002 letter.txt'] as Uint8Array).equals(letter)).toBe(true);
  expect(Buffer.from(files['answer-files/001 data.txt'] as Uint8Array).equals(answer)).toBe(true);
  const sums = strFromU8(files['sha256sums.txt'] as Uint8Array)
    .trimEnd()
    .split('\n');
  expect(sums).toHaveLength(3);
  for (const line of sums) {
    const [hash, name = ''] = line.split(/ {2}(.*)/s);
    expect([name, sha256(files[name] as Uint8Array)]).toEqual([name, hash]);
  }
  const { items } = await owner.client.listAuditEvents({ token: at.token, kind: 'export' });
  expect(items.map(({ operation, resource_id }) => [operation, resource_id])).toEqual([
    ['getDsarCase', at.request_id],
    ['exportDsarCase', at.request_id],
  ]);
});

test('a key without mails:read gets no mails, and viewers get no case', async () => {
  const { owner, at } = await wholeCase();
  const { key } = await owner.client.createKey({
    body: { name: 'desk', scopes: ['dsar:read'], site: at.token },
  });
  const program = createAvow({ baseUrl: server.url, apiKey: key, fetch: checkedFetch, retries: 0 });
  expect((await program.getDsarCase(at)).mails).toBeNull();
  const viewer = await member(server, owner, 'viewer');
  await expect(viewer.client.getDsarCase(at)).rejects.toMatchObject({ status: 403 });
  await expect(viewer.client.exportDsarCase(at)).rejects.toMatchObject({ status: 403 });
});

const MIB = 1024 * 1024;
/** JSON writes each of these in six bytes. They are of before they were refused. */
const HEAVY = '\u0001'.repeat(10_000);

/** A request on which as much was written as its limits allow. */
async function wordyCase() {
  const { client, token, userId, email } = await server.site();
  const request_id = await someRequest(server.visitor, token);
  const { db } = server.service.context;
  const { id } = await db('environments').where({ token }).first('id');
  const comments = Array.from({ length: 500 }, (_, n) => ({
    ...{ environment_id: id, request_id, comment_id: newId(), user_id: userId, key_id: null },
    ...{ author: email, text: `${n} ${HEAVY}`.slice(0, 10_000), created_at: new Date() },
  }));
  await db.batchInsert('dsar_comments', comments, 50);
  const at = '2026-01-01T00:00:00.000Z';
  const history = Array.from({ length: 100 }, (_, n) => ({
    ...{ at, actor: 'owner@example.com', action: 'started', note: `${n} ${HEAVY}` },
  }));
  await db('dsar_requests')
    .where({ request_id })
    .update({ history: JSON.stringify(history) });
  return { client, at: { token, request_id } };
}

test('of a long case the newest is sent, and it says how much was left out; the archive has all', async () => {
  const { client, at } = await wordyCase();
  const all = await client.getDsarCase(at);
  expect(Buffer.byteLength(JSON.stringify(all))).toBeLessThan(2.5 * MIB);
  const { comments, comments_left_out, request, history_left_out } = all;
  expect(comments.length).toBeGreaterThan(10);
  expect(comments.length + comments_left_out).toBe(500);
  expect(comments.at(-1)?.text).toMatch(/^499 /);
  expect(request.history.length + history_left_out).toBe(100);
  expect(request.history.at(-1)?.note).toMatch(/^99 /);
  const download = await client.exportDsarCase(at);
  const files = unzipSync(new Uint8Array(await download.arrayBuffer()));
  const told = JSON.parse(strFromU8(files['case.json'] as Uint8Array));
  expect(told.comments.map(({ text }: { text: string }) => text.split(' ', 1)[0])).toEqual(
    Array.from({ length: 500 }, (_, n) => String(n)),
  );
  expect(told.request.history).toHaveLength(100);
  expect(told).toMatchObject({ comments_left_out: 0, history_left_out: 0 });
});

test('a page of comments is as large as JSON makes it, whatever it is made of', async () => {
  const { client, at } = await wordyCase();
  const page = await client.listDsarComments({ ...at, limit: 100 });
  expect(page.next_cursor).not.toBeNull();
  // The last one may exceed the two mebibytes.
  expect(Buffer.byteLength(JSON.stringify(page.items))).toBeLessThan(2 * MIB + 70_000);
});

test('the file of a case is written as JSON is, in small pieces', async () => {
  async function* items() {
    yield* [1, 'two', { three: [null, true, {}, []] }];
  }
  const value = { a: { b: ['x'.repeat(100), ['"\n']], 'c"': 1, gone: undefined }, d: [], e: {} };
  const pieces: string[] = [];
  for await (const piece of inLines({ ...value, list: items() })) pieces.push(piece);
  const whole = { ...value, list: [1, 'two', { three: [null, true, {}, []] }] };
  expect(pieces.join('')).toBe(`${JSON.stringify(whole, null, 2)}\n`);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(110);
});
