import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Verification, verifyEvidence } from '../../sdk/src/verify';
import { ConsentRow } from '../../server/src/db/models';
import { idAt } from '../../server/src/domain/ids';
import { packWords } from '../../server/src/domain/ledger/pack-words';
import { hideConsents } from '../../server/src/ledger/pack/records';
import { readPack } from '../helpers/ledger/read-pack';
import { endChildren, runToEnd } from '../helpers/processes/child';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

// Packs and receipts of records that were changed or added behind the log's back.
const server = useServer({ variables: { SEAL_SECONDS: '1' } });
const db = () => server.service.context.db;
afterAll(endChildren);

const REASON = /it is not in the log: it, or its proof, was changed, added or removed/;

async function sealed(token: string): Promise<void> {
  await until('all is sealed', async () => {
    const { behind, size } = await server.visitor.getEvidenceLog({ token });
    return !behind && size !== null;
  });
}

/** A site in a language with two sealed decisions of a session. */
async function decided(language: string) {
  const { client, token } = await server.site({ languages: [language], default_language: language });
  const session_id = randomUUID();
  const decide = (decision: 'accept_all' | 'reject_all') =>
    server.visitor.logConsent({ token, body: { session_id, decision } });
  const first = await decide('accept_all');
  const { consent_id } = await decide('reject_all');
  await sealed(token);
  const exported = async (query: object) => {
    const bytes = await (await client.exportEvidence({ token, ...query })).arrayBuffer();
    const pack = readPack(bytes);
    const page = Buffer.from(pack.files['statement.html'] as Uint8Array).toString();
    return { bytes, pack, page, keys: pack.of('key').map(({ vkey }) => vkey as string) };
  };
  return { client, token, session_id, consent_id, genuine: first.consent_id, exported };
}

test('a record that is erased while a pack is made is left out of it, and is not called unproven', async () => {
  const { token, consent_id, genuine } = await decided('en');
  const { id } = await db()('environments').where({ token }).first('id');
  const rows = await ConsentRow.records(db()).where({ environment_id: id }).orderBy('recorded_at');
  await db()('consents').where({ environment_id: id, consent_id }).delete();
  const hidden = await hideConsents(db(), { id, token, importedOn: undefined }, rows);
  expect(rows).toHaveLength(2);
  expect(hidden.map(({ statement }) => JSON.parse(statement).record.consent_id)).toEqual([genuine]);
});

/** Adds a copy of a record with another id, as somebody with the database might. */
async function insertCopy(consent_id: string, changes: object = {}): Promise<string> {
  const row = await db()('consents').where({ consent_id }).first();
  const added = `${idAt(row.recorded_at).slice(0, 14)}7${randomUUID().slice(15)}`;
  const copy = Object.entries({ ...row, consent_id: added, ...changes }).map(([name, value]) => {
    const isJson =
      value !== null && typeof value === 'object' && !(value instanceof Date || Buffer.isBuffer(value));
    return [name, isJson ? JSON.stringify(value) : value];
  });
  await db()('consents').insert(Object.fromEntries(copy));
  return added;
}

/** The id of the record that somebody tampered with. */
const TAMPERINGS: [what: string, tamper: (consent_id: string) => Promise<string>][] = [
  [
    'an altered consent',
    async (consent_id) => {
      await db()('consents').where({ consent_id }).update({ ip_masked: '198.51.***.***' });
      return consent_id;
    },
  ],
  ['an inserted consent', (consent_id) => insertCopy(consent_id)],
  [
    'an inserted consent without a blinding',
    async (consent_id) => {
      const { environment_id } = await db()('consents').where({ consent_id }).first('environment_id');
      // While an import goes on, a record without one waits for it.
      const over = { import_done: true, import_cursor: null, import_mac: null };
      await db()('ledger_heads').where({ environment_id }).update(over);
      return insertCopy(consent_id, { blinding: null });
    },
  ],
];

const recordSteps = ({ steps }: Verification, id: string) =>
  steps.filter(({ step, what }) => step === 'record' && what.includes(id)).map(({ ok, what }) => [ok, what]);

describe.each(['en', 'he'])('in %s', (language) => {
  const words = packWords(language);

  test.each(TAMPERINGS)('the pack of %s says that it is not proven', async (_what, tamper) => {
    const { client, token, session_id, consent_id, genuine, exported } = await decided(language);
    const id = await tamper(consent_id);
    expect((await client.getConsent({ token, consent_id: id })).evidence.status).toBe('unproven');
    const { bytes, pack, page, keys } = await exported({ session_id });
    const lines = new Map(pack.records('consent').map(({ record, line }) => [record.consent_id, line]));
    expect(lines.get(id)).toMatchObject({ leaf: null, proof: null, unproven: true });
    expect(lines.get(id)).not.toHaveProperty('pending');
    expect(lines.get(genuine)).toMatchObject({ leaf: expect.any(Number) });
    expect(lines.get(genuine)).not.toHaveProperty('unproven');
    // The page to read: the sentence with its number, and the record by itself.
    expect(page).toContain(`<html lang="${language}"`);
    const [before = '', after = ''] = words.unproven.split('{n}');
    expect(page).toContain(`<p>${before}<bdi>1</bdi>${after}</p>`);
    const section = page.split('<section>').find((one) => one.includes(id));
    expect(section).toContain(`(${words.unproven_record})</h3>`);
    expect(page).not.toContain(words.waiting.split('{n}')[1]);
    expect(page).not.toContain(`(${words.not_sealed})`);
    const found = await verifyEvidence(bytes, { trustedKeys: keys });
    expect([found.verdict, found.records]).toMatchObject(['failed', { pending: 0, failed: 1 }]);
    expect(recordSteps(found, id)).toEqual([[false, expect.stringMatching(REASON)]]);
    expect(recordSteps(found, genuine)).toEqual([[true, expect.stringMatching(/leaf \d+ of the log/)]]);
  });
});

test('a pack of nothing but such a record claims no proof, and the command names it', async () => {
  const { consent_id, exported } = await decided('en');
  const id = await insertCopy(consent_id);
  const { bytes, pack } = await exported({ consent_id: id });
  expect(pack.records('consent').map(({ line }) => line.unproven)).toEqual([true]);
  const folder = await mkdtemp(join(tmpdir(), 'avow-unproven-'));
  const file = join(folder, 'pack.zip');
  writeFileSync(file, Buffer.from(bytes));
  const { code, output } = await runToEnd('server/cli/main.js', ['verify', file], {});
  await rm(folder, { recursive: true });
  expect(code).toBe(1);
  expect(output).toMatch(new RegExp(`^FAILED +record .*${id}.*: ${REASON.source}$`, 'm'));
  expect(output).toContain('0 not sealed yet, 1 failed');
});

test('what was sealed after the head of the pack, or is still to be, waits and is not accused', async () => {
  const { token, exported } = await decided('en');
  const { id } = await db()('environments').where({ token }).first('id');
  const held = await db().transaction();
  await held('ledger_heads').where({ environment_id: id }).forUpdate().first();
  const session_id = randomUUID();
  await server.visitor.logConsent({ token, body: { session_id, decision: 'accept_all' } });
  const { pack, page, bytes } = await exported({ session_id });
  await held.rollback();
  const [record] = pack.records('consent');
  expect(record?.line).toMatchObject({ leaf: null, proof: null, pending: true });
  expect(record?.line).not.toHaveProperty('unproven');
  expect(page).toContain(`(${packWords('en').not_sealed})`);
  expect((await verifyEvidence(bytes)).records).toMatchObject({ pending: 1, failed: 0 });
});

test('the receipt of an altered decision does not say that it waits', async () => {
  const { token, session_id, consent_id } = await decided('en');
  const ask = () => server.visitor.getConsentReceipt({ token, consent_id, session_id });
  expect((await ask()).evidence).not.toHaveProperty('unproven');
  await db()('consents').where({ consent_id }).update({ ip_masked: '198.51.***.***' });
  const receipt = await ask();
  expect(receipt.evidence).toMatchObject({ pending: false, unproven: true, leaf: null, checkpoint: null });
  const found = await verifyEvidence(JSON.stringify(receipt));
  expect([found.verdict, found.records.pending]).toEqual(['failed', 0]);
  expect(found.steps).toContainEqual(
    expect.objectContaining({ step: 'record', ok: false, what: expect.stringMatching(REASON) }),
  );
});
