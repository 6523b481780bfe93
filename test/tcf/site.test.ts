import { randomUUID } from 'node:crypto';
import { TCString } from '@iabtechlabtcf/core';
import { BundleRow } from '../../server/src/db/models';
import { isWhole } from '../../server/src/domain/banner/assemble';
import { tcfParts } from '../../server/src/domain/tcf/bundle';
import { refreshVendorList } from '../../server/src/jobs/vendor-list';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { startServer, type TestServer } from '../helpers/server';
import { storeScans } from '../helpers/site/scanned';
import { encode, idsOf, type TcChoice, type TcFrame } from '../helpers/tcf/banner-code';
import { type ListHost, listed, startListHost, vendorList, vendors } from '../helpers/tcf/list';

jest.setTimeout(120_000);
let host: ListHost;
let server: TestServer;
beforeAll(async () => {
  host = await startListHost();
  server = await startServer({
    variables: { TCF_CMP_ID: '300', TCF_CMP_VERSION: '7', TCF_LIST: host.place },
  });
  await refresh();
});
afterAll(async () => {
  await server?.stop();
  await host?.stop();
});

/** A day later each time, so that the list is due. */
let day = 0;
const refresh = (): Promise<void> => {
  day += 1;
  const now = new Date(Date.UTC(2027, 0, day));
  return refreshVendorList(server.service.context, now, new AbortController().signal);
};

const ON = { tcf: { publisher_country: 'DE' } };
const NOTHING: TcChoice = { purposes: [], legInt: [], special: [], vendors: [], legIntVendors: [] };

const frameOf = (tcf: NonNullable<Awaited<ReturnType<typeof bundleOf>>['tcf']>): TcFrame => ({
  at: Date.UTC(2026, 10, 26),
  cmpId: tcf.cmp_id,
  cmpVersion: tcf.cmp_version,
  language: 'en',
  screen: 1,
  listVersion: tcf.vendor_list_version,
  policyVersion: tcf.policy_version,
  purposeOneTreatment: tcf.purpose_one_treatment,
  country: tcf.publisher_country,
  restrictions: tcf.restrictions.map((one) => ({ ...one, vendors: idsOf(one.vendors) })),
  disclosed: idsOf(tcf.vendors),
});

async function bundleOf(client: Awaited<ReturnType<TestServer['site']>>['client'], token: string) {
  const { hash } = await client.generateBundle({ token });
  const { config } = await client.getBundleRecord({ token, hash });
  return { hash, config, tcf: config.tcf };
}

const compact = (bundle_hash: string, more: object) => ({
  event_id: randomUUID(),
  session_id: randomUUID(),
  decision: 'reject_all' as const,
  bundle_hash,
  ...more,
});

test('the list is fetched with its texts, and the state says so', async () => {
  const { client, token } = await server.site();
  const state = await client.getTcf({ token });
  expect(state).toMatchObject({
    cmp: { id: 300, version: 7 },
    list: { vendor_list_version: 120, policy_version: 5, languages: ['de', 'pt'] },
    problem: null,
  });
  // Without the deleted one.
  expect(state.vendors).toHaveLength(11);
  expect(state.vendors[0]).toEqual({
    id: 2,
    name: 'Alpha Ads',
    purposes: [1, 2, 3, 4],
    leg_int_purposes: [7, 9, 10],
  });
});

test('a bundle has what its vendors ask for, and its hash covers the vendors', async () => {
  const { client, token } = await server.site({ ...ON, default_language: 'de', languages: ['de', 'en'] });
  const { hash, config, tcf } = await bundleOf(client, token);
  expect(tcf).toEqual({
    cmp_id: 300,
    cmp_version: 7,
    vendor_list_version: 120,
    policy_version: 5,
    publisher_country: 'DE',
    purpose_one_treatment: false,
    purposes: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    leg_int_purposes: [2, 7, 8, 9, 10, 11],
    special_purposes: [1, 2],
    features: [1, 2, 3],
    special_features: [1, 2],
    vendors: '2-3,5-6,8,12-14,20-21,755',
    consent_vendors: '2-3,8,12-14,20-21,755',
    leg_int_vendors: '2,5,8,21,755',
    special_vendors: '6,20',
    restrictions: [],
    categories: {
      analytics: [1, 8, 9],
      functional: [1, 5, 6, 10, 11],
      marketing: [1, 2, 3, 4, 7],
    },
    asks: expect.stringMatching(/^[\w-]{12}$/),
  });
  // Texts of the list's own file where it has one.
  expect(config.texts.de?.tcf?.purposes[0]?.name).toBe('de: Store and/or access information on a device');
  expect(config.texts.de?.tcf?.purposes[0]?.illustrations).toHaveLength(1);
  const { vendors: shown } = await server.visitor.getBundleVendors({ token, hash });
  expect(shown).toHaveLength(11);
  expect(shown[0]).toMatchObject({
    name: 'Alpha Ads',
    data_retention_days: 400,
    urls: [{ lang_id: 'en', leg_int_claim: 'https://alpha.example/interest' }, { lang_id: 'de' }],
    tcf: {
      special_purposes: [1, 2],
      retention: [{ id: 3, days: 90 }],
      special_retention: [{ id: 1, days: 30 }],
      cookie_max_age_seconds: 31_536_000,
      cookie_refresh: true,
    },
  });
  const row = await BundleRow.query(server.service.context.db).findOne({ hash }).throwIfNotFound();
  expect(isWhole(row)).toBe(true);
  const [first, ...rest] = row.vendors;
  expect(isWhole(Object.assign(row, { vendors: [{ ...first, name: 'Other' }, ...rest] }))).toBe(false);
});

test('vendors may be chosen, and purposes restricted; strings say so', async () => {
  const tcf = {
    publisher_country: 'FR',
    vendors: [2, 5, 20, 4000],
    consent_only_purposes: [7, 9],
    refused_purposes: [3],
    purpose_one_treatment: true,
    categories: { marketing: [2, 4], analytics: [] },
  };
  const { client, token } = await server.site({ tcf });
  const bundle = await client.generateBundle({ token });
  expect(bundle.warnings.filter(({ code }) => code === 'tcf_vendors')).toEqual([
    { code: 'tcf_vendors', path: 'settings.tcf.vendors', message: expect.stringContaining('no vendor 4000') },
  ]);
  const { config } = await client.getBundleRecord({ token, hash: bundle.hash });
  expect(config.tcf).toMatchObject({
    vendors: '2,5,20',
    purposes: [2, 4, 5, 6, 7, 8, 9, 10, 11],
    leg_int_purposes: [2, 8, 10],
    restrictions: [
      { purpose: 3, type: 0, vendors: '2,20' },
      // Of those with a legitimate interest: one is flexible, the others are not.
      { purpose: 7, type: 0, vendors: '5' },
      { purpose: 7, type: 1, vendors: '2' },
      { purpose: 9, type: 0, vendors: '2' },
    ],
    categories: { marketing: [2, 4], functional: [5, 6, 10, 11] },
  });
  const model = TCString.decode(encode(NOTHING, frameOf(config.tcf as never)));
  expect(
    model.publisherRestrictions
      .getRestrictions()
      .map(({ hash }) => hash)
      .sort(),
  ).toHaveLength(4);
});

test('what makes strings that the server would not take is not published', () => {
  const list = {
    version: 1,
    policy_version: 5,
    vendors: Array.from({ length: 1_600 }, (_, index) => ({
      ...{
        id: index + 1,
        purposes: [1],
        leg_int_purposes: [2, 7, 8, 9, 10, 11],
        flexible: index % 2 ? [2, 7, 8] : [],
      },
      tcf: { special_purposes: [], features: [], special_features: [] },
    })),
  };
  const source = { cmp: { id: 300, version: 1 }, list: list as never };
  const parts = (consent_only_purposes: (2 | 7 | 8)[]) =>
    tcfParts({ publisher_country: 'DE', consent_only_purposes }, [], source);
  expect(() => parts([2, 7, 8])).toThrow(
    expect.objectContaining({ errors: [expect.objectContaining({ path: 'body.settings.tcf' })] }),
  );
  expect(parts([2]).config.restrictions).toHaveLength(2);
});

test('the longest string of a bundle that is published is not too long by a single character', () => {
  const source = (pairs: number) => {
    const ids = Array.from({ length: pairs }, (_, index) => [1 + 3 * index, 2 + 3 * index]).flat();
    const list = {
      version: 9,
      policy_version: 5,
      vendors: ids.map((id) => ({
        ...{ id, purposes: [1, 2, 3, 4], leg_int_purposes: [], flexible: [] },
        tcf: { special_purposes: [], features: [], special_features: [] },
      })),
    };
    return { cmp: { id: 300, version: 1 }, list: list as never };
  };
  const made = (pairs: number): number | undefined => {
    try {
      const { config } = tcfParts(
        { publisher_country: 'DE', refused_purposes: [2, 3, 4] },
        [],
        source(pairs),
      );
      const all = { ...NOTHING, vendors: idsOf(config.vendors), legIntVendors: idsOf(config.vendors) };
      return encode(all, frameOf(config)).length;
    } catch {
      return undefined;
    }
  };
  const lengths = [600, 640, 650, 660, 663, 664, 665, 666, 667, 668, 670]
    .map(made)
    .filter((one) => one !== undefined);
  expect(lengths.length).toBeGreaterThan(3);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(12_000);
});

test('other purposes for a category are another question', () => {
  const vendors = [1, 2].map((id) => ({
    ...{ id, purposes: [1, 8, 9], leg_int_purposes: [], flexible: [] },
    tcf: { special_purposes: [], features: [], special_features: [] },
  }));
  const source = { cmp: { id: 300, version: 1 }, list: { version: 9, policy_version: 5, vendors } as never };
  const asks = (categories?: { analytics: (8 | 9)[] }): string =>
    tcfParts(
      { publisher_country: 'DE', ...(categories && { categories }) },
      [{ key: 'analytics', required: false } as never],
      source,
    ).config.asks;
  expect(asks({ analytics: [8] })).not.toBe(asks());
});

test('settings that cannot be are refused, each with its place', async () => {
  const { client, token } = await server.site();
  const tcf = {
    publisher_country: 'DE',
    vendors: [2, 2],
    refused_purposes: [3, 3],
    categories: { unknown: [2], marketing: [4, 4] },
  };
  const error = await refusal(client.updateEnvironment({ token, body: { settings: { tcf } } }));
  expect(pathsOf(error)).toEqual([
    'body.settings.tcf.categories.marketing.1',
    'body.settings.tcf.categories.unknown',
    'body.settings.tcf.refused_purposes.1',
    'body.settings.tcf.vendors.1',
  ]);
});

test('a string is in the record, the export, the proof and the leaf; the proof says what it means', async () => {
  const { client, token } = await server.site(ON);
  const { hash, tcf } = await bundleOf(client, token);
  if (tcf === undefined) throw new Error('no framework');
  const choice = {
    purposes: [1, 3],
    legInt: [7],
    special: [2],
    vendors: [2, 3, 755],
    legIntVendors: [5, 6, 20],
  };
  const tc_string = encode(choice, frameOf(tcf));
  const body = compact(hash, { decision: 'save_preferences', allowed: [], tc_string });
  const { consent_id } = await server.visitor.recordVisitorConsent({ token, body });
  const proof = await client.getConsent({ token, consent_id });
  expect(proof.tc_string).toBe(tc_string);
  expect(proof.tcf).toEqual({
    created: '2026-11-26T00:00:00.000Z',
    cmp_id: 300,
    cmp_version: 7,
    vendor_list_version: 120,
    policy_version: 5,
    language: 'EN',
    publisher_country: 'DE',
    is_service_specific: true,
    purposes: [1, 3],
    leg_int_purposes: [7],
    special_features: [2],
    vendors: '2-3,755',
    leg_int_vendors: '5-6,20',
    disclosed_vendors: tcf.vendors,
    matches_bundle: true,
  });
  const lines = await (await client.exportConsents({ token })).text();
  expect(JSON.parse(lines.trim())).toMatchObject({ tc_string });
  // Another country than the banner's.
  const other = encode(choice, { ...frameOf(tcf), country: 'AT' });
  const second = await server.visitor.recordVisitorConsent({
    token,
    body: compact(hash, { tc_string: other }),
  });
  expect((await client.getConsent({ token, consent_id: second.consent_id })).tcf?.matches_bundle).toBe(false);
});

test('what is no string of this site’s banner is refused, and other sites record what they like', async () => {
  const { client, token } = await server.site(ON);
  const { hash, tcf } = await bundleOf(client, token);
  if (tcf === undefined) throw new Error('no framework');
  const good = frameOf(tcf);
  const wrong = [
    'CPXxRfAPXxRfAAfKABENB.A',
    'C'.repeat(4_000),
    encode(NOTHING, good).split('.')[0] as string,
    encode(NOTHING, { ...good, cmpId: 10 }),
    encode(NOTHING, { ...good, listVersion: 119 }),
  ];
  for (const tc_string of wrong) {
    const send = () => server.visitor.recordVisitorConsent({ token, body: compact(hash, { tc_string }) });
    await expect(send()).rejects.toMatchObject({
      status: 400,
      errors: [{ path: 'body.tc_string', code: 'tc_string' }],
    });
    const body = { session_id: randomUUID(), decision: 'reject_all', tc_string, bundle_hash: hash } as const;
    await expect(server.visitor.logConsent({ token, body })).rejects.toMatchObject({ status: 400 });
  }
  // A withdrawal without a string is one all the same.
  await server.visitor.recordVisitorConsent({ token, body: compact(hash, {}) });
  const plain = await server.site();
  const body = { session_id: randomUUID(), decision: 'reject_all', tc_string: 'CPX.A' } as const;
  const { consent_id } = await server.visitor.logConsent({ token: plain.token, body });
  const proof = await plain.client.getConsent({ token: plain.token, consent_id });
  expect(proof.tc_string).toBe('CPX.A');
  expect(proof.tcf).toBeUndefined();
});

test('a proof says that a string is its banner’s only where that banner can have made it', async () => {
  const { client, token } = await server.site(ON);
  const { hash, tcf } = await bundleOf(client, token);
  if (tcf === undefined) throw new Error('no framework');
  const frame = frameOf(tcf);
  const matches = async (choice: TcChoice, more: object = {}, of: TcFrame = frame) => {
    const tc_string = encode(choice, of);
    const body = compact(hash, { decision: 'save_preferences', allowed: [], tc_string, ...more });
    const { consent_id } = await server.visitor.recordVisitorConsent({ token, body });
    return (await client.getConsent({ token, consent_id })).tcf?.matches_bundle;
  };
  const some = { ...NOTHING, purposes: [1], vendors: [2, 3], legIntVendors: [6] };
  expect(await matches(some)).toBe(true);
  // Shown before the vendors were as many.
  expect(await matches(some, {}, { ...frame, disclosed: [2, 3, 6] })).toBe(true);
  expect(
    await matches({ ...NOTHING, legIntVendors: [6, 20] }, { decision: 'reject_all', allowed: undefined }),
  ).toBe(true);
  const cannot: [TcChoice, object?, TcFrame?][] = [
    [{ ...some, purposes: [1, 12] }],
    [{ ...some, legInt: [1, 3] }],
    [{ ...some, special: [3] }],
    [{ ...some, vendors: [2, 5] }],
    [{ ...some, legIntVendors: [3] }],
    [some, {}, { ...frame, disclosed: [2, 6] }],
    [some, {}, { ...frame, disclosed: [...frame.disclosed, 900] }],
    [some, {}, { ...frame, restrictions: [{ purpose: 2, type: 0, vendors: [2] }] }],
    [some, {}, { ...frame, purposeOneTreatment: true }],
    [some, { decision: 'reject_all', allowed: undefined }],
    [some, { decision: 'accept_all', allowed: undefined }],
  ];
  for (const [choice, more, of] of cannot) expect(await matches(choice, more, of)).toBe(false);
});

test('a new list publishes only banners whose visitors it shows something else', async () => {
  const few = await server.site({ tcf: { publisher_country: 'DE', vendors: [2, 3] } });
  const all = await server.site(ON);
  const edited = await server.site(ON);
  const [ofFew, ofAll, ofEdited] = await Promise.all(
    [few, all, edited].map(({ client, token }) => bundleOf(client, token)),
  );
  await edited.client.updateEnvironment({
    token: edited.token,
    body: { settings: { consent_lifetime_days: 90 } },
  });
  const more = [...vendors(), listed(800, { name: 'Lambda New' })];
  host.files.set('vendor-list.json', JSON.stringify(vendorList({ vendorListVersion: 121 }, more)));
  await refresh();
  const present = async ({ client, token }: typeof few) => (await client.listBundles({ token })).items[0];
  expect((await present(few))?.hash).toBe(ofFew?.hash);
  // Its owner has changed something that is not published yet.
  expect((await present(edited))?.hash).toBe(ofEdited?.hash);
  const next = await present(all);
  expect(next?.hash).not.toBe(ofAll?.hash);
  const { config } = await all.client.getBundleRecord({ token: all.token, hash: next?.hash as string });
  expect(config.tcf).toMatchObject({ vendor_list_version: 121, vendors: '2-3,5-6,8,12-14,20-21,755,800' });
  // Nobody is asked again for a vendor that nobody named: a string names the list that it was made with.
  expect(config.tcf?.asks).toBe(ofAll?.tcf?.asks);
  // What somebody decided with the banner before, sent late, is still taken.
  const tc_string = encode(NOTHING, frameOf(ofAll?.tcf as never));
  await server.visitor.recordVisitorConsent({
    token: all.token,
    body: compact(ofAll?.hash as string, { tc_string }),
  });
  const { items } = await all.client.listAuditEvents({ token: all.token });
  expect(items[0]).toMatchObject({ operation: 'vendor-list' });
  // Of chosen vendors, a new purpose asks everybody again.
  const grown = more.map((one) => (one.id === 3 ? { ...one, purposes: [1, 7, 8, 9] } : one));
  host.files.set('vendor-list.json', JSON.stringify(vendorList({ vendorListVersion: 122 }, grown)));
  await refresh();
  const again = await present(few);
  const after = await few.client.getBundleRecord({ token: few.token, hash: again?.hash as string });
  expect(after.config.tcf?.vendor_list_version).toBe(122);
  expect(after.config.tcf?.asks).not.toBe(ofFew?.tcf?.asks);
});

test('a new list leaves what auto-blocking holds as it was published', async () => {
  const auto_blocking = { enabled: true, rules: [], unclassified: 'marketing' };
  const { client, token } = await server.site({ ...ON, auto_blocking });
  const scan = (contacted: string[]) =>
    storeScans(server.service.context.db, token, [{ path: '', contacted }]);
  const outdated = async () =>
    (await client.listWarnings({ token })).items.find(({ code }) => code === 'bundle_outdated')?.message;
  await scan(['first.example']);
  const before = await bundleOf(client, token);
  expect(JSON.stringify(before.config.auto_blocking)).toContain('"first.example"');
  await scan(['second.example']);
  const told = await outdated();
  expect(told).toMatch(/scans found other hosts.*and hosts that wait in it/);
  const more = [...vendors(), listed(801, { name: 'Mu New' })];
  host.files.set('vendor-list.json', JSON.stringify(vendorList({ vendorListVersion: 123 }, more)));
  await refresh();
  const hash = (await client.listBundles({ token })).items[0]?.hash as string;
  expect(hash).not.toBe(before.hash);
  const { config } = await client.getBundleRecord({ token, hash });
  expect(config.tcf?.vendor_list_version).toBe(123);
  expect(config.auto_blocking).toEqual(before.config.auto_blocking);
  // Its owner is still told, and publishes it.
  expect(await outdated()).toBe(told);
  const next = JSON.stringify((await bundleOf(client, token)).config.auto_blocking);
  expect([next.includes('"first.example"'), next.includes('"second.example"')]).toEqual([false, true]);
  expect(await outdated()).toBeUndefined();
});

describe('a list that cannot be used leaves the one that is there, and is told', () => {
  const good = JSON.stringify(vendorList({ vendorListVersion: 130 }));
  const instead = (answer: NonNullable<ListHost['answer']>): void => {
    host.answer = answer;
  };
  const CASES: [string, () => void][] = [
    ['no answer', () => instead((response) => response.destroy())],
    ['a failure', () => instead((response) => response.writeHead(503).end())],
    ['a redirect', () => instead((response) => response.writeHead(302, { location: '/other' }).end())],
    ['no JSON', () => void host.files.set('vendor-list.json', '<html>')],
    ['too much', () => void host.files.set('vendor-list.json', Buffer.alloc(9 * 2 ** 20, 32))],
    ['deep nesting', () => void host.files.set('vendor-list.json', '['.repeat(200_000))],
    [
      'another version',
      () =>
        void host.files.set(
          'vendor-list.json',
          good.replace('"gvlSpecificationVersion":3', '"gvlSpecificationVersion":4'),
        ),
    ],
    [
      'an older list',
      () => void host.files.set('vendor-list.json', JSON.stringify(vendorList({ vendorListVersion: 3 }))),
    ],
    [
      'a vendor of another number',
      () => void host.files.set('vendor-list.json', good.replace('"id":755', '"id":756')),
    ],
    [
      'a vendor without a name',
      () => void host.files.set('vendor-list.json', good.replace('"Kappa Exchange"', '"\\u200b"')),
    ],
    [
      'numbers beyond',
      () =>
        void host.files.set(
          'vendor-list.json',
          good.replace('"vendorListVersion":130', '"vendorListVersion":99999'),
        ),
    ],
  ];
  test.each(CASES)('%s', async (_, spoil) => {
    const { client, token } = await server.site(ON);
    const before = await client.getTcf({ token });
    spoil();
    await refresh();
    host.answer = undefined;
    const after = await client.getTcf({ token });
    expect(after.list).toEqual(before.list);
    expect(after.problem).toEqual(expect.stringMatching(/vendor-list\.json|version/));
    await client.generateBundle({ token });
    host.files.set(
      'vendor-list.json',
      JSON.stringify(vendorList({ vendorListVersion: before.list?.vendor_list_version })),
    );
    await refresh();
    expect((await client.getTcf({ token })).problem).toBeNull();
  });

  test('hostile texts and addresses go no further than text', async () => {
    const list = vendorList({ vendorListVersion: 140 }, [
      ...vendors(),
      listed(900, {
        name: `<img src=x onerror=alert(1)>\u0000${'x'.repeat(500)}`,
        urls: [
          { langId: 'en', privacy: 'javascript:alert(1)' },
          { langId: '../..', privacy: 'https://x.example/' },
          { langId: 'fr', privacy: 'https://x.example/"><script>' },
        ],
        deviceStorageDisclosureUrl: 'data:text/html,x',
        cookieMaxAgeSeconds: 1e300,
        dataRetention: { stdRetention: -5, purposes: { __proto__x: 4, 2: 1e9 } },
      }),
    ]);
    host.files.set('vendor-list.json', JSON.stringify(list));
    await refresh();
    const { client, token } = await server.site({ tcf: { publisher_country: 'DE', vendors: [900] } });
    const { hash } = await client.generateBundle({ token });
    const { vendors: shown } = await server.visitor.getBundleVendors({ token, hash });
    expect(shown[0]).toMatchObject({ id: 900, urls: [], data_retention_days: null });
    expect(shown[0]?.name).toHaveLength(200);
    expect(shown[0]?.tcf).toMatchObject({
      disclosure_url: null,
      cookie_max_age_seconds: 2_147_483_647,
      retention: [{ id: 2, days: 36_500 }],
    });
  });
});

test('without a CMP no site can take part, and the message says what to do', async () => {
  const plain = await startServer();
  try {
    const { client, token } = await plain.site();
    const error = await refusal(client.updateEnvironment({ token, body: { settings: ON } }));
    expect(error).toMatchObject({ status: 400, errors: [{ path: 'body.settings.tcf', code: 'cmp_id' }] });
    expect(error.errors[0]?.message).toMatch(/register it with IAB Europe.*TCF_CMP_ID/);
    expect(await client.getTcf({ token })).toMatchObject({ cmp: null, list: null, vendors: [] });
  } finally {
    await plain.stop();
  }
});
