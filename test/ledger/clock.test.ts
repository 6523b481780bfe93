import { randomUUID } from 'node:crypto';
import { verifyEvidence } from '../../sdk/src/verify';
import { CONSENT_KEY } from '../../server/src/db/ledger/erased';
import { proveGrowth, proveLeaf } from '../../server/src/ledger/proofs';
import { openConsents } from '../../server/src/ledger/statements';
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
