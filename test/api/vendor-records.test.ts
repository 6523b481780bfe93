import { randomUUID } from 'node:crypto';
import { statementOfConsent } from '../../server/src/db/ledger/records';
import { ConsentRow } from '../../server/src/db/models';
import { PROGRAM } from '../helpers/banner/program';
import { expectToHold } from '../helpers/ledger/held-receipt';
import { useServer } from '../helpers/server';
import { ASKED_LIST } from '../helpers/site/vendors';
import { until } from '../helpers/until';
import { INWARD, startReceiver } from '../helpers/webhooks/receiver';

jest.setTimeout(60_000);
const server = useServer({ program: PROGRAM, variables: { ...INWARD, SEAL_SECONDS: '1' } });

async function publish() {
  const site = await server.site({ choice_by_vendor: true });
  const { client, token } = site;
  await client.replaceVendors({ token, body: { vendors: ASKED_LIST } });
  const { hash: bundle_hash } = await client.generateBundle({ token });
  const log = (vendors?: object, session_id = randomUUID(), decision = 'save_preferences') =>
    server.visitor.logConsent({
      token,
      body: {
        ...{ session_id, decision, bundle_hash },
        ...(vendors && { categories: { analytics: true }, vendors }),
      } as never,
    });
  return { ...site, log };
}

const MIXED = { 755: false, 1201: true };

test('the choice by vendor is in the record, its list, its exports, its proof, its leaf and its receipt', async () => {
  const { client, token, log } = await publish();
  const without = await server.visitor.logConsent({
    token,
    body: { session_id: randomUUID(), decision: 'reject_all' },
  });
  const records = [await log(MIXED), await log(MIXED)];
  // One of a kind holds its texts; a later one names a word.
  await until('a record that names a word', async () => {
    const record = await log(MIXED);
    records.push(record);
    const db = server.service.context.db('consents').where({ consent_id: record.consent_id });
    return (await db.whereNotNull('kind')).length === 1;
  });
  for (const one of records) expect(one.vendors).toEqual(MIXED);
  expect('vendors' in without).toBe(false);
  const { items } = await client.listConsents({ token });
  expect(items).toEqual([...records].reverse().concat(without));
  const lines = (await (await client.exportConsents({ token })).text()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([without, ...records]);
  const csv = (await (await client.exportConsents({ token, format: 'csv' })).text()).trim().split(/\r?\n/);
  expect(csv[0]?.endsWith(',region,rule,vendors,linked_from')).toBe(true);
  expect(csv[1]?.endsWith(',,')).toBe(true);
  expect(csv.at(-1)?.endsWith(',"{""755"":false,""1201"":true}",')).toBe(true);

  const rows = await ConsentRow.records(server.service.context.db).whereIn(
    'consent_id',
    [without, ...records].map(({ consent_id }) => consent_id),
  );
  for (const record of [without, records[0], records.at(-1)] as typeof records) {
    const { consent_id, session_id } = record;
    await until('the record to be sealed', async () => {
      const proof = await client.getConsent({ token, consent_id });
      expect(proof).toMatchObject(record);
      return proof.evidence.status === 'sealed';
    });
    const receipt = await server.visitor.getConsentReceipt({ token, consent_id, session_id });
    expect(JSON.parse(receipt.evidence.statement).record.vendors).toEqual(record.vendors);
    const row = rows.find((one) => one.consent_id === consent_id) as ConsentRow;
    expect(statementOfConsent(token, row)).toBe(receipt.evidence.statement);
    expect(statementOfConsent(token, { ...row, vendors: { 755: true } } as never)).not.toBe(
      receipt.evidence.statement,
    );
    expect(receipt.recipients.map(({ name, consent }) => [name, consent])).toEqual([
      ['Plays', record === without ? undefined : 'given'],
      ['Ads and Counts', record === without ? undefined : 'refused'],
      ['Hosts', undefined],
      ['Nowhere', undefined],
    ]);
    await expectToHold(receipt);
  }
});

test('preferences have the choice by vendor of the latest decision, in texts and by its word', async () => {
  const { token, log } = await publish();
  const session_id = randomUUID();
  const now = async () => server.visitor.getPreferences({ token, session_id });
  expect('vendors' in (await now())).toBe(false);
  await log(MIXED, session_id);
  expect((await now()).vendors).toEqual(MIXED);
  await until('a choice that names a word', async () => {
    await log(MIXED, session_id);
    expect((await now()).vendors).toEqual(MIXED);
    const words = server.service.context.db('session_choices').where({ session_id });
    return (await words.whereNotNull('kind')).length === 1;
  });
  await log(undefined, session_id, 'reject_all');
  expect((await now()).vendors).toEqual({ 755: false, 1201: false });
  await server.visitor.logConsent({ token, body: { session_id, decision: 'accept_all' } });
  expect('vendors' in (await now())).toBe(false);
});

test('events have the choice by vendor only where the banner asked for it', async () => {
  const receiver = await startReceiver();
  try {
    const { client, token, log } = await publish();
    const { webhook_id } = await client.createWebhook({ token, body: { url: receiver.url, events: '*' } });
    await log(MIXED);
    await server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'accept_all' } });
    const sent = (await receiver.until(2)).map(({ body }) => JSON.parse(body));
    const of = (event: string) => sent.find((one) => one.event === event)?.data;
    expect(of('consent.save_preferences').vendors).toEqual(MIXED);
    expect(Object.keys(of('consent.accept_all'))).toEqual(['session_id', 'ip_masked', 'categories']);
    await client.testWebhook({ token, webhook_id, body: { event: 'consent.save_preferences' } });
    const example = JSON.parse((await receiver.until(3)).at(-1)?.body ?? '');
    expect(example.data.vendors).toEqual({ 1: true, 2: false });
  } finally {
    await receiver.stop();
  }
});

test('a later decision that refuses an allowed vendor withdraws a consent', async () => {
  const { client, token, log } = await publish();
  const session_id = randomUUID();
  const { consent_id } = await log(MIXED, session_id);
  const withdrawnAt = async () => (await client.getConsent({ token, consent_id })).withdrawn_at;
  await log({ 755: true, 1201: true }, session_id);
  expect(await withdrawnAt()).toBe(null);
  const later = await log({ 755: true, 1201: false }, session_id);
  expect(await withdrawnAt()).toBe(later.recorded_at);
  const receipt = await server.visitor.getConsentReceipt({ token, consent_id, session_id });
  expect(receipt.status).toBe('withdrawn');
});

test('a receipt names vendors by number that the list does not have', async () => {
  const { token } = await publish();
  const session_id = randomUUID();
  const body = {
    session_id,
    decision: 'save_preferences',
    categories: {},
    vendors: { 99: true, 755: false },
  };
  const { consent_id } = await server.visitor.logConsent({ token, body: body as never });
  const { recipients } = await server.visitor.getConsentReceipt({ token, consent_id, session_id });
  expect(recipients.map(({ name, consent }) => [name, consent])).toContainEqual(['99', 'given']);
});

test('a receipt of an allowed vendor alone is of a consent', async () => {
  const { token, log } = await publish();
  const session_id = randomUUID();
  const statusOf = async (vendors: object) => {
    const { consent_id } = await log({ ...vendors }, session_id);
    return (await server.visitor.getConsentReceipt({ token, consent_id, session_id })).status;
  };
  expect(await statusOf({ 755: false, 1201: true })).toBe('given');
});

test('what a session chose is erased with it', async () => {
  const { client, token, log } = await publish();
  const session_id = randomUUID();
  await log(MIXED, session_id);
  await client.eraseSession({ token, session_id });
  const { decision, vendors } = await server.visitor.getPreferences({ token, session_id });
  expect([decision, vendors]).toEqual([null, undefined]);
  expect(await server.service.context.db('consents').where({ session_id })).toEqual([]);
});
