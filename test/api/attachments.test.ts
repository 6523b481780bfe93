import { createHash } from 'node:crypto';
import { DAY_MS } from '../../server/src/domain/time';
import { eraseDeletedSites } from '../../server/src/jobs/deleted-sites';
import { deleteStray } from '../../server/src/services/attachments';
import { reseal } from '../../server/src/services/reseal';
import { useServer } from '../helpers/server';
import { attach, begin, PDF, put, someRequest } from '../helpers/site/attachments';
import { member } from '../helpers/site/people';

const server = useServer({
  variables: { FILES_MAX_MB: '2', FILES_OF_REQUEST: '3', FILES_OF_REQUEST_MB: '3', FILES_OF_SITE_MB: '5' },
});
const db = () => server.service.context.db;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const MIB = 1024 * 1024;

/** A site with a request. */
async function place() {
  const site = await server.site();
  return { ...site, request_id: await someRequest(server.visitor, site.token) };
}

test('a file comes in parts, is kept sealed, and is downloaded as it was, to be saved only', async () => {
  const { client, token, request_id, email } = await place();
  const content = Buffer.concat([PDF, Buffer.alloc(700_000, 'identity card ')]);
  const { attachment_id } = await begin(client, { token, request_id }, content.length, {
    name: "Ausweis 'ä'.pdf",
  });
  const at = { token, request_id, attachment_id };
  expect(await put(client, at, content, 1)).toMatchObject({ sha256: null, received_bytes: 175_720 });
  await expect(client.downloadAttachment(at)).rejects.toMatchObject({ status: 409 });
  expect(await put(client, at, content, 0)).toMatchObject({
    ...{ attachment_id, name: "Ausweis 'ä'.pdf", content_type: 'application/pdf', added_by: email },
    ...{ bytes: content.length, received_bytes: content.length, sha256: sha256(content) },
  });
  const stored = await db()('attachment_parts').where({ file_id: attachment_id }).pluck('content');
  expect(stored).toHaveLength(2);
  expect(stored.some((part: Buffer) => part.includes('identity card'))).toBe(false);
  const answer = await client.downloadAttachment(at);
  expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="Ausweis '_'.pdf"; filename*=UTF-8''Ausweis%20%27%C3%A4%27.pdf`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
    'cache-control': 'no-store',
  });
  const { items } = await client.listAttachments({ token, request_id });
  expect(items.map((item) => [item.attachment_id, item.sha256])).toEqual([[attachment_id, sha256(content)]]);
});

test('what is complete stays as it is: the same bytes again change nothing, others are refused', async () => {
  const { client, token, request_id } = await place();
  const { attachment_id } = await attach(client, { token, request_id });
  const at = { token, request_id, attachment_id };
  expect((await put(client, at, PDF)).sha256).toBe(sha256(PDF));
  await expect(put(client, at, Buffer.from('%PDF-1.4'))).rejects.toMatchObject({ status: 409 });
  const operations = await db()('audit_events')
    .where({ resource: 'attachment', resource_id: attachment_id })
    .pluck('operation');
  expect(operations.sort()).toEqual(['createAttachment', 'putAttachmentPart']);
});

test('of a file that was complete when its server died, the last part is sent again', async () => {
  const { client, token, request_id } = await place();
  const { attachment_id } = await attach(client, { token, request_id });
  await db()('attachments').where({ file_id: attachment_id }).update({ sha256: null });
  expect((await put(client, { token, request_id, attachment_id }, PDF)).sha256).toBe(sha256(PDF));
});

test.each([
  ['application/pdf', 'MZ\x90\0\x03', '%PDF-1.7 x'],
  ['image/png', 'GIF89a....', '\x89PNG\r\n\x1a\n....'],
  ['image/jpeg', '%PDF-1.7', '\xff\xd8\xff\xe0....'],
  ['image/webp', 'RIFF\0\0\0\0WAVE', 'RIFF\0\0\0\0WEBP'],
  ['text/plain', 'a text\0with a zero', 'a text'],
  ['text/csv', '\x7fELF\0', 'a;b'],
  ['application/json', '\0\0', '{"a":1}'],
  ['application/zip', 'Rar!\x1a\x07', 'PK\x03\x04....'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', '<html>', 'PK\x03\x04....'],
  ['application/vnd.oasis.opendocument.text', '%PDF-1.7', 'PK\x03\x04....'],
  ['application/msword', 'PK\x03\x04....', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1..'],
] as const)('%s begins as such files do', async (content_type, bad, good) => {
  const { client, token, request_id } = await place();
  for (const [text, isGood] of [
    [bad, false],
    [good, true],
  ] as const) {
    const bytes = Buffer.from(text, 'latin1');
    const stored = attach(client, { token, request_id }, bytes, { content_type });
    if (isGood) expect((await stored).sha256).toBe(sha256(bytes));
    else await expect(stored).rejects.toMatchObject({ status: 400, errors: [{ path: 'body.content' }] });
  }
});

test('a file, a request and a site have bounds', async () => {
  const { client, token, request_id } = await place();
  const one = { token, request_id };
  await expect(begin(client, one, 2 * MIB + 1)).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'body.bytes', message: expect.stringContaining('2 MiB') }],
  });
  await begin(client, one, 2 * MIB);
  await expect(begin(client, one, MIB + 1)).rejects.toMatchObject({ status: 409 });
  const { attachment_id } = await begin(client, one, MIB - 1);
  await begin(client, one, 1);
  await expect(begin(client, one, 1)).rejects.toMatchObject({ status: 409 });
  const other = { token, request_id: await someRequest(server.visitor, token) };
  await begin(client, other, 2 * MIB);
  const full = expect.stringContaining('5 MiB');
  await expect(begin(client, other, 1)).rejects.toMatchObject({ status: 409, message: full });
  await client.deleteAttachment({ ...one, attachment_id });
  // Of many at once, no more are taken than there is room for.
  const third = { token, request_id: await someRequest(server.visitor, token) };
  const fourth = { token, request_id: await someRequest(server.visitor, token) };
  const results = await Promise.allSettled([begin(client, third, MIB - 1), begin(client, fourth, MIB - 1)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test.each([
  ['a part that the file does not have', 1, PDF],
  ['too few bytes', 0, PDF.subarray(1)],
  ['too many bytes', 0, Buffer.concat([PDF, PDF])],
] as const)('%s is refused', async (_, part, content) => {
  const { client, token, request_id } = await place();
  const { attachment_id } = await begin(client, { token, request_id }, PDF.length);
  const body = { content: content.toString('base64') };
  const sent = client.putAttachmentPart({ token, request_id, attachment_id, part, body });
  await expect(sent).rejects.toMatchObject({ status: 400 });
});

test('only those who work on requests of the site reach them, and only below their request', async () => {
  const { client, token, request_id } = await place();
  const { attachment_id } = await attach(client, { token, request_id });
  const at = { token, request_id, attachment_id };
  const viewer = await member(server, { client, token }, 'viewer');
  await expect(viewer.client.listAttachments({ token, request_id })).rejects.toMatchObject({ status: 403 });
  await expect(viewer.client.downloadAttachment(at)).rejects.toMatchObject({ status: 403 });
  const operator = await member(server, { client, token }, 'operator');
  expect((await operator.client.listAttachments({ token, request_id })).items).toHaveLength(1);
  const other = await place();
  await expect(
    other.client.downloadAttachment({ token: other.token, request_id: other.request_id, attachment_id }),
  ).rejects.toMatchObject({ status: 404 });
  const sibling = await someRequest(server.visitor, token);
  await expect(client.downloadAttachment({ ...at, request_id: sibling })).rejects.toMatchObject({
    status: 404,
  });
});

test('what is done with an attachment is in the audit trail, without its name', async () => {
  const { client, token, request_id } = await place();
  const { attachment_id } = await attach(client, { token, request_id }, PDF, { name: 'Ada Jones.pdf' });
  await client.downloadAttachment({ token, request_id, attachment_id });
  await client.deleteAttachment({ token, request_id, attachment_id });
  const { items } = await client.listAuditEvents({ token });
  const told = items.map(({ operation, resource, resource_id }) => [operation, resource, resource_id]);
  const about = ['attachment', attachment_id];
  expect(told.slice(0, 4)).toEqual([
    ['deleteAttachment', ...about],
    ['downloadAttachment', ...about],
    ['putAttachmentPart', ...about],
    ['createAttachment', ...about],
  ]);
  expect(JSON.stringify(items)).not.toContain('Ada Jones');
  expect(await left(token)).toEqual([0, 0]);
});

/** How many files and parts a site has. */
async function left(token: string): Promise<[number, number]> {
  const { id } = await db()('environments').where({ token }).first('id');
  const count = async (table: string): Promise<number> =>
    Number((await db()(table).where({ environment_id: id }).count({ n: '*' }).first())?.n);
  return [await count('attachments'), await count('attachment_parts')];
}

test('with the data of a person go the attachments of their answered requests', async () => {
  const { client, token } = await server.site();
  const body = { request_type: 'access' as const, email: 'ada@visitor.example' };
  const answered = (await server.visitor.submitDsar({ token, body })).request_id;
  const open = (await server.visitor.submitDsar({ token, body })).request_id;
  for (const request_id of [answered, open]) await attach(client, { token, request_id });
  await client.resolveDsar({ token, request_id: answered, body: { resolution: 'fulfilled' } });
  await client.eraseSubject({ token, body: { subject: { email: body.email } } });
  expect((await client.listAttachments({ token, request_id: answered })).items).toEqual([]);
  expect((await client.listAttachments({ token, request_id: open })).items).toHaveLength(1);
  expect(await left(token)).toEqual([1, 1]);
});

test('what has not come in full within a day is deleted', async () => {
  const { client, token, request_id } = await place();
  const { attachment_id } = await begin(client, { token, request_id }, PDF.length);
  await attach(client, { token, request_id });
  await deleteStray(db(), new Date(Date.now() + DAY_MS - 60_000));
  expect(await left(token)).toEqual([2, 1]);
  await deleteStray(db(), new Date(Date.now() + DAY_MS + 60_000));
  const { items } = await client.listAttachments({ token, request_id });
  expect(items.map((item) => item.attachment_id)).not.toContain(attachment_id);
  expect(await left(token)).toEqual([1, 1]);
});

test('what a site had goes with it', async () => {
  const { client, token, request_id } = await place();
  await attach(client, { token, request_id });
  const { id } = await db()('environments').where({ token }).first('id');
  await db()('environments')
    .where({ token })
    .update({ deleted_at: new Date(Date.now() - 3_600_000) });
  await eraseDeletedSites(db(), server.service.context.log, new Date());
  expect(await db()('attachments').where({ environment_id: id })).toEqual([]);
  expect(await db()('attachment_parts').where({ environment_id: id })).toEqual([]);
});

test('with another key every part is sealed anew', async () => {
  const { client, token, request_id } = await place();
  const { attachment_id } = await attach(client, { token, request_id });
  const { vault } = server.service.context;
  const results = await reseal(db(), vault);
  expect(results.find(({ table }) => table === 'attachment_parts')).toEqual({
    ...{ table: 'attachment_parts', changed: 0, lost: 0 },
  });
  const answer = await client.downloadAttachment({ token, request_id, attachment_id });
  expect(Buffer.from(await answer.arrayBuffer()).equals(PDF)).toBe(true);
});
