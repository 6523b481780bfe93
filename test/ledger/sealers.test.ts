import { generateKeyPairSync, randomBytes, randomUUID, verify } from 'node:crypto';
import type { Knex } from 'knex';
import { readConfig } from '../../server/src/config';
import { connect, hostsOf } from '../../server/src/db/knex';
import { sealFact } from '../../server/src/db/ledger/facts';
import { groupKeyOf, keyAt } from '../../server/src/db/ledger/group-key';
import { pendingRows } from '../../server/src/db/ledger/pending';
import { migrate } from '../../server/src/db/migrate';
import { EMPTY_ROOT, hashesIn, leafHash } from '../../server/src/domain/ledger/hash';
import { importMac } from '../../server/src/domain/ledger/import-state';
import {
  bytesOf,
  publicKeyOf,
  readCheckpoint,
  signCheckpoint,
  successionText,
} from '../../server/src/domain/ledger/note';
import { defaultSettings } from '../../server/src/domain/settings';
import { auditSite } from '../../server/src/ledger/audit';
import { openGroupKey } from '../../server/src/ledger/group-secret';
import { currentKey, rotateKey } from '../../server/src/ledger/keys';
import { resealLogKeys } from '../../server/src/ledger/lost-key';
import { proveGrowth } from '../../server/src/ledger/proofs';
import { Sealer } from '../../server/src/ledger/seal';
import type { SealedPart } from '../../server/src/ledger/seal-site';
import { viewLog } from '../../server/src/ledger/view';
import { createLogger } from '../../server/src/observability/logger';
import { Vault } from '../../server/src/security/vault';
import { insertEnvironment } from '../../server/src/services/environments';
import { hold, waitingForLocks } from '../helpers/cluster/instruments';
import { cloneDatabase } from '../helpers/database';
import { rootOfEntries, rootsByConsistency } from '../helpers/ledger/verify';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let db: Knex;
const vault = new Vault(Buffer.alloc(32, 7).toString('base64'));
const log = createLogger('silent');
const SHOWN = { isPublished: true, isMember: false, config: readConfig({}) };

beforeEach(async () => {
  database = await cloneDatabase();
  db = connect(database.url, 8);
  await openGroupKey(db, vault);
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

const site = () =>
  insertEnvironment(db, {
    name: 'Shop',
    domain: 'shop.example',
    settings: defaultSettings(),
    createdBy: null,
  });

function sealer(parts: SealedPart[] = [], pool = db): Sealer {
  return new Sealer({
    db: pool,
    log,
    vault,
    publicUrl: () => 'https://consent.example.com',
    onSealed: (part) => parts.push(part),
  });
}

const fact = (environmentId: string, n: number) => ({
  ...{ environmentId, kind: 'breach' as const, subject: randomUUID(), keep: true, record: { n } },
});

const headOf = async (id: string): Promise<{ origin: string; note: string }> =>
  db('ledger_heads').where({ environment_id: id }).first('origin', 'note');

test('two sealers at once give every leaf one place', async () => {
  const { id } = await site();
  for (let n = 0; n < 40; n += 1) await db.transaction((trx) => sealFact(trx, fact(id, n)));
  const parts: SealedPart[] = [];
  await Promise.all([1, 2, 3].map(() => sealer(parts).run()));
  expect(parts.reduce((sum, { leaves }) => sum + leaves, 0)).toBe(41);
  expect(await viewLog(db, id, SHOWN)).toMatchObject({ size: 41, behind: false });
  const [entries] = await db('ledger_entries').where({ environment_id: id });
  const commitments = entries.commitments.toString('hex').match(/.{64}/g);
  expect(new Set(commitments).size).toBe(41);
  // One segment, though there were forty-one groups.
  expect(await db('ledger_segments').where({ environment_id: id })).toHaveLength(1);
});

test('sealers of several processes take turns with the transactions of one site, while others write', async () => {
  const { id } = await site();
  await sealer().run();
  const at = new Date().toISOString();
  // More than three transactions seal.
  for (let group = 0; group < 12; group += 1) {
    const leaves = Array.from({ length: 4_500 }, () => randomBytes(32).toString('hex'));
    const [row] = pendingRows(
      groupKeyOf(db),
      leaves.map((commitment) => ({ environment_id: id, at, commitment })),
    );
    const bytes = (hex = ''): Buffer => Buffer.from(hex.slice(2), 'hex');
    await db('ledger_pending').insert({ ...row, leaves: bytes(row?.leaves), mac: bytes(row?.mac) });
  }
  const pools = [1, 2, 3].map(() => connect(database.url, 2));
  const byPool: SealedPart[][] = pools.map(() => []);
  try {
    for (const pool of pools) await openGroupKey(pool, vault);
    // All of them stand before the door when it opens.
    const free = await hold(
      database.url,
      `SELECT FROM ledger_heads WHERE environment_id = '${id}' FOR UPDATE`,
    );
    const runs = Promise.all(pools.map((pool, n) => sealer(byPool[n], pool).run()));
    await until('all of them wait', async () => (await waitingForLocks(database.url)) >= pools.length);
    await free();
    await Promise.all([runs, ...Array.from({ length: 20 }, (_, n) => sealFact(db, fact(id, n)))]);
  } finally {
    for (const pool of pools) await pool.destroy();
  }
  const waiting: { leaves: Buffer }[] = await db('ledger_pending').where({ environment_id: id });
  await sealer(byPool[0]).run();
  const parts = byPool.flat().filter(({ leaves }) => leaves > 0);
  expect(byPool.filter((some) => some.some(({ leaves }) => leaves > 0)).length).toBeGreaterThan(1);
  expect(parts.reduce((sum, { leaves }) => sum + leaves, 0)).toBe(12 * 4_500 + 20);
  const size = 12 * 4_500 + 20 + 1;
  expect(waiting.length).toBeLessThanOrEqual(20);
  const rows: { commitments: Buffer }[] = await db('ledger_entries')
    .where({ environment_id: id })
    .orderBy('bundle');
  const entries = rows.flatMap(({ commitments }) => hashesIn(commitments));
  expect(entries).toHaveLength(size);
  expect(new Set(entries.map((entry) => entry.toString('hex'))).size).toBe(size);
  const head = await db('ledger_heads').where({ environment_id: id }).first();
  expect([Number(head.size), rootOfEntries(entries)]).toEqual([size, head.root]);
  // The segments follow one another without a gap.
  const segments = await db('ledger_segments').where({ environment_id: id }).orderBy('first_leaf');
  let next = 0;
  for (const { first_leaf, leaves } of segments) {
    expect(Number(first_leaf)).toBe(next);
    next += Number(leaves);
  }
  expect(next).toBe(size);
});

test('a transaction that is rolled back seals nothing, and one that fails while sealing leaves all for the next', async () => {
  const { id } = await site();
  await db
    .transaction(async (trx) => {
      await sealFact(trx, fact(id, 1));
      throw new Error('taken back');
    })
    .catch(() => undefined);
  await db.raw('ALTER TABLE ledger_segments ADD CONSTRAINT broken CHECK (leaves < 0) NOT VALID');
  await expect(sealer().run()).rejects.toThrow('broken');
  const left = await viewLog(db, id, SHOWN);
  expect([left.size ?? 0, left.behind]).toEqual([0, true]);
  await db.raw('ALTER TABLE ledger_segments DROP CONSTRAINT broken');
  await sealer().run();
  expect(await viewLog(db, id, SHOWN)).toMatchObject({ size: 1, behind: false });
});

test('a group that the server did not write is not sealed, and holds nothing else up', async () => {
  const { id } = await site();
  await db.transaction((trx) => sealFact(trx, fact(id, 1)));
  const [first] = await db('ledger_pending').where({ environment_id: id }).orderBy('group_id');
  const forged = [
    { ...first, group_id: '00000000-0000-7000-8000-000000000001' },
    { ...first, group_id: randomUUID(), leaves: Buffer.alloc(32, 1) },
  ];
  await db('ledger_pending').insert(forged);
  const parts: SealedPart[] = [];
  await sealer(parts).run();
  expect(parts.map(({ leaves, forged: refused }) => [leaves, refused.length])).toEqual([[2, 2]]);
  expect(await viewLog(db, id, SHOWN)).toMatchObject({ size: 2, behind: true });
});

describe('a log that somebody has changed in the database', () => {
  const bytes = (fill: number): Buffer => Buffer.alloc(32, fill);
  test.each<[string, (id: string) => PromiseLike<unknown>]>([
    [
      'a leaf at its end, and the head',
      async (id) => {
        await db.raw('UPDATE ledger_entries SET commitments = commitments || ? WHERE environment_id = ?', [
          ...[bytes(5), id],
        ]);
        await db('ledger_heads').where({ environment_id: id }).increment('size', 1);
      },
    ],
    [
      'another leaf in the place of one',
      (id) =>
        db.raw(
          'UPDATE ledger_entries SET commitments = ? || substring(commitments FROM 33) WHERE environment_id = ?',
          [...[bytes(6), id]],
        ),
    ],
    ['one leaf less', (id) => db('ledger_heads').where({ environment_id: id }).decrement('size', 1)],
    ['no leaves', (id) => db('ledger_entries').where({ environment_id: id }).delete()],
    [
      'a checkpoint of another key',
      async (id) => {
        const { origin, size, root } = await db('ledger_heads').where({ environment_id: id }).first();
        const { privateKey } = generateKeyPairSync('ed25519');
        const note = signCheckpoint({ origin, size: Number(size), root }, privateKey);
        await db('ledger_heads').where({ environment_id: id }).update({ note });
      },
    ],
    [
      'another public key beside the private one',
      async (id) => {
        const { origin } = await db('ledger_heads').where({ environment_id: id }).first();
        const { privateKey } = generateKeyPairSync('ed25519');
        const root = leafHash(bytes(7));
        const note = signCheckpoint({ origin, size: 1, root }, privateKey);
        await db('ledger_keys').update({ public_key: bytesOf(privateKey) });
        await db('ledger_entries')
          .where({ environment_id: id })
          .update({ commitments: bytes(7) });
        await db('ledger_heads').where({ environment_id: id }).update({ note, root, size: 1 });
      },
    ],
    [
      'a key that never was',
      (id) => db('ledger_heads').where({ environment_id: id }).update({ key_id: 'x' }),
    ],
    [
      'a key whose private part is gone',
      async (id) => {
        const { public_key } = await db('ledger_keys').first();
        const old = { key_id: randomUUID(), public_key, created_at: new Date(), retired_at: new Date() };
        await db('ledger_keys').insert(old);
        await db('ledger_heads').where({ environment_id: id }).update({ key_id: old.key_id });
      },
    ],
    [
      'another day of its import',
      (id) =>
        db('ledger_heads')
          .where({ environment_id: id })
          .update({ import_done: false, imported_on: new Date(0) }),
    ],
    [
      'the state of its import, with a code',
      (id) => {
        const cursor = { kind: 'erasure', after: null, records: 0 };
        const state = { environment_id: id, size: 3, imported_on: null, import_cursor: cursor };
        const import_mac = importMac(bytes(0), state);
        return db('ledger_heads')
          .where({ environment_id: id })
          .update({ import_done: false, import_cursor: JSON.stringify(cursor), import_mac });
      },
    ],
  ])('gets no signature: %s', async (_, change) => {
    const [{ id }, other] = [await site(), await site()];
    for (let n = 0; n < 3; n += 1) await sealFact(db, fact(id, n));
    await sealer().run();
    const tables = ['ledger_heads', 'ledger_entries', 'ledger_keys'];
    const [heads, entries, keys] = await Promise.all(tables.map((table) => db(table).select()));
    await change(id);
    for (const each of [id, other.id]) await sealFact(db, fact(each, 9));
    const before = await db('ledger_heads').where({ environment_id: id }).first();
    await expect(sealer().run()).rejects.toThrow('is not as this server signed it');
    expect(await db('ledger_heads').where({ environment_id: id }).first()).toEqual(before);
    expect(await db('ledger_pending').where({ environment_id: id })).toHaveLength(1);
    // The others go on.
    expect(await viewLog(db, other.id, SHOWN)).toMatchObject({ size: 2, behind: false });
    const own = <Row extends { environment_id: string }>(rows: Row[] = []): Row[] =>
      rows.filter(({ environment_id }) => environment_id === id);
    const [{ import_cursor: cursor, environment_id: _id, ...head }] = own(heads) as [Record<string, unknown>];
    const import_cursor = cursor && JSON.stringify(cursor);
    await db('ledger_heads')
      .where({ environment_id: id })
      .update({ ...head, import_cursor });
    await db('ledger_entries').where({ environment_id: id }).delete();
    await db('ledger_entries').insert(own(entries));
    await db('ledger_keys').update({ public_key: keys?.[0].public_key });
    await sealer().run();
    expect(await viewLog(db, id, SHOWN)).toMatchObject({ size: 5, behind: false });
  });
});

test('a log grows, and each head is proven to be the beginning of the next', async () => {
  const { id } = await site();
  const heads: { size: number; root: Buffer }[] = [];
  for (let round = 0; round < 6; round += 1) {
    for (let n = 0; n < 60; n += 1) await sealFact(db, fact(id, n));
    await sealer().run();
    const head = await db('ledger_heads').where({ environment_id: id }).first();
    heads.push({ size: Number(head.size), root: head.root });
  }
  const last = heads.at(-1);
  if (last === undefined) throw new Error('there is no head');
  expect(last.size).toBe(361);
  for (const { size, root } of heads.slice(0, -1)) {
    const proof = await proveGrowth(db, id, size, last.size);
    expect(rootsByConsistency(size, last.size, root, proof)).toEqual([root, last.root]);
  }
  expect(heads[0]?.root).not.toEqual(EMPTY_ROOT);
});

test('a new key signs every log, endorsed by the old one, which then is forgotten', async () => {
  const { id } = await site();
  const idle = await site();
  await sealer().run();
  const old = await currentKey(db, vault);
  await db.transaction((trx) => rotateKey(trx, vault));
  await sealFact(db, fact(id, 1));
  await Promise.all([sealer().run(), sealer().run()]);
  const next = await currentKey(db, vault);
  expect(next.id).not.toBe(old.id);
  for (const environmentId of [id, idle.id]) {
    const { keys, checkpoint, origin } = await viewLog(db, environmentId, SHOWN);
    expect(keys).toHaveLength(2);
    expect(keys[0]?.until).toBe(keys[1]?.from);
    const text = Buffer.from(successionText(String(origin), next.publicKey));
    const signature = Buffer.from(String(keys[0]?.successor_signature), 'base64');
    expect(verify(null, text, publicKeyOf(old.publicKey), signature)).toBe(true);
    expect(readCheckpoint(String(checkpoint), String(origin), next.publicKey)).toBeDefined();
  }
  await db('ledger_keys')
    .where({ key_id: old.id })
    .update({ retired_at: new Date(Date.now() - 7_200_000) });
  await sealer().run();
  expect((await db('ledger_keys').where({ key_id: old.id }).first()).sealed).toBeNull();
});

test('a new key signs the head anew that was handed out, and leaves one of another history as it is', async () => {
  const [own, other] = [await site(), await site()];
  await sealer().run();
  const old = await currentKey(db, vault);
  const foreign = signCheckpoint(
    { origin: (await headOf(other.id)).origin, size: 1, root: Buffer.alloc(32, 3) },
    old.key,
  );
  const handOut = async (id: string, note: string): Promise<void> =>
    void (await db('ledger_checkpoints').insert({ environment_id: id, size: 1, at: new Date(), note }));
  await handOut(own.id, (await headOf(own.id)).note);
  await handOut(other.id, foreign);
  const handedOut = async ({ id }: { id: string }): Promise<string> =>
    (await db('ledger_checkpoints').where({ environment_id: id }).first('note')).note;
  await db.transaction((trx) => rotateKey(trx, vault));
  await sealer().run();
  const renewed = (await headOf(own.id)).note;
  expect(readCheckpoint(renewed, (await headOf(own.id)).origin, old.publicKey)).toBeUndefined();
  expect([await handedOut(own), await handedOut(other)]).toEqual([renewed, foreign]);
  // The same when the key is lost.
  const without = new Vault(Buffer.alloc(32, 9).toString('base64'));
  expect(await resealLogKeys(db, without, true)).toMatchObject({ lost: 2 });
  expect((await headOf(own.id)).note).not.toBe(renewed);
  expect([await handedOut(own), await handedOut(other)]).toEqual([(await headOf(own.id)).note, foreign]);
});

test('a new SECRETS_KEY seals the key anew, and a lost one ends it', async () => {
  const { id, token } = await site();
  await sealFact(db, fact(id, 1));
  await sealer().run();
  const before = await currentKey(db, vault);
  const other = new Vault(Buffer.alloc(32, 8).toString('base64'), [Buffer.alloc(32, 7).toString('base64')]);
  expect(await resealLogKeys(db, other, false)).toEqual({ changed: 1, lost: 0 });
  expect((await currentKey(db, other)).id).toBe(before.id);
  const third = new Vault(Buffer.alloc(32, 9).toString('base64'));
  // The log is still signed by the one before, in the row of which something else stands that opens.
  const seed = vault.seal(Buffer.alloc(32, 5).toString('base64'));
  await db('ledger_keys').where({ key_id: before.id }).update({ sealed: seed });
  await db.transaction((trx) => rotateKey(trx, other));
  expect(await resealLogKeys(db, third, true)).toEqual({ changed: 0, lost: 2 });
  const after = await currentKey(db, third);
  expect(after.id).not.toBe(before.id);
  // The logs go on, by the word of the operator alone.
  const { keys, checkpoint, origin } = await viewLog(db, id, SHOWN);
  expect(keys?.at(-2)?.successor_signature).toBeNull();
  expect(readCheckpoint(String(checkpoint), String(origin), after.publicKey)).toBeDefined();
  const found = await db.transaction((trx) => auditSite(trx, { id, token }, { groupKey: groupKeyOf(db) }));
  expect([found.of('head'), found.of('key'), found.of('tree')]).toEqual([[], [], []]);
  await sealFact(db, fact(id, 2));
  await new Sealer({ db, log, vault: third, publicUrl: () => 'https://consent.example.com' }).run();
  expect(await viewLog(db, id, SHOWN)).toMatchObject({ behind: false });
});

test('of several first processes one makes the key and the secret', async () => {
  const empty = await cloneDatabase();
  const pools = [1, 2, 3].map(() => connect(empty.url, 2));
  try {
    for (const pool of pools) await migrate(pool);
    const keys = await Promise.all(pools.map((pool) => currentKey(pool, vault)));
    expect(new Set(keys.map(({ id }) => id)).size).toBe(1);
    await Promise.all(pools.map((pool) => openGroupKey(pool, vault)));
    expect(new Set(pools.map((pool) => keyAt(hostsOf(pool)).toString('hex'))).size).toBe(1);
  } finally {
    for (const pool of pools) await pool.destroy();
    await empty.drop();
  }
});
