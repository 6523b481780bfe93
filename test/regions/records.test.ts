import { randomUUID } from 'node:crypto';
import { statementOfConsent } from '../../server/src/db/ledger/records';
import { ConsentRow } from '../../server/src/db/models';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { expectToHold } from '../helpers/ledger/held-receipt';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

jest.setTimeout(60_000);
const server = useServer({ variables: { SEAL_SECONDS: '1' } });
const ON = { regions: { rules: 'law' } } as const;

const compact = (bundle_hash: string | undefined, more: object) => ({
  event_id: randomUUID(),
  session_id: randomUUID(),
  decision: 'reject_all' as const,
  ...(bundle_hash && { bundle_hash }),
  ...more,
});

/** Each decision twice, because the second names a word. */
async function twice(work: () => Promise<unknown>): Promise<void> {
  await work();
  await new Promise((resolve) => setTimeout(resolve, 200));
  await work();
}

test('regions are switched off only with a new policy version: what was left on is no consent', async () => {
  const { client, token } = await server.site({ regions: { rules: 'law' } });
  const off = (more: object) =>
    client.updateEnvironment({ token, body: { settings: { regions: null, ...more } } });
  await expect(off({})).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'body.settings.policy_version' }],
  });
  expect((await off({ policy_version: 'next' })).settings.regions).toBeNull();
  await off({});
});

test('region and rule are in the record, its list, its export, its proof, its leaf and its receipt', async () => {
  const { client, token } = await server.site(ON);
  const { hash } = await client.generateBundle({ token });
  const place = { region: 'US-CA', rule: 'opt_out' } as const;
  await twice(() => server.visitor.recordVisitorConsent({ token, body: compact(hash, place) }));
  await server.visitor.recordVisitorConsent({ token, body: compact(hash, { rule: 'opt_in' }) });
  await server.visitor.recordVisitorConsent({ token, body: compact(hash, {}) });
  const { items } = await client.listConsents({ token });
  expect(items.map(({ region, rule }) => [region, rule])).toEqual([
    [undefined, undefined],
    [undefined, 'opt_in'],
    ['US-CA', 'opt_out'],
    ['US-CA', 'opt_out'],
  ]);
  expect('region' in (items[0] ?? {})).toBe(false);
  const lines = (await (await client.exportConsents({ token })).text()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line)).map(({ region, rule }) => [region, rule])).toEqual([
    ['US-CA', 'opt_out'],
    ['US-CA', 'opt_out'],
    [undefined, 'opt_in'],
    [undefined, undefined],
  ]);
  const csv = (await (await client.exportConsents({ token, format: 'csv' })).text()).trim().split(/\r?\n/);
  // At the end, so that programs which read columns by their place go on.
  expect(csv[0]?.endsWith('expires_at,region,rule,vendors,linked_from')).toBe(true);
  expect([csv[1], csv[3], csv[4]].map((line) => line?.split(',').slice(-4, -2))).toEqual([
    ['US-CA', 'opt_out'],
    ['', 'opt_in'],
    ['', ''],
  ]);
  const db = server.service.context.db;
  const rows = await ConsentRow.records(db).orderBy('recorded_at', 'desc').limit(4);
  expect(rows.map(({ region, rule }) => [region, rule])).toContainEqual(['US-CA', 'opt_out']);
  for (const item of items.slice(0, 3)) {
    const { consent_id, session_id } = item;
    await until('the record to be sealed', async () => {
      const { evidence } = await client.getConsent({ token, consent_id });
      return evidence.status === 'sealed';
    });
    const receipt = await server.visitor.getConsentReceipt({ token, consent_id, session_id });
    const { record } = JSON.parse(receipt.evidence.statement);
    // The leaf covers what the record says, and nothing where it says nothing.
    expect([record.region, record.rule]).toEqual([item.region, item.rule]);
    const row = rows.find((one) => one.consent_id === consent_id) as ConsentRow;
    expect(statementOfConsent(token, row)).toBe(receipt.evidence.statement);
    expect(statementOfConsent(token, { ...row, rule: 'notice' } as ConsentRow)).not.toBe(
      receipt.evidence.statement,
    );
    expect([receipt.region, receipt.rule]).toEqual([item.region, item.rule]);
    expect(receipt.lawful_basis).toBe(item.rule === 'opt_out' ? null : 'consent');
    await expectToHold(receipt);
    // What a program that reads JSON-LD is told.
    const meaning = JSON.stringify(receipt['@context']);
    if (item.rule !== 'opt_out') expect(meaning).toContain('dpv:ConsentGiven');
    else expect(meaning).not.toMatch(/dpv:\w*(Consent|Withdraw)|gdpr:A6/);
  }
});

test('a proof says whether the bundle has the rule that the record states', async () => {
  const { client, token } = await server.site(ON);
  const { hash } = await client.generateBundle({ token });
  const judged = async (place: object) => {
    const { consent_id } = await server.visitor.recordVisitorConsent({ token, body: compact(hash, place) });
    return (await client.getConsent({ token, consent_id })).shown_bundle?.matches_rule;
  };
  expect(await judged({ region: 'US-CA', rule: 'opt_out' })).toBe(true);
  expect(await judged({ region: 'DE', rule: 'opt_in' })).toBe(true);
  expect(await judged({ rule: 'opt_in' })).toBe(true);
  // Stored as it was sent, because it may be a withdrawal.
  expect(await judged({ region: 'DE', rule: 'notice' })).toBe(false);
  expect(await judged({ rule: 'opt_out' })).toBe(false);
  expect(await judged({})).toBe(null);
  // The rules of the bundle count, not those that the site has now.
  await client.updateEnvironment({ token, body: { settings: { regions: null, policy_version: '2' } } });
  expect(await judged({ region: 'US-CA', rule: 'opt_out' })).toBe(true);
});

test('a program cannot state a rule that is laxer than the site’s', async () => {
  const on = await server.site(ON);
  const off = await server.site();
  const state = (token: string, place: object) =>
    server.visitor.logConsent({
      token,
      body: { session_id: randomUUID(), decision: 'accept_all', ...place } as never,
    });
  const preferences = (token: string, place: object) =>
    server.visitor.savePreferences({
      token,
      body: { session_id: randomUUID(), categories: {}, ...place } as never,
    });
  const owned = (place: object) =>
    on.client.logConsentForVisitor({
      token: on.token,
      body: {
        ...{ session_id: randomUUID(), decision: 'accept_all', visitor: { address: '203.0.113.9' } },
        ...place,
      } as never,
    });
  for (const place of [
    { region: 'DE', rule: 'opt_out' },
    { region: 'US-CA', rule: 'notice' },
    { rule: 'notice' },
  ]) {
    for (const refused of [state(on.token, place), preferences(on.token, place), owned(place)]) {
      const error = await refusal(refused);
      expect([error.status, pathsOf(error), error.errors[0]?.code]).toEqual([
        400,
        ['body.rule'],
        'region_rule',
      ]);
    }
  }
  expect((await refusal(state(off.token, { region: 'US-CA', rule: 'opt_out' }))).status).toBe(400);
  for (const place of [
    { region: 'US-CA', rule: 'opt_out' },
    { region: 'US-CA', rule: 'opt_in' },
    { region: 'JP' },
  ])
    expect(await state(on.token, place)).toMatchObject(place);
  for (const place of [{ region: 'germany' }, { region: 'US-CALIFORNIA' }, { rule: 'none' }])
    expect((await refusal(state(on.token, place))).status).toBe(400);
});

test('settings name unknown and repeated regions, and warnings name rules that are laxer than the law', async () => {
  const { client, token } = await server.site();
  const set = (overrides: object[]) =>
    client.updateEnvironment({
      token,
      body: { settings: { regions: { rules: 'law', overrides } as never } },
    });
  const error = await refusal(
    set([
      { region: 'XX', rule: 'opt_in' },
      { region: 'DE', rule: 'opt_in' },
      { region: 'US-ZZ', rule: 'opt_in' },
      { region: 'DE', rule: 'notice' },
    ]),
  );
  expect([error.status, pathsOf(error)]).toEqual([
    400,
    [0, 2, 3].map((index) => `body.settings.regions.overrides.${index}.region`),
  ]);
  expect(error.errors[0]?.message).toContain('XX is no region');
  const codes = async () =>
    (await client.generateBundle({ token })).warnings.filter(({ code }) => code === 'region_rule');
  expect(await codes()).toEqual([]);
  await set([{ region: 'US-NY', rule: 'opt_in' }]);
  expect(await codes()).toEqual([]);
  await set([
    { region: 'FR', rule: 'opt_out' },
    { region: 'US', rule: 'notice' },
  ]);
  const [warning] = await codes();
  expect(warning?.path).toBe('settings.regions.overrides');
  expect(warning?.message).toMatch(/^In FR, US, US-CA, .* and \d+ more the rules of this site are laxer/);
});

test('bundles, their hashes and their texts differ by the rules, and are as before without them', async () => {
  const { client, token } = await server.site();
  const plain = await client.generateBundle({ token });
  const script = async (hash: string) =>
    (await fetch(`${server.url}/api/bundles/${token}/${hash}.js`)).text();
  expect(await script(plain.hash)).not.toMatch(/do_not_sell|opt_out|\/region/);
  await client.updateEnvironment({ token, body: { settings: { ...ON } } });
  expect((await client.listWarnings({ token })).items.map(({ code }) => code)).toContain('bundle_outdated');
  const regional = await client.generateBundle({ token });
  expect(regional.warnings.filter(({ code }) => code === 'too_large')).toEqual([]);
  const { config } = await client.getBundleRecord({ token, hash: regional.hash });
  expect(config.regions).toMatchObject({ laws: expect.stringMatching(/^20/), opt_in: [] });
  expect(config.texts.en?.do_not_sell).toBe('Do not sell or share my personal information');
  expect(await script(regional.hash)).toContain('do_not_sell');
  await client.updateEnvironment({
    token,
    body: { settings: { regions: { rules: 'law', overrides: [{ region: 'US-NY', rule: 'opt_in' }] } } },
  });
  const stricter = await client.generateBundle({ token });
  expect(new Set([plain.hash, regional.hash, stricter.hash]).size).toBe(3);
  await client.updateEnvironment({ token, body: { settings: { regions: null, policy_version: '2' } } });
  const again = await client.getBundleRecord({ token, hash: plain.hash });
  expect('regions' in again.config).toBe(false);
  expect(Object.keys(again.config.texts.en ?? {})).not.toContain('ok');
});

test('the laws are public, cacheable, and say what holds elsewhere', async () => {
  const laws = await server.visitor.getRegionLaws({});
  expect(laws.otherwise).toBe('opt_in');
  expect(laws.laws.find(({ regions }) => regions.includes('US-CA'))).toMatchObject({
    rule: 'opt_out',
    universal_opt_out: true,
  });
  const address = `${server.url}/api/public/region-laws`;
  const etag = (await fetch(address)).headers.get('etag') as string;
  expect((await fetch(address, { headers: { 'If-None-Match': etag } })).status).toBe(304);
});
