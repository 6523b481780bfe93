import { createHash, randomUUID } from 'node:crypto';
import { sweepObjects } from '../../server/src/files/sweep';
import { eraseDeletedSites } from '../../server/src/jobs/deleted-sites';
import { rowOf, Vault } from '../../server/src/security/vault';
import { reseal } from '../../server/src/services/reseal';
import { answered, mailedCode } from '../helpers/mail/mailed-pages';
import { startServer, type TestServer } from '../helpers/server';
import { attach, begin, PDF, put, someRequest } from '../helpers/site/attachments';
import { startBucket, type TestBucket } from '../helpers/storage/bucket';

jest.setTimeout(60_000);

let bucket: TestBucket;
let server: TestServer;
beforeAll(async () => {
  bucket = await startBucket();
  // No jobs: the tests sweep when they want to.
  server = await startServer({ variables: { ...bucket.variables, ROLE: 'api' } });
});
afterAll(async () => {
  await server?.stop();
  await bucket?.stop();
});
afterEach(() => {
  bucket.state = 'up';
});

const db = () => server.service.context.db;
const sweep = () => sweepObjects(db(), server.service.context.fileStore);
const names = (): string[] => [...bucket.objects.keys()];
const newSince = (before: readonly string[]): string[] => names().filter((name) => !before.includes(name));

async function place(at: TestServer = server) {
  const { client, token } = await at.site();
  return { client, at: { token, request_id: await someRequest(at.visitor, token) } };
}

/** Of two parts. */
const LONG = Buffer.concat([PDF, Buffer.alloc(700_000, 'identity card ')]);
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const bytesOf = async (answer: Promise<Response>): Promise<Buffer> =>
  Buffer.from(await (await answer).arrayBuffer());

test('the bucket has ciphertext only, each part under a key of its own that the database keeps sealed', async () => {
  const before = names();
  const { client, at } = await place();
  const { attachment_id, sha256: hash } = await attach(client, at, LONG);
  expect(hash).toBe(sha256(LONG));
  const objects = newSince(before).map((name) => bucket.objects.get(name) as Buffer);
  expect(objects).toHaveLength(2);
  const { vault } = server.service.context;
  for (const content of objects) {
    expect(content.includes('identity card')).toBe(false);
    expect(vault.opens(content)).toBe(false);
  }
  const parts = await db()('attachment_parts').where({ file_id: attachment_id });
  const { environment_id } = parts[0];
  const sizes = parts.map(({ content, part }) =>
    vault.of('attachment part').openBytes(content, rowOf(environment_id, attachment_id, part)),
  );
  expect(sizes.map(({ length }) => length)).toEqual([32, 32]);
  expect((await bytesOf(client.downloadAttachment({ ...at, attachment_id }))).equals(LONG)).toBe(true);
});

test('files of an answer are there too, and are downloaded by the mailed link', async () => {
  const before = names();
  const site = await server.site();
  const { answer, file_id, request_id } = await answered(server, site, 'en', LONG);
  expect(newSince(before)).toHaveLength(2);
  const post = (fields: Record<string, string>) =>
    fetch(server.url + answer, { method: 'POST', body: new URLSearchParams(fields) });
  await post({ action: 'code' });
  const code = await mailedCode(server, request_id);
  const download = post({ code, file: file_id });
  expect((await bytesOf(download)).equals(LONG)).toBe(true);
  bucket.state = 'down';
  const refused = await post({ code, file: file_id });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
});

test('the storage refuses another secret, and nothing is stored', async () => {
  const variables = { ...bucket.variables, FILES_S3_SECRET_ACCESS_KEY: 'another', ROLE: 'api' };
  const other = await startServer({ variables });
  try {
    const before = names();
    const { client, at } = await place(other);
    await expect(attach(client, at)).rejects.toMatchObject({ status: 503 });
    expect(newSince(before)).toEqual([]);
  } finally {
    await other.stop();
  }
});

test.each(['down', 'failing'] as const)(
  'while the bucket is %s, uploads and downloads are a 503 that says when to come back, and it is counted',
  async (state) => {
    const { client, at } = await place();
    const { attachment_id } = await attach(client, at);
    const waiting = await begin(client, at, PDF.length);
    const metrics = () => server.service.context.metrics.registry.metrics();
    const failed = async (what: string): Promise<number> =>
      Number(new RegExp(`what="${what}",result="failed"} (\\d+)`).exec(await metrics())?.[1] ?? 0);
    const before = [await failed('put'), await failed('get')] as const;
    bucket.state = state;
    const away = { status: 503, retryAfter: 10, message: expect.stringContaining('storage of files') };
    await expect(put(client, { ...at, attachment_id: waiting.attachment_id }, PDF)).rejects.toMatchObject(
      away,
    );
    await expect(client.downloadAttachment({ ...at, attachment_id })).rejects.toMatchObject(away);
    // What needs no bucket goes on, and the file is deleted later.
    await client.deleteAttachment({ ...at, attachment_id });
    expect([await failed('put'), await failed('get')]).toEqual([before[0] + 1, before[1] + 1]);
    bucket.state = 'up';
    expect((await put(client, { ...at, attachment_id: waiting.attachment_id }, PDF)).sha256).toBe(
      sha256(PDF),
    );
  },
);

test('who waits for a bucket that is silent holds up nobody, and gets an answer', async () => {
  const { client, at } = await place();
  const files = await Promise.all([1, 2, 3, 4].map(() => begin(client, at, PDF.length)));
  bucket.state = 'silent';
  let waits = true;
  const uploads = Promise.allSettled(
    files.map((file) => put(client, { ...at, attachment_id: file.attachment_id }, PDF)),
  ).finally(() => {
    waits = false;
  });
  await client.listAttachments(at);
  expect(waits).toBe(true);
  const results = await uploads;
  const statuses = results.map((one) => one.status === 'rejected' && one.reason.status);
  expect(statuses).toEqual([503, 503, 503, 503]);
});

test('what is deleted goes from the bucket after the commit, also when it was killed in between', async () => {
  await db()('file_objects')
    .whereNotNull('delete_after')
    .update({ delete_after: new Date(0) });
  await sweep();
  const before = names();
  const { client, at } = await place();
  const { attachment_id } = await attach(client, at, LONG);
  const [one = ''] = newSince(before);
  await client.deleteAttachment({ ...at, attachment_id });
  expect(newSince(before)).toHaveLength(2);
  bucket.state = 'down';
  expect(await sweep()).toBe(0);
  bucket.state = 'up';
  // Postponed, so that others go first.
  expect(await sweep()).toBe(0);
  // As a process that was killed after it had deleted the object left it.
  const [, environment_id = '', object_id = ''] = one.split('/');
  const own = { environment_id };
  await db()('file_objects')
    .where(own)
    .update({ delete_after: new Date(0) });
  expect(await server.service.context.fileStore.delete({ environment_id, object_id })).toBe(true);
  expect(await sweep()).toBe(2);
  expect(newSince(before)).toEqual([]);
  expect(await db()('file_objects').where(own)).toEqual([]);
});

test('an object whose part was never written is deleted a day later, and not before', async () => {
  await sweep();
  const { client, at } = await place();
  await attach(client, at);
  const { id } = await db()('environments').where({ token: at.token }).first('id');
  const before = names();
  // As a process that was killed before the commit left it.
  const file = { environment_id: id, request_id: at.request_id, file_id: randomUUID() };
  await server.service.context.fileStore.seal('attachment', file, 0, PDF);
  expect(newSince(before)).toHaveLength(1);
  expect(await sweep()).toBe(0);
  const [row] = await db()('file_objects').where({ environment_id: id }).whereNotNull('delete_after');
  expect(row.delete_after - row.created_at).toBeCloseTo(86_400_000, -4);
  const { object_id } = row;
  await db()('file_objects')
    .where({ environment_id: id, object_id })
    .update({ delete_after: new Date(0) });
  expect(await sweep()).toBe(1);
  expect(newSince(before)).toEqual([]);
  // The file that is in use stays.
  expect((await client.listAttachments(at)).items).toHaveLength(1);
});

test('a part that comes again takes the place of its object', async () => {
  await sweep();
  const before = names();
  const { client, at } = await place();
  const file = await begin(client, at, LONG.length);
  await put(client, { ...at, attachment_id: file.attachment_id }, LONG, 0);
  await put(client, { ...at, attachment_id: file.attachment_id }, LONG, 0);
  expect(newSince(before)).toHaveLength(2);
  expect(await sweep()).toBe(1);
  expect((await put(client, { ...at, attachment_id: file.attachment_id }, LONG, 1)).sha256).toBe(
    sha256(LONG),
  );
});

test('with a site go its objects', async () => {
  await sweep();
  const before = names();
  const { client, at } = await place();
  await attach(client, at, LONG);
  await db()('environments')
    .where({ token: at.token })
    .update({ deleted_at: new Date(Date.now() - 3_600_000) });
  await eraseDeletedSites(db(), server.service.context.log, new Date());
  expect(await sweep()).toBe(2);
  expect(newSince(before)).toEqual([]);
});

test('other storage takes new files, and older ones are read from where they are', async () => {
  const { client, at } = await place();
  const { attachment_id } = await attach(client, at, LONG);
  const before = names();
  const { databaseUrl } = server;
  const back = await startServer({
    databaseUrl,
    variables: { ...bucket.variables, FILES_STORE: 'database', ROLE: 'api' },
  });
  const without = await startServer({ databaseUrl, variables: { ROLE: 'api' } });
  try {
    const at2 = await place(back);
    const later = await attach(at2.client, at2.at, LONG);
    expect(newSince(before)).toEqual([]);
    const ask = async ({ url, service }: TestServer, file: typeof at, id: string) => {
      const { token } = file;
      const { user_id } = await db()('members')
        .join('environments', 'environments.id', 'members.environment_id')
        .where('environments.token', token)
        .first('members.user_id');
      const { token: bearer } = await service.context.tokens.issue(user_id);
      return fetch(`${url}/api/cookies/${token}/dsar/${file.request_id}/attachments/${id}/content`, {
        headers: { Authorization: `Bearer ${bearer}` },
      });
    };
    for (const reader of [server, back])
      expect((await bytesOf(ask(reader, at, attachment_id))).equals(LONG)).toBe(true);
    for (const reader of [server, back, without])
      expect((await bytesOf(ask(reader, at2.at, later.attachment_id))).equals(LONG)).toBe(true);
    expect((await ask(without, at, attachment_id)).status).toBe(503);
  } finally {
    await back.stop();
    await without.stop();
  }
});

test('with another key what the database holds is sealed anew, and nothing in the bucket changes', async () => {
  const { client, at } = await place();
  const { attachment_id } = await attach(client, at, LONG);
  const before = bucket.asked.length;
  const key = Buffer.alloc(32, 7).toString('base64');
  const next = Buffer.alloc(32, 8).toString('base64');
  const results = await reseal(db(), new Vault(next, [key]));
  expect(results.find(({ table }) => table === 'attachment_parts')?.changed).toBeGreaterThan(1);
  await reseal(db(), new Vault(key, [next]));
  expect(bucket.asked.length).toBe(before);
  expect((await bytesOf(client.downloadAttachment({ ...at, attachment_id }))).equals(LONG)).toBe(true);
});
