import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { verifyEvidence } from '../../sdk/src/verify';
import { vkeyOfSite } from '../helpers/ledger/grow';
import { decide, sealAll } from '../helpers/ledger/sealed-site';
import { vouchOnce, witnessesOf } from '../helpers/ledger/vouch';
import { WitnessProcess } from '../helpers/ledger/witness';
import { endChildren } from '../helpers/processes/child';
import { type TestServer, useServer } from '../helpers/server';

jest.setTimeout(120_000);

// Each with a database, a key and a witness program of its own.
const NAMES = ['ada.example', 'bob.example'] as const;
const servers = NAMES.map((name) =>
  useServer({ variables: { ROLE: 'api', PUBLIC_URL: `https://consent.${name}` } }),
) as [TestServer, TestServer];
afterAll(endChildren);

type Site = Awaited<ReturnType<TestServer['site']>>;

const packOf = async ({ client, token }: Site): Promise<Uint8Array> =>
  new Uint8Array(await (await client.exportEvidence({ token })).arrayBuffer());

test('two operators witness each other, and the pack of each proves it by the other', async () => {
  const sites: Site[] = [];
  for (const server of servers) {
    const site = await server.site();
    await decide(server, site.token);
    await sealAll(server);
    sites.push(site);
  }
  const [ada, bob] = sites as [Site, Site];
  const vkeys = [await vkeyOfSite(servers[0], ada.token), await vkeyOfSite(servers[1], bob.token)] as const;
  // Each witness knows the log of the other operator only.
  const ofAda = await WitnessProcess.start([vkeys[1]], undefined, `witness.${NAMES[0]}`);
  const ofBob = await WitnessProcess.start([vkeys[0]], undefined, `witness.${NAMES[1]}`);
  expect(new Set([ofAda.vkey, ofBob.vkey]).size).toBe(2);
  const vouch = (minutes: number) =>
    Promise.all([
      vouchOnce(servers[0], { variables: { WITNESSES: witnessesOf(ofBob) }, minutes }),
      vouchOnce(servers[1], { variables: { WITNESSES: witnessesOf(ofAda) }, minutes }),
    ]);
  for (const metrics of await vouch(0))
    expect(metrics).toContain('avow_ledger_vouching_total{kind="witness",result="vouched"} 1');
  for (const { folder } of [ofAda, ofBob]) expect(readdirSync(join(folder, 'checkpoints'))).toHaveLength(1);

  const pairs = [
    [ada, vkeys[0], ofBob, ofAda],
    [bob, vkeys[1], ofAda, ofBob],
  ] as const;
  const verdict = async (site: Site, vkey: string, witness: WitnessProcess) =>
    (await verifyEvidence(await packOf(site), { trustedKeys: [vkey], witnesses: [witness.vkey] })).verdict;
  for (const [site, vkey, witness, stranger] of pairs) {
    expect(await verdict(site, vkey, witness)).toBe('verified');
    // Nobody vouches for his own log here.
    expect(await verdict(site, vkey, stranger)).toBe('incomplete');
  }

  // What grows is vouched for again.
  for (const [n, server] of servers.entries()) {
    await decide(server, (sites[n] as Site).token);
    await sealAll(server);
  }
  await vouch(61);
  for (const [site, vkey, witness] of pairs) expect(await verdict(site, vkey, witness)).toBe('verified');
});
