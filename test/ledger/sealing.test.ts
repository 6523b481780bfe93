import { randomUUID } from 'node:crypto';
import { CONSENT_KEY, type ConsentKey, hiddenConsents } from '../../server/src/db/ledger/erased';
import { statementOfConsent } from '../../server/src/db/ledger/records';
import { commitmentOf } from '../../server/src/domain/ledger/commitment';
import { leafHash, nodeHash } from '../../server/src/domain/ledger/hash';
import { readCheckpoint } from '../../server/src/domain/ledger/note';
import { proveLeaf } from '../../server/src/ledger/proofs';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

const server = useServer({ variables: { SEAL_SECONDS: '1' } });

/** The root that an inclusion proof leads to (RFC 9162 §2.1.3.2). */
function rootBy(leaf: number, size: number, hash: Buffer, proof: readonly Buffer[]): Buffer {
  let [fn, sn, root] = [leaf, size - 1, hash];
  for (const part of proof) {
    if (fn % 2 === 1 || fn === sn) {
      root = nodeHash(part, root);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
    } else root = nodeHash(root, part);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  if (sn !== 0) throw new Error('the proof is too short');
  return root;
}

// Six hundred decisions, each checked against the contract, take half a minute on a busy machine.
jest.setTimeout(120_000);

const decide = (token: string, n: number) =>
  server.visitor.logConsent({
    token,
    body: {
      session_id: randomUUID(),
      decision: n % 2 === 0 ? 'accept_all' : 'reject_all',
      page_url: `https://shop.example.com/é/${n % 5}`,
    },
  });

test('every decision becomes one leaf, which its record and blinding prove', async () => {
  const { token } = await server.site();
  const { db } = server.service.context;
  const { id } = await db('environments').where({ token }).first('id');
  for (let sent = 0; sent < 600; sent += 50)
    await Promise.all(Array.from({ length: 50 }, (_, n) => decide(token, n)));
  await until('all is sealed', async () => {
    const log = await server.visitor.getEvidenceLog({ token });
    return !log.behind && (log.size ?? 0) >= 601;
  });
  const log = await server.visitor.getEvidenceLog({ token });
  expect(log.size).toBe(601);
  const keys: ConsentKey[] = await db('consents')
    .where({ environment_id: id })
    .select([...CONSENT_KEY]);
  const hidden = await hiddenConsents(db, id, keys);
  expect(hidden).toHaveLength(600);
  const leaves = new Set<number>();
  for (const { row, blinding } of hidden) {
    const commitment = commitmentOf(blinding, statementOfConsent(token, row));
    const found = await proveLeaf(db, id, commitment, row.recorded_at);
    if (found === undefined) throw new Error('a record has no leaf');
    leaves.add(found.leaf);
    const root = rootBy(found.leaf, found.head.size, leafHash(Buffer.from(commitment, 'hex')), found.proof);
    expect(root.toString('base64')).toBe(log.root);
  }
  expect(leaves.size).toBe(600);
  const [key] = log.keys;
  const publicKey = Buffer.from(String(key?.vkey.split('+').slice(2).join('+')), 'base64').subarray(1);
  const note = await (await fetch(`${server.url}/ledger/${token}/checkpoint`)).text();
  expect(note).toBe(log.checkpoint);
  expect(readCheckpoint(note, String(log.origin), publicKey)).toEqual({
    ...{ origin: log.origin, size: 601, root: Buffer.from(String(log.root), 'base64') },
  });
});
