import { randomUUID } from 'node:crypto';
import canonicalize from 'canonicalize';
import { BundleRow } from '../../server/src/db/models';
import * as canonical from '../../server/src/domain/ledger/canonical';
import { zipOf } from '../../server/src/ledger/pack/zip';
import { readPack } from '../helpers/ledger/read-pack';
import { useServer } from '../helpers/server';
import { vendor } from '../helpers/site/vendors';

const server = useServer({ variables: { ROLE: 'api' } });

const COLUMNS = { texts: 'texts', vendors: 'vendors', settings: 'config' } as const;

/** What is made canonical in pieces, and how many rounds the event loop had made before. */
function watchPieces(): { made: { text: string; round: number }[]; end(): void } {
  const made: { text: string; round: number }[] = [];
  let round = 0;
  let next = setImmediate(function turn() {
    round += 1;
    next = setImmediate(turn);
  });
  const { canonicalPieces } = canonical;
  const spy = jest.spyOn(canonical, 'canonicalPieces').mockImplementation((value) => {
    made.push({ text: canonicalize(value) as string, round });
    return canonicalPieces(value);
  });
  const end = () => {
    clearImmediate(next);
    spy.mockRestore();
  };
  return { made, end };
}

test('a file of a bundle is written for its hash and for its content only, and others have a turn before each', async () => {
  const { client, token } = await server.site();
  const { db } = server.service.context;
  await client.replaceVendors({ token, body: { vendors: [vendor(1, 'Maps')] } });
  const { hash } = await client.generateBundle({ token });
  const body = { session_id: randomUUID(), decision: 'accept_all' as const, bundle_hash: hash };
  await server.visitor.logConsent({ token, body });
  const { made, end } = watchPieces();
  const pack = readPack(await (await client.exportEvidence({ token })).arrayBuffer());
  end();
  const row = await BundleRow.query(db).findOne({ hash }).throwIfNotFound();
  for (const [name, column] of Object.entries(COLUMNS)) {
    const text = canonicalize(row[column]) as string;
    expect(Buffer.from(pack.files[`bundles/${hash}.${name}.json`] as Uint8Array).toString()).toBe(text);
    expect(made.filter((one) => one.text === text)).toHaveLength(2);
  }
  expect(pack.records('bundle')).toHaveLength(1);
  const rounds = made.filter(({ text }) => !text.startsWith('{"avow":1,')).map((one) => one.round);
  expect(rounds).toHaveLength(6);
  expect(new Set(rounds).size).toBe(6);
});

test('an archive has the same bytes, however small the pieces are that its files come in', async () => {
  const text = Array.from({ length: 40_000 }, (_, n) => `{"id":${n},"name":"Vendor ${n * 7919}"}`).join(',');
  const bytesOf = async (size: number): Promise<Buffer> => {
    async function* files() {
      const count = Math.ceil(text.length / size);
      const content = Array.from({ length: count }, (_, n) => text.slice(n * size, (n + 1) * size));
      yield { name: 'a.json', content };
    }
    const parts: Uint8Array[] = [];
    for await (const part of zipOf(files(), new Date('2026-11-26T00:00:00Z'))) parts.push(part);
    return Buffer.concat(parts);
  };
  const whole = await bytesOf(text.length);
  for (const size of [100, 65_536, 70_001]) expect((await bytesOf(size)).equals(whole)).toBe(true);
});
