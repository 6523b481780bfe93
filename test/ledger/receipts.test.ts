import { randomUUID } from 'node:crypto';
import { verifyEvidence } from '../../sdk/src/verify';
import { raw } from '../helpers/http/raw';
import { expectToHold } from '../helpers/ledger/held-receipt';
import { rootOfRecord } from '../helpers/ledger/read-pack';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

const server = useServer({ variables: { SEAL_SECONDS: '1' } });

const decide = (token: string, session_id: string, body: object = {}) =>
  server.visitor.logConsent({ token, body: { session_id, decision: 'accept_all', ...body } });

test('the controller of a receipt is that of the decision, with how to reach it now; an earlier one by its name', async () => {
  const { client, token } = await server.site({
    controller: { name: 'Example Ltd', email: 'old@example.org' },
  });
  const session_id = randomUUID();
  const body = { session_id, decision: 'accept_all' as const };
  const { consent_id } = await server.visitor.logConsent({ token, body });
  const controllerAfter = async (controller: object) => {
    await client.updateEnvironment({ token, body: { settings: { controller } } });
    return (await server.visitor.getConsentReceipt({ token, consent_id, session_id })).controller;
  };
  const moved = { name: 'Example Ltd', email: 'new@example.org' };
  expect(await controllerAfter(moved)).toEqual(moved);
  const sold = { name: 'Buyer Ltd', email: 'buyer@example.org' };
  expect(await controllerAfter(sold)).toEqual({ name: 'Example Ltd' });
});

test('a controller without a name is told of until settings change, and then no other one in its place', async () => {
  for (const name of [{}, { name: '' }]) {
    const controller = { ...name, email: 'old@example.org' };
    const { client, token } = await server.site({ controller });
    const session_id = randomUUID();
    const { consent_id } = await decide(token, session_id);
    const told = async () =>
      (await server.visitor.getConsentReceipt({ token, consent_id, session_id })).controller;
    expect(await told()).toEqual(controller);
    const buyer = { ...name, email: 'buyer@example.org', phone: '+49 30 1' };
    await client.updateEnvironment({ token, body: { settings: { controller: buyer } } });
    expect(await told()).toEqual(name);
  }
});

test('a visitor gets a receipt of the own decision, and the proof once it is sealed', async () => {
  const { token } = await server.site({ controller: { name: 'Example Ltd' } });
  const session_id = randomUUID();
  const { consent_id, recorded_at } = await decide(token, session_id, {
    decision: 'save_preferences',
    categories: { analytics: true },
  });
  const ask = () => server.visitor.getConsentReceipt({ token, consent_id, session_id });
  const receipt = await until('it is sealed', async () => {
    const given = await ask();
    return given.evidence.pending ? undefined : given;
  });
  expect(receipt).toMatchObject({
    ...{ consent_id, session_id, decided_at: recorded_at, status: 'given', lawful_basis: 'consent' },
    controller: { name: 'Example Ltd' },
  });
  const consents = Object.fromEntries(receipt.purposes.map(({ key, consent }) => [key, consent]));
  expect(consents).toMatchObject({ necessary: null, analytics: 'given', marketing: 'refused' });
  expect(receipt.notice.title).not.toBe('');
  const { evidence } = receipt;
  expect(JSON.parse(evidence.statement)).toMatchObject({
    ...{ avow: 1, kind: 'consent', site: token, record: { consent_id, session_id } },
  });
  const [origin, size, root] = String(evidence.checkpoint).split('\n');
  expect(origin).toBe(evidence.origin);
  expect(rootOfRecord(evidence, Number(size))).toBe(root);
  expect(evidence.keys).toHaveLength(1);
  await expectToHold(receipt);
});

test('a later withdrawal shows in the receipt', async () => {
  const { token } = await server.site();
  const session_id = randomUUID();
  const { consent_id } = await decide(token, session_id);
  const refusal = await decide(token, session_id, { decision: 'reject_all' });
  const receiptOf = (id: string) => server.visitor.getConsentReceipt({ token, consent_id: id, session_id });
  expect(await receiptOf(consent_id)).toMatchObject({ status: 'withdrawn' });
  expect(await receiptOf(refusal.consent_id)).toMatchObject({ status: 'refused' });
});

test('a receipt says who recorded the decision, and the verifier too, also of one from before it did', async () => {
  const { token, client } = await server.site();
  const session_id = randomUUID();
  const visitor = { address: '203.0.113.7' };
  const body = { session_id, decision: 'accept_all', visitor } as const;
  const { consent_id } = await client.logConsentForVisitor({ token, body });
  const receipt = await until('it is sealed', async () => {
    const given = await server.visitor.getConsentReceipt({ token, consent_id, session_id });
    return given.evidence.pending ? undefined : given;
  });
  expect(receipt.recorded_by).toBe('owner');
  const trustedKeys = receipt.evidence.keys.map(({ vkey }) => vkey);
  const judge = async (one: object) => {
    const { verdict, steps } = await verifyEvidence(JSON.stringify(one), { trustedKeys });
    return [verdict, steps.some(({ what }) => what.includes("recorded by the owner's program"))];
  };
  expect(await judge(receipt)).toEqual(['verified', true]);
  const { recorded_by: _, ...before } = receipt;
  expect(await judge(before)).toEqual(['verified', true]);
  expect((await judge({ ...receipt, recorded_by: 'visitor' }))[0]).toBe('failed');
  const own = await decide(token, session_id);
  const ofVisitor = await until('it is sealed', async () => {
    const given = await server.visitor.getConsentReceipt({ token, session_id, consent_id: own.consent_id });
    return given.evidence.pending ? undefined : given;
  });
  expect(ofVisitor.recorded_by).toBe('visitor');
  expect(await judge(ofVisitor)).toEqual(['verified', false]);
});

test('without the own session, or for another site, there is no receipt', async () => {
  const [one, other] = [await server.site(), await server.site()];
  const session_id = randomUUID();
  const { consent_id } = await decide(one.token, session_id);
  const ask = (token: string, id: string, session: string) =>
    server.visitor.getConsentReceipt({ token, consent_id: id, session_id: session });
  await expect(ask(one.token, consent_id, randomUUID())).rejects.toMatchObject({ status: 404 });
  await expect(ask(one.token, randomUUID(), session_id)).rejects.toMatchObject({ status: 404 });
  await expect(ask(other.token, consent_id, session_id)).rejects.toMatchObject({ status: 404 });
});

test('a page of any origin may ask', async () => {
  const { token } = await server.site();
  const session_id = randomUUID();
  const { consent_id } = await decide(token, session_id);
  const url = `${server.url}/api/consents/${token}/${consent_id}/receipt?session_id=${session_id}`;
  const response = await fetch(url, { headers: { Origin: 'https://elsewhere.example' } });
  expect(response.status).toBe(200);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
});

describe('what one address may be given', () => {
  const limits = { perAddress: 60, perSite: 1_000 };
  const limited = useServer({ limits, variables: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } });

  /** The paths of the receipt of a decision on a new site. */
  async function decided(settings: object = {}) {
    const { token } = await limited.site(settings);
    const session_id = randomUUID();
    const body = { session_id, decision: 'accept_all' as const };
    const { consent_id } = await limited.visitor.logConsent({ token, body });
    return {
      token,
      given: `/api/consents/${token}/${consent_id}/receipt?session_id=${session_id}`,
      saved: `/api/receipts/${token}?session_id=${session_id}`,
    };
  }
  const ask = async (path: string, address: string) =>
    (await raw(limited.url, { path, headers: { 'X-Forwarded-For': address } })).status;
  /** How many are answered until the address must wait: in a window of a minute, or in two. */
  async function askOften(paths: readonly string[], address: string): Promise<number> {
    for (let n = 0; n < 60; n += 1)
      if ((await ask(paths[n % paths.length] as string, address)) === 429) return n;
    return Infinity;
  }

  test.each([
    ['given', '203.0.113.1'],
    ['saved', '203.0.113.2'],
  ] as const)('few receipts (%s), over all sites, and its decisions as before', async (kind, address) => {
    const [one, other] = [await decided(), await decided()];
    const answered = await askOften([one[kind], other[kind]], address);
    expect(answered).toBeGreaterThan(0);
    // Each counts as five, and its size besides.
    expect(answered).toBeLessThanOrEqual((2 * 60) / 5);
    expect(await ask(one[kind], '203.0.113.9')).toBe(200);
    expect(await ask(`/api/preferences/${one.token}?session_id=${randomUUID()}`, address)).toBe(200);
  });

  test.each([
    ['given', '203.0.113.3'],
    ['saved', '203.0.113.4'],
  ] as const)('fewer large ones (%s)', async (kind, address) => {
    const description = 'x'.repeat(1_000);
    const categories = Array.from({ length: 30 }, (_, n) => ({
      ...{ key: `purpose_${n}`, name: `Purpose ${n}`, description, required: n === 0 },
    }));
    const site = await decided({ categories });
    // 30 KB are seven requests more.
    expect(await askOften([site[kind]], address)).toBeLessThanOrEqual((2 * 60) / (5 + 7));
  });
});
