import { createHash } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import { strFromU8, unzipSync } from 'fflate';
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
