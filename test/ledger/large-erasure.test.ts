import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { ErasureNote } from '../../server/src/db/erasure-log';
import { erasedDigest, noteErased, provenDigest } from '../../server/src/db/ledger/erased-notes';
import { groupKeyOf } from '../../server/src/db/ledger/group-key';
import { auditedHead } from '../../server/src/ledger/audit/audited-head';
import type { Audited } from '../../server/src/ledger/audit/audited-site';
import { Findings } from '../../server/src/ledger/audit/findings';
import { judgeStretch } from '../../server/src/ledger/audit/judge-stretch';
import { auditSamples } from '../../server/src/ledger/audit/sample';
import { decide, sealAll } from '../helpers/ledger/sealed-site';
import { useServer } from '../helpers/server';

jest.setTimeout(60_000);

const server = useServer({ variables: { ROLE: 'api' } });
const metrics = { compared: () => undefined, damaged: () => undefined };
const db = (): Knex => server.service.context.db;

const commitments = (count: number): string[] =>
  Array.from({ length: count }, () => randomBytes(32).toString('hex'));
const digestOf = (all: readonly string[]): string =>
  createHash('sha256')
    .update(Buffer.from([...all].sort().join(''), 'hex'))
    .digest('hex');

test('what an erasure took is sealed in one order, however many notes it has', async () => {
  const { token } = await server.site();
  const { id } = await db()('environments').where({ token }).first('id');
  const note = ErasureNote.ofRule(db(), id, 'consents', new Date());
  await note.begin();
  const notes: string[][] = [];
  const gone = (): string[] => notes.flat();
  const add = (next: string[]): Promise<void> =>
    db().transaction(async (trx) => {
      notes.push(next);
      await noteErased(trx, id, note.erasureId, next);
    });
  const digests = (): Promise<(string | undefined)[]> =>
    db().transaction(async (trx) => [
      await erasedDigest(trx, id, note.erasureId),
      await provenDigest(trx, id, note.erasureId),
    ]);
  for (const size of [1, 12_000, ...Array<number>(98).fill(2)]) await add(commitments(size));
  // What one statement sorts, and then some more, in parts of very different sizes.
  expect(await digests()).toEqual(Array(2).fill(digestOf(gone())));
  for (let n = 0; n < 130; n += 1) await add(commitments(n % 7 === 0 ? 300 : 1));
  // The same one twice, as two records may have been removed with one.
  await add([...commitments(1), notes[0]?.[0] as string]);
  expect(await digests()).toEqual(Array(2).fill(digestOf(gone())));
  const early = await db().transaction((trx) => erasedDigest(trx, id, note.erasureId, 150));
  expect(early).toBe(digestOf(notes.slice(0, 150).flat()));
  await db()('ledger_erased').where({ environment_id: id, n: 180 }).delete();
  expect(await db().transaction((trx) => erasedDigest(trx, id, note.erasureId))).toBe(
    digestOf(notes.filter((_, at) => at !== 179).flat()),
  );
});

test('what was erased is found behind the notes of many others', async () => {
  const { client, token } = await server.site();
  const { id } = await db()('environments').where({ token }).first('id');
  const session_id = randomUUID();
  await decide(server, token, session_id);
  await sealAll(server);
  await client.eraseSession({ token, session_id });
  await sealAll(server);
  const others = Array.from({ length: 450 }, () => commitments(1));
  await db().transaction(async (trx) => {
    for (const gone of others) await noteErased(trx, id, '00000000-0000-8000-8000-000000000001', gone);
  });
  const sampled = async (hours: number): Promise<string | null> => {
    const at = new Date(Date.now() + hours * 3_600_000);
    const work = { db: db(), log: server.service.context.log, metrics };
    await auditSamples(work, at, new AbortController().signal);
    return (await db()('ledger_audits').where({ environment_id: id }).first('problem')).problem;
  };
  expect(String(await sampled(2))).not.toMatch(/deleted/);
  await db()('ledger_erased')
    .where({ environment_id: id })
    .whereNot({ erasure_id: '00000000-0000-8000-8000-000000000001' })
    .delete();
  // Of old leaves only some are looked at: now all are new again.
  await db()('ledger_audits').where({ environment_id: id }).update({ size: 0 });
  expect(await sampled(30)).toMatch(/deleted: leaf \d+: no record, and no erasure/);
});

test('a search of many notes ends with its job, and with a bound', async () => {
  const { client, token } = await server.site();
  const { id } = await db()('environments').where({ token }).first('id');
  const session_id = randomUUID();
  await decide(server, token, session_id);
  await sealAll(server);
  await client.eraseSession({ token, session_id });
  await sealAll(server);
  const others = Array.from({ length: 450 }, () => commitments(1));
  await db().transaction(async (trx) => {
    for (const gone of others) await noteErased(trx, id, '00000000-0000-8000-8000-000000000001', gone);
  });
  const { size } = await db()('ledger_heads').where({ environment_id: id }).first('size');
  const about = async (trx: Knex, ends: AbortController, most: number) => {
    const findings = new Findings();
    let searches = 0;
    trx.on('query', ({ sql }: { sql: string }) => {
      if (/generate_series/.test(sql) && ++searches === most) ends.abort(new Error('ended'));
    });
    const groupKey = groupKeyOf(trx);
    const head = await auditedHead(trx, id, { findings, groupKey });
    const audited: Audited = {
      ...{ trx, site: { id, token }, head, findings, groupKey, imported: 0, signal: ends.signal },
      progress: () => undefined,
    };
    return { audited, findings, searches: () => searches };
  };
  const whole = { from: 0, to: Number(size) };
  await db().transaction(async (trx) => {
    const { audited, searches } = await about(trx, new AbortController(), 0);
    expect(await judgeStretch(audited, whole)).toBe(true);
    expect(searches()).toBe(3);
  });
  await db().transaction(async (trx) => {
    const { audited, searches } = await about(trx, new AbortController(), 1);
    await expect(judgeStretch(audited, whole)).rejects.toThrow('ended');
    expect(searches()).toBe(1);
  });
  await db().transaction(async (trx) => {
    const { audited, findings, searches } = await about(trx, new AbortController(), 0);
    expect(await judgeStretch({ ...audited, mostNotes: 400 }, whole)).toBe(false);
    expect([searches(), findings.total]).toEqual([2, 0]);
  });
});
