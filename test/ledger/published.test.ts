import { randomUUID } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import type { Knex } from 'knex';
import { sealFact } from '../../server/src/db/ledger/facts';
import { lockHead } from '../../server/src/db/ledger/heads';
import { leafHash, nodeHash } from '../../server/src/domain/ledger/hash';
import { LogFiles } from '../../server/src/ledger/files';
import { bearerOf } from '../helpers/http/contract-requests';
import { decide } from '../helpers/ledger/sealed-site';
import { rootOfEntries } from '../helpers/ledger/verify';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

const server = useServer({ variables: { SEAL_SECONDS: '1' } });

/** A site with so many leaves. */
async function logged(leaves: number) {
  const site = await server.site();
  const { db } = server.service.context;
  const { id } = await db('environments').where({ token: site.token }).first('id');
  await db.transaction(async (trx) => {
    for (let n = 1; n < leaves; n += 1)
      await sealFact(trx, {
        environmentId: id,
        kind: 'breach',
        subject: randomUUID(),
        record: { n },
        keep: true,
      });
  });
  await until('all is sealed', async () => {
    const log = await server.visitor.getEvidenceLog({ token: site.token });
    return !log.behind && log.size === leaves;
  });
  return { ...site, id };
}

const get = (token: string, path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/ledger/${token}/${path}`, { headers });
const bytesAt = async (token: string, path: string): Promise<Buffer> =>
  Buffer.from(await (await get(token, path)).arrayBuffer());

test('tiles and entries are those of the tree that the checkpoint names', async () => {
  const { token } = await logged(300);
  const full = await bytesAt(token, 'tile/entries/000');
  const rest = await bytesAt(token, 'tile/entries/001.p/44');
  expect([full.length, rest.length]).toEqual([256 * 34, 44 * 34]);
  const entries: Buffer[] = [];
  for (const bundle of [full, rest])
    for (let at = 0; at < bundle.length; at += 34) {
      expect(bundle.readUInt16BE(at)).toBe(32);
      entries.push(bundle.subarray(at + 2, at + 34));
    }
  const hashes = await bytesAt(token, 'tile/0/000');
  expect(hashes).toEqual(Buffer.concat(entries.slice(0, 256).map(leafHash)));
  expect(await bytesAt(token, 'tile/0/001.p/10')).toEqual(
    Buffer.concat(entries.slice(256, 266).map(leafHash)),
  );
  const above = await bytesAt(token, 'tile/1/000.p/1');
  expect(above).toEqual(rootOfEntries(entries.slice(0, 256)));
  const [, size, root] = (await (await get(token, 'checkpoint')).text()).split('\n');
  expect(size).toBe('300');
  expect(nodeHash(above, rootOfEntries(entries.slice(256))).toString('base64')).toBe(root);
});

test('what never changes may be kept for good, and what grows for seconds, by any origin', async () => {
  const { token } = await logged(257);
  const full = await get(token, 'tile/0/000');
  expect(Object.fromEntries(full.headers)).toMatchObject({
    ...{ 'cache-control': 'public, max-age=31536000, immutable', 'content-type': 'application/octet-stream' },
    ...{ 'access-control-allow-origin': '*', 'content-length': '8192' },
  });
  for (const path of ['checkpoint', 'tile/0/001.p/1'])
    expect((await get(token, path)).headers.get('cache-control')).toBe('public, max-age=5');
  const again = await get(token, 'tile/0/000', { 'If-None-Match': String(full.headers.get('etag')) });
  expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
  const head = await fetch(`${server.url}/ledger/${token}/tile/0/000`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '8192']);
});

test.each([
  '',
  'nothing',
  'tile/0/001',
  'tile/0/000.p/257',
  'tile/0/000.p/6',
  'tile/1/000',
  'tile/0/1',
  'tile/0/%2e%2e',
  'tile/0/000/',
  'tile/63/000',
  'tile/entries/x999/x999/x999/x999/999',
])('there is no file %j', async (path) => {
  const { token } = await small();
  const answer = await get(token, path);
  expect([path, answer.status]).toEqual([path, 404]);
});

let kept: Awaited<ReturnType<typeof logged>> | undefined;
const small = async () => {
  kept ??= await logged(5);
  return kept;
};

test('of an unknown site there is nothing, in plain text', async () => {
  for (const token of [`env_${'0'.repeat(22)}`, 'env_short', '..%2f..']) {
    const answer = await get(token, 'checkpoint');
    expect([answer.status, (await answer.text()).length > 0]).toEqual([404, true]);
  }
  const answer = await get(`env_${'0'.repeat(22)}`, 'checkpoint');
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
});

test('a log that is not published is for its members, with what says how many records there are', async () => {
  const { client, token, userId } = await logged(3);
  const stranger = await server.site();
  await client.updateEnvironment({ token, body: { settings: { publish_evidence_log: false } } });
  await until('it is hidden', async () => (await get(token, 'checkpoint')).status === 404);
  const bearer = async (user: number): Promise<string> => `Bearer ${await bearerOf(server, user)}`;
  const own = { Authorization: await bearer(userId) };
  expect((await get(token, 'checkpoint', { Authorization: await bearer(stranger.userId) })).status).toBe(404);
  const shown = await get(token, 'checkpoint', own);
  expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  // Whether records wait, and whether there were some before the log, says when a site is used.
  const { db } = server.service.context;
  const { id } = await db('environments').where({ token }).first('id');
  const imported_on = new Date('2026-01-02T03:04:05Z');
  await db('ledger_heads').where({ environment_id: id }).update({ imported_on });
  const held = await db.transaction();
  try {
    await lockHead(held, id);
    await decide(server, token);
    const told = { behind: true, imported_on: imported_on.toISOString() };
    expect(await client.getEvidenceLog({ token })).toMatchObject(told);
    expect(await server.visitor.getEvidenceLog({ token })).toMatchObject({
      ...{ published: false, size: null, root: null, checkpoint: null, keys: [expect.any(Object)] },
      ...{ behind: false, imported_on: null, sealed_at: null, url: null, witnesses: [], timestamps: [] },
    });
  } finally {
    await held.rollback();
  }
  expect(await stranger.client.getEvidenceLog({ token })).toMatchObject({ size: null });
  expect(await client.getEvidenceLog({ token })).toMatchObject({
    published: false,
    size: expect.any(Number),
  });
  const { key } = await client.createKey({ body: { name: 'reads', scopes: ['consents:read'] } });
  const { key: other } = await client.createKey({ body: { name: 'reads not', scopes: ['dsar:read'] } });
  expect((await get(token, 'checkpoint', { Authorization: `Bearer ${key}` })).status).toBe(200);
  expect((await get(token, 'checkpoint', { Authorization: `Bearer ${other}` })).status).toBe(404);
  // For a chosen party: the log, and no record.
  const made = await client.createKey({ body: { name: 'auditor', site: token, scopes: ['log:read'] } });
  const Authorization = `Bearer ${made.key}`;
  for (const path of ['checkpoint', 'tile/0/000.p/1', 'tile/entries/000.p/1'])
    expect([path, (await get(token, path, { Authorization })).status]).toEqual([path, 200]);
  // Its owner sees that it is used.
  const keys = await client.listSiteKeys({ token });
  expect(keys.items.find(({ name }) => name === 'auditor')?.last_used).toMatchObject({
    day: expect.any(String),
  });
  const auditor = createAvow({ baseUrl: server.url, token: made.key });
  expect(await auditor.getEvidenceLog({ token })).toMatchObject({
    published: false,
    size: expect.any(Number),
  });
  for (const refused of [
    auditor.listConsents({ token }),
    auditor.exportEvidence({ token }),
    auditor.getEnvironment({ token }),
  ])
    await expect(refused).rejects.toMatchObject({ status: 403 });
  const site = await server.site();
  expect(await auditor.getEvidenceLog({ token: site.token })).toMatchObject({ published: true });
});

test('whoever copies a log waits behind themselves, and readers of other logs do not', async () => {
  const read: string[] = [];
  let running = 0;
  let most = 0;
  const db = (() => ({
    where: ({ environment_id }: { environment_id: string }) => ({
      first: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
        read.push(environment_id);
        return { size: '1', note: 'x' };
      },
    }),
  })) as unknown as Knex;
  const files = new LogFiles(db);
  const ask = (id: string, address: string) => files.find({ id, maker: id }, 'checkpoint', address);
  const copies = Array.from({ length: 60 }, () => ask('copied', '198.51.100.1'));
  const others = [ask('copied', '203.0.113.5'), ask('other', '198.51.100.1')];
  await Promise.all(others);
  // At most one of the copier's between each of the others.
  expect(read.length).toBeLessThan(6);
  await Promise.all(copies);
  expect([read.length, most]).toEqual([62, 1]);
  // What waits of one maker is bounded.
  const many = await Promise.allSettled(Array.from({ length: 150 }, () => ask('copied', '198.51.100.1')));
  const refused = many.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(40);
  expect(refused.every((one) => (one as PromiseRejectedResult).reason.status === 429)).toBe(true);
});

test('a pause of the site does not hide its log, and its end does', async () => {
  const { client, token } = await logged(2);
  await client.updateEnvironment({ token, body: { status: 'paused' } });
  await until('it is paused', async () => {
    const answer = await fetch(`${server.url}/api/preferences/${token}?session_id=${randomUUID()}`);
    return answer.status === 403;
  });
  expect((await get(token, 'checkpoint')).status).toBe(200);
  expect((await server.visitor.getEvidenceLog({ token })).size).not.toBeNull();
  await client.updateEnvironment({ token, body: { status: 'archived' } });
  await client.deleteEnvironment({ token, name: 'Example shop' });
  await until('it is gone', async () => (await get(token, 'checkpoint')).status === 404);
});
