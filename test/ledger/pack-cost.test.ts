import crypto from 'node:crypto';
import { headOf } from '../../server/src/db/ledger/heads';
import { hashesIn } from '../../server/src/domain/ledger/hash';
import { proveBelow } from '../../server/src/ledger/proofs';
import { RememberingReader } from '../../server/src/ledger/tile-reader';
import { growLog, headOfSite } from '../helpers/ledger/grow';
import { useServer } from '../helpers/server';

// Nothing is sealed but what the tests seal.
const server = useServer({ variables: { ROLE: 'api' } });
const db = () => server.service.context.db;

test('the records of a tile are proven with the hashes of their tile, each computed once', async () => {
  const { token } = await server.site();
  const size = await growLog(server, token, 600);
  const { id } = await headOfSite(server, token);
  const head = await headOf(db(), id);
  const { first_at } = await db()('ledger_segments').where({ environment_id: id }).first('first_at');
  const rows = await db()('ledger_entries').where({ environment_id: id }).orderBy('bundle');
  const leaves = rows.flatMap(({ commitments }) => hashesIn(commitments));
  expect(leaves).toHaveLength(size);
  const log = new RememberingReader(db(), id);
  const hash = jest.spyOn(crypto, 'hash');
  const places = [];
  for (const leaf of leaves)
    places.push(await proveBelow(log, head as NonNullable<typeof head>, leaf.toString('hex'), first_at));
  const hashes = hash.mock.calls.length;
  hash.mockRestore();
  // Each of the three tiles has at most 511, and a proof joins the parts of the last one.
  expect(hashes).toBeGreaterThan(0);
  expect(hashes).toBeLessThan(3 * 512 + 4 * size);
  expect(places.map((place) => place?.leaf)).toEqual(leaves.map((_, leaf) => leaf));
});
