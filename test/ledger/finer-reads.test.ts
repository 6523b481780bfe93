import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { verifyEvidence } from '../../sdk/src/verify';
import { timeOfId } from '../../server/src/domain/ids';
import { giveForm, makeFiner } from '../helpers/ledger/finer';
import { readPack } from '../helpers/ledger/read-pack';
import { decide, sealAll } from '../helpers/ledger/sealed-site';
import { type Client, useServer } from '../helpers/server';

jest.setTimeout(60_000);

const server = useServer({ variables: { ROLE: 'api' } });

async function newSite() {
  const { client, token } = await server.site();
  const { id } = await server.service.context.db('environments').where({ token }).first('id');
  return { client, token, id };
}

async function verified(site: { client: Client; token: string }, asked: object): Promise<string[]> {
  const bytes = await (await site.client.exportEvidence({ token: site.token, ...asked })).arrayBuffer();
  const { keys } = await server.visitor.getEvidenceLog({ token: site.token });
  const found = await verifyEvidence(new Uint8Array(bytes), { trustedKeys: [String(keys[0]?.vkey)] });
  expect(found).toMatchObject({ verdict: 'verified', records: { pending: 0, failed: 0 } });
  return readPack(bytes)
    .of('record')
    .map(({ kind }) => String(kind));
}

test('such a record is read by its id, and stands in packs and receipts as it was sealed', async () => {
  const { client, token, id } = await newSite();
  const session_id = randomUUID();
  const { consent_id } = await decide(server, token, session_id);
  const { form_consent_id } = await giveForm(server, token);
  const next = await decide(server, token, session_id);
  await sealAll(server);
  await makeFiner(server, 'consents', id);
  await makeFiner(server, 'form_consents', id);
  const proof = await client.getConsent({ token, consent_id });
  expect(proof).toMatchObject({
    evidence: { status: 'sealed' },
    superseded_by: { consent_id: next.consent_id },
  });
  expect((await client.getConsent({ token, consent_id: next.consent_id })).superseded_by).toBeNull();
  expect((await client.getFormConsent({ token, form_consent_id })).evidence.status).toBe('sealed');
  const receipt = await server.visitor.getConsentReceipt({ token, consent_id, session_id });
  expect(receipt.evidence).toMatchObject({ pending: false });
  const count = async (asked: object) => {
    const kinds = await verified({ client, token }, asked);
    return ['consent', 'form_consent'].map((one) => kinds.filter((kind) => kind === one).length);
  };
  expect(await count({ consent_id })).toEqual([1, 0]);
  expect(await count({ form_consent_id })).toEqual([0, 1]);
  expect(await count({ session_id })).toEqual([2, 0]);
  expect(await count({})).toEqual([2, 1]);
});

test('nothing stands twice in a pack, a file or a list, and nothing is left out', async () => {
  const { db } = server.service.context;
  const { client, token, id } = await newSite();
  // One more than is read at once.
  await Promise.all(Array.from({ length: 201 }, () => decide(server, token)));
  await sealAll(server);
  await makeFiner(server, 'consents', id);
  const kinds = await verified({ client, token }, {});
  expect(kinds.filter((kind) => kind === 'consent')).toHaveLength(201);
  const now = Date.now();
  // Pairs within one millisecond.
  const ids = Array.from({ length: 900 }, (_, n) => v7({ msecs: now + Math.floor(n / 2) }));
  await db.raw(
    `INSERT INTO consents SELECT (jsonb_populate_record(NULL::consents, to_jsonb(c) || jsonb_build_object(
       'consent_id', id, 'recorded_at', at::timestamptz + interval '1 microsecond' * (300 + n % 2)))).*
     FROM (SELECT * FROM consents WHERE environment_id = ? LIMIT 1) AS c,
       unnest(?::uuid[], ?::text[]) WITH ORDINALITY AS made (id, at, n)`,
    [id, ids, ids.map((one) => timeOfId(one).toISOString())],
  );
  const file = await (await client.exportConsents({ token })).text();
  const exported = file
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(exported).toHaveLength(1_101);
  expect(new Set(exported.map(({ consent_id }) => consent_id)).size).toBe(1_101);
  expect(exported[0]).not.toHaveProperty('place');
  const listed: string[] = [];
  for (let cursor: string | undefined; listed.length < 1_200; ) {
    const page = await client.listConsents({ token, limit: 199, ...(cursor && { cursor }) });
    listed.push(...page.items.map(({ consent_id }) => consent_id));
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed).toHaveLength(1_101);
  for (let n = 0; n < 101; n += 1) await giveForm(server, token);
  await makeFiner(server, 'form_consents', id);
  const forms = (await (await client.exportFormConsents({ token })).text()).trim().split('\n');
  expect(forms).toHaveLength(101);
  expect(new Set(forms).size).toBe(101);
});
