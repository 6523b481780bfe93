import { randomUUID } from 'node:crypto';
import { zipSync } from 'fflate';
import { verifyEvidence } from '../../sdk/src/verify';
import { expectToHold } from '../helpers/ledger/held-receipt';
import { readPack } from '../helpers/ledger/read-pack';
import { sealAll } from '../helpers/ledger/sealed-site';
import { useServer } from '../helpers/server';
import { linkedSite } from '../helpers/site/linked';

jest.setTimeout(120_000);
const server = useServer({ variables: { ROLE: 'api', TRUST_PROXY: 'loopback' } });

/** A sealed site with a decision and what was taken from it. */
async function sealed() {
  const site = await linkedSite(server);
  const { session_id, consent_id } = await site.decide();
  const { consent_id: taken } = await site.take({ link: await site.link(session_id) });
  await sealAll(server);
  return { ...site, session_id, consent_id, taken };
}

test('a record that was taken along is sealed with the record of the decision, and one of before has the bytes of before', async () => {
  const { client, token, consent_id, taken, session_id } = await sealed();
  const proof = await client.getConsent({ token, consent_id: taken });
  expect(proof.evidence.status).toBe('sealed');
  const pack = await (await client.exportEvidence({ token, from: '2026-01-01' })).arrayBuffer();
  const statements = readPack(pack)
    .records('consent')
    .map(({ record }) => record);
  expect(statements.find((one) => one.consent_id === taken)).toMatchObject({
    ...{ linked_from: consent_id, method: 'link', session_id },
  });
  expect(statements.find((one) => one.consent_id === consent_id)).not.toHaveProperty('linked_from');
});

test('a pack with it is verified; one whose linked_from was changed, or taken away, fails', async () => {
  const { client, token, consent_id } = await sealed();
  const pack = await (await client.exportEvidence({ token, from: '2026-01-01' })).arrayBuffer();
  const { files, of } = readPack(pack);
  const trustedKeys = of('key').map(({ vkey }) => vkey);
  const verdictOf = async (text: string) => {
    const file = zipSync({ ...files, 'evidence.ndjson': Buffer.from(text) });
    return (await verifyEvidence(file, { trustedKeys })).verdict;
  };
  const text = Buffer.from(files['evidence.ndjson'] as Uint8Array).toString();
  const member = `\\"linked_from\\":\\"${consent_id}\\",`;
  expect(text).toContain(member);
  expect(await verdictOf(text)).toBe('verified');
  expect(await verdictOf(text.replace(member, member.replace(consent_id, randomUUID())))).toBe('failed');
  expect(await verdictOf(text.replace(member, ''))).toBe('failed');
});

test('its receipt holds, and none that names another record', async () => {
  const { token, taken, session_id } = await sealed();
  const receipt = await server.visitor.getConsentReceipt({ token, consent_id: taken, session_id });
  await expectToHold(receipt);
  const trustedKeys = receipt.evidence.keys.map(({ vkey }) => vkey);
  for (const linked_from of [randomUUID(), undefined]) {
    const forged = JSON.stringify({ ...receipt, linked_from });
    expect((await verifyEvidence(forged, { trustedKeys })).verdict).toBe('failed');
  }
  const statement = receipt.evidence.statement.replace(/"linked_from":"[^"]*",/, '');
  const { linked_from: _, ...bare } = receipt;
  const without = JSON.stringify({ ...bare, evidence: { ...receipt.evidence, statement } });
  expect((await verifyEvidence(without, { trustedKeys })).verdict).toBe('failed');
});

test('what is changed in the database is found', async () => {
  const { client, token, id, taken } = await sealed();
  const { db } = server.service.context;
  await db('consents').where({ environment_id: id, consent_id: taken }).update({ linked_from: randomUUID() });
  expect((await client.getConsent({ token, consent_id: taken })).evidence.status).toBe('unproven');
});
