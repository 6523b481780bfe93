import { verifyEvidence } from '../../sdk/src/verify';
import { readPack } from '../helpers/ledger/read-pack';
import { sealAll } from '../helpers/ledger/sealed-site';
import { useServer } from '../helpers/server';
import { openTest, view } from '../helpers/site/two-banners';

const server = useServer({ variables: { ROLE: 'api' } });

test('the log seals the version that a visitor saw, and the pack shows it', async () => {
  const { client, token, a, b } = await openTest(server, {
    layout: 'bar',
    texts: { en: { title: 'May we?' } },
  });
  await view(server, token, a, 'reject_all');
  await view(server, token, b, 'accept_all');
  await sealAll(server);
  const bytes = await (await client.exportEvidence({ token })).arrayBuffer();
  const pack = readPack(bytes);
  const seen = pack.records('consent').map(({ record, line }) => [record.bundle_hash, typeof line.leaf]);
  expect(seen).toEqual([
    [a, 'number'],
    [b, 'number'],
  ]);
  // Both bundles are sealed and in the pack, each with what it showed.
  expect(
    pack
      .records('bundle')
      .map(({ record }) => record.hash)
      .sort(),
  ).toEqual([a, b].sort());
  const json = (name: string) => JSON.parse(Buffer.from(pack.files[name] as Uint8Array).toString());
  expect(json(`bundles/${a}.settings.json`).test).toMatchObject({ version: 'a', b: { hash: b } });
  expect(json(`bundles/${b}.settings.json`)).toMatchObject({ layout: 'bar', test: { version: 'b' } });
  expect(json(`bundles/${b}.texts.json`).en.title).toBe('May we?');
  const { steps, verdict } = await verifyEvidence(new Uint8Array(bytes));
  expect(steps.filter(({ ok }) => ok === false)).toEqual([]);
  expect(verdict).not.toBe('failed');
});

test('a pack of one record of version B has the bundle of version A, too, whose script ran', async () => {
  const { token, client, a, b } = await openTest(server);
  const consent_id = (await view(server, token, b, 'accept_all')) as string;
  await sealAll(server);
  const bytes = await (await client.exportEvidence({ token, consent_id })).arrayBuffer();
  const pack = readPack(bytes);
  expect(
    pack
      .records('bundle')
      .map(({ record }) => record.hash)
      .sort(),
  ).toEqual([a, b].sort());
  expect(Object.keys(pack.files)).toContain(`bundles/${a}.settings.json`);
  const { steps } = await verifyEvidence(new Uint8Array(bytes));
  expect(steps.filter(({ ok }) => ok === false)).toEqual([]);
});
