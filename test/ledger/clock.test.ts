import { randomUUID } from 'node:crypto';
import { verifyEvidence } from '../../sdk/src/verify';
import { ErasureNote } from '../../server/src/db/erasure-log';
import { CONSENT_KEY, goneConsents } from '../../server/src/db/ledger/erased';
import { groupKeyOf } from '../../server/src/db/ledger/group-key';
import { newId } from '../../server/src/domain/ids';
import { auditSite } from '../../server/src/ledger/audit';
import { proveGrowth, proveLeaf } from '../../server/src/ledger/proofs';
import { openConsents } from '../../server/src/ledger/statements';
import { unassignAll } from '../../server/src/services/dsar-assignees';
import { itIs } from '../helpers/at-time';
import { sealNow } from '../helpers/ledger/seal';
import { rootByInclusion, rootsByConsistency } from '../helpers/ledger/verify';
import { useServer } from '../helpers/server';

const server = useServer({ variables: { ROLE: 'api' } });
const HOUR = 3_600_000;
afterEach(() => jest.useRealTimers());

const decide = (token: string) =>
  server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'accept_all' } });

test('a clock that is set back and forth loses no leaf, and the order of the log is that of the sealing', async () => {
  const { client, token } = await server.site();
  const { db } = server.service.context;
  const { id } = await db('environments').where({ token }).first('id');
  const now = Date.now();
  const heads: { size: number; root: Buffer }[] = [];
  const dated: string[] = [];
  // Two hours back, then a day ahead, then right: in one group's time and over several heads.
  for (const offset of [0, -2 * HOUR, -2 * HOUR + 1, 24 * HOUR, 0]) {
    itIs(now + offset);
    for (let n = 0; n < 5; n += 1) dated.push((await decide(token)).recorded_at);
    if (offset !== -2 * HOUR) await sealNow(server);
    const head = await db('ledger_heads').where({ environment_id: id }).first();
    heads.push({ size: Number(head.size), root: head.root });
  }
  expect(new Set(dated.map((at) => at.slice(0, 13))).size).toBeGreaterThan(2);
  const keys = await db('consents').where({ environment_id: id }).select(CONSENT_KEY);
  const opened = await openConsents(db, id, keys);
  expect(opened).toHaveLength(25);
  const places = new Map<string, number>();
  for (const { commitment, at, subject } of opened) {
    const found = await proveLeaf(db, id, commitment, at);
    if (found === undefined) throw new Error(`a record of ${at.toISOString()} has no leaf`);
    const { leaf, head, proof } = found;
    expect(rootByInclusion(leaf, head.size, Buffer.from(commitment, 'hex'), proof)).toEqual(head.root);
    places.set(subject, leaf);
  }
  expect(new Set(places.values()).size).toBe(25);
  const [last] = heads.slice(-1);
  if (last === undefined) throw new Error('there is no head');
  for (const { size, root } of heads.filter((head) => head.size < last.size && head.size > 0)) {
    const proof = await proveGrowth(db, id, size, last.size);
    expect(rootsByConsistency(size, last.size, root, proof)).toEqual([root, last.root]);
  }
  // A pack of everything until beyond the wrong times.
  const to = new Date(now + 48 * HOUR).toISOString();
  const file = await (await client.exportEvidence({ token, to })).arrayBuffer();
  const { keys: published } = await server.visitor.getEvidenceLog({ token });
  const found = await verifyEvidence(new Uint8Array(file), { trustedKeys: [String(published[0]?.vkey)] });
  expect(found.steps.filter(({ ok }) => ok === false)).toEqual([]);
  expect(found).toMatchObject({ verdict: 'verified', records: { pending: 0, failed: 0 } });
  expect(found.records.proven).toBeGreaterThanOrEqual(25);
});

test('steps and erasures by a clock that was ahead, and by the right one after it, are no damage', async () => {
  const { client, token, userId } = await server.site();
  const { db, vault } = server.service.context;
  const unassign = () =>
    db.transaction((trx) => unassignAll(trx, { environment_id: id, user_id: userId }, undefined, 'left'));
  const { id } = await db('environments').where({ token }).first('id');
  const now = Date.now();
  itIs(now + HOUR);
  const { request_id } = await server.visitor.submitDsar({
    token,
    body: { request_type: 'access', email: 'ana@example.com' },
  });
  const erase = async (): Promise<void> => {
    // Of which an audit does not ask how old the records were.
    const note = ErasureNote.ofRule(db, id, 'requests', new Date(now));
    await decide(token);
    await note.inOne(async (trx, gone) => {
      const keys = await trx('consents').where({ environment_id: id }).select(CONSENT_KEY);
      gone.push(...(await goneConsents(trx, id, keys)));
      return { consents: await trx('consents').where({ environment_id: id }).delete() };
    });
    await note.finish(true);
  };
  await erase();
  await client.assignDsar({ token, request_id, body: { assignee: userId } });
  // Sealed with what follows by the right clock.
  itIs(now);
  const later = await server.visitor.submitDsar({
    token,
    body: { request_type: 'access', email: 'bea@example.com' },
  });
  const take = () => client.assignDsar({ token, request_id: later.request_id, body: { assignee: userId } });
  await take();
  await client.startDsar({ token, request_id });
  await erase();
  // Taken from whoever loses the right to work on it, in a statement for all of them.
  await unassign();
  // Beside one that is behind a step of the wrong clock, one that is not.
  await take();
  await sealNow(server);
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled', note: 'Sent.' } });
  await sealNow(server);
  const found = await db.transaction((trx) =>
    auditSite(trx, { id, token }, { groupKey: groupKeyOf(db), vault }),
  );
  expect(found.all()).toEqual([]);
  const statements = await db('ledger_facts').where({ environment_id: id, kind: 'dsar' }).pluck('statement');
  expect(statements.filter((text) => text.includes('"altered"'))).toEqual([]);
  // None comes before the one before it.
  const { history } = await db('dsar_requests').where({ request_id }).first('history');
  const times = history.map(({ at }: { at: string }) => at);
  expect(times).toEqual([...times].sort());
});

test('steps of processes whose clocks differ by milliseconds are sealed in their order', async () => {
  const { client, token, userId } = await server.site();
  const { db, vault } = server.service.context;
  const { id } = await db('environments').where({ token }).first('id');
  const now = Date.now();
  /** It is this instant for another process, which has made no id of it. */
  const itIsElsewhere = (at: number): void => {
    itIs(at - 10_000);
    newId();
    itIs(at);
  };
  // The first process stores what will seal a step two milliseconds after the step.
  const goesOn = ({ sql }: { sql: string }): void => {
    if (sql.startsWith('insert into "ledger_facts"')) itIs(now + 2);
  };
  // In the same millisecond chance orders ids.
  for (const ahead of [1, ...Array(12).fill(0)]) {
    itIs(now);
    if (ahead > 0) db.on('query', goesOn);
    const body = { request_type: 'access', email: 'ana@example.com' } as const;
    const { request_id } = await server.visitor.submitDsar({ token, body });
    db.off('query', goesOn);
    itIsElsewhere(now + ahead);
    await client.assignDsar({ token, request_id, body: { assignee: userId } });
    itIsElsewhere(now - 3);
    await client.startDsar({ token, request_id });
  }
  itIs(now + HOUR);
  await sealNow(server);
  const found = await db.transaction((trx) =>
    auditSite(trx, { id, token }, { groupKey: groupKeyOf(db), vault }),
  );
  expect(found.all()).toEqual([]);
});

test('a banner is sealed behind the vendors that it names, also by a process whose clock is behind', async () => {
  const { client, token } = await server.site();
  const now = Date.now();
  itIs(now + HOUR);
  await client.replaceVendors({ token, body: { vendors: [] } });
  itIs(now);
  const { hash } = await client.generateBundle({ token });
  const session_id = randomUUID();
  const body = { session_id, decision: 'accept_all' as const, bundle_hash: hash };
  const { consent_id } = await server.visitor.logConsent({ token, body });
  await sealNow(server);
  const pack = await (await client.exportEvidence({ token, consent_id })).arrayBuffer();
  const { steps } = await verifyEvidence(pack);
  const said = steps.filter(({ what }) => what.startsWith('vendors 1, which a record names'));
  expect(said.map(({ ok, what }) => [ok, what.slice(-11)])).toEqual([[true, 'in the file']]);
});
