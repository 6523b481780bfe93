import { randomUUID } from 'node:crypto';
import { countScans } from '../../server/src/jobs/scans';
import { textsOf } from '../helpers/banner/program';
import { FalseWitness } from '../helpers/ledger/false-witness';
import { growLog, headOfSite } from '../helpers/ledger/grow';
import { witnessesOf } from '../helpers/ledger/vouch';
import { type Client, useServer } from '../helpers/server';

let client: Client;
let token: string;

const CONTROLLER = {
  name: 'Shop Ltd',
  address: 'Quay 1, Hamburg',
  email: 'privacy@shop.example.com',
  dpo: { name: 'Dora', email: 'dora@shop.example.com' },
};
const VENDOR = {
  id: 7,
  name: 'Counter',
  purposes: [8],
  leg_int_purposes: [],
  categories: ['analytics'],
  urls: [],
  cookies: [],
  data_retention_days: 90,
  country: 'FR',
};

const WITNESS = new FalseWitness('witness.example.org');
const server = useServer({
  variables: { ROLE: 'api', WITNESSES: witnessesOf({ vkey: WITNESS.vkey, url: 'http://127.0.0.1:9' }) },
});
beforeAll(async () => {
  ({ client, token } = await server.site({
    privacy_policy_url: 'https://shop.example.com/privacy',
    controller: CONTROLLER,
  }));
  await client.replaceVendors({ token, body: { vendors: [VENDOR] } });
  await client.generateBundle({ token });
  await server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'accept_all' } });
});

const scoreOf = () => client.getComplianceScore({ token });
type Score = Awaited<ReturnType<typeof scoreOf>>;
/** The checks that say something else than before. */
const changed = (before: Score, after: Score): string[] =>
  after.checks.filter((check, index) => check.status !== before.checks[index]?.status).map(({ id }) => id);

type Settings = Awaited<ReturnType<Client['getEnvironment']>>['settings'];
type Patch = (settings: Settings) => Partial<Settings>;
const banner =
  (change: Partial<Settings['banner']>): Patch =>
  (settings) => ({ banner: { ...settings.banner, ...change } });
const categories =
  (change: (category: Settings['categories'][number]) => object): Patch =>
  (settings) => ({
    categories: settings.categories.map((category) => ({ ...category, ...change(category) })),
  });

/** What visitors see. */
const SEEN: [string, Patch][] = [
  ['reject_on_first_layer', banner({ first_layer_buttons: ['accept_all', 'settings'] })],
  ['reject_on_first_layer', banner({ first_layer_buttons: ['accept_all', 'settings', 'reject_all'] })],
  [
    'readable_buttons',
    banner({
      colours: {
        background: '#ffffff',
        text: '#999999',
        button_background: '#1f4fd8',
        button_text: '#ffffff',
      },
    }),
  ],
  ['granular_choice', banner({ first_layer_buttons: ['accept_all', 'reject_all'] })],
  ['nothing_pre_ticked', categories(({ key, required }) => ({ required: required || key === 'marketing' }))],
  ['described_categories', categories(() => ({ description: '' }))],
  ['texts_in_all_languages', () => ({ languages: ['en', 'xh'] })],
  ['reopenable', banner({ control: 'custom' })],
  ['privacy_policy', () => ({ privacy_policy_url: null })],
];

/** What counts as soon as it is saved. */
const AT_ONCE: [string, Patch][] = [
  ['consent_lifetime', () => ({ consent_lifetime_days: 400 })],
  ['retention_set', () => ({ retention_days: { consents: 3650, events: 90 } })],
  ['controller_named', ({ controller: { address: _, ...rest } }) => ({ controller: rest })],
  ['dpo_named', ({ controller: { dpo: _, ...rest } }) => ({ controller: rest })],
];

const checkOf = (score: Score, id: string) => score.checks.find((check) => check.id === id);

test.each(AT_ONCE)('%s: a setting changes the score in this check, and only there', async (id, patch) => {
  const before = await scoreOf();
  expect(checkOf(before, id)).toMatchObject({ status: 'pass', remedy: '' });
  const { settings } = await client.getEnvironment({ token });
  await client.updateEnvironment({ token, body: { settings: patch(settings) } });
  const after = await scoreOf();
  expect(changed(before, after)).toEqual([id]);
  expect(after.score).toBeLessThan(before.score);
  expect(checkOf(after, id)?.remedy).not.toBe('');
  await client.updateEnvironment({ token, body: { settings } });
  expect((await scoreOf()).score).toBe(before.score);
});

test.each(SEEN)('%s: a setting changes the score when it is published, and only there', async (id, patch) => {
  const before = await scoreOf();
  expect(checkOf(before, id)).toMatchObject({ status: 'pass', remedy: '' });
  const { settings } = await client.getEnvironment({ token });
  const patched = patch(settings);
  await client.updateEnvironment({ token, body: { settings: patched } });
  // Of a language that was added nobody sees a text yet.
  if (patched.languages === undefined) {
    const saved = await scoreOf();
    expect(changed(before, saved)).toEqual([]);
    expect(checkOf(saved, id)?.evidence).toContain('saved, but not published yet: ');
  }
  await client.generateBundle({ token });
  const after = await scoreOf();
  expect(changed(before, after)).toEqual([id]);
  expect(after.score).toBeLessThan(before.score);
  expect(checkOf(after, id)?.remedy).not.toBe('');
  await client.updateEnvironment({ token, body: { settings } });
  const mended = await scoreOf();
  expect(changed(after, mended)).toEqual([]);
  expect(checkOf(mended, id)).toMatchObject({
    evidence: expect.stringContaining('saved, but not published yet: '),
    remedy: expect.stringMatching(/^Publish the banner/),
  });
  await client.generateBundle({ token });
  expect(await scoreOf()).toMatchObject({ score: before.score, checks: before.checks });
});

test.each([
  ['vendors_described', { data_retention_days: null }, true],
  ['transfers_safeguarded', { country: 'US' }, false],
])('%s: a vendor changes the score in this check, and only there', async (id, change, isSeen) => {
  const before = await scoreOf();
  await client.replaceVendors({ token, body: { vendors: [{ ...VENDOR, ...change }] } });
  expect(changed(before, await scoreOf())).toEqual(isSeen ? [] : [id]);
  await client.generateBundle({ token });
  expect(changed(before, await scoreOf())).toEqual([id]);
  await client.replaceVendors({ token, body: { vendors: [VENDOR] } });
  expect(changed(before, await scoreOf())).toEqual(isSeen ? [id] : []);
  await client.generateBundle({ token });
  expect(changed(before, await scoreOf())).toEqual([]);
});

test('a language counts as written when the bundle has no warning about its texts', async () => {
  const { settings } = await client.getEnvironment({ token });
  const publish = async (texts: object) => {
    const body = { languages: ['en', 'zu'], banner: { ...settings.banner, texts: { zu: texts } } };
    await client.updateEnvironment({ token, body: { settings: body } });
    const { warnings } = await client.generateBundle({ token });
    const { status, evidence } = checkOf(
      await scoreOf(),
      'texts_in_all_languages',
    ) as Score['checks'][number];
    return [warnings.filter(({ code }) => code === 'missing_texts').length, status, evidence];
  };
  expect(await publish({})).toEqual([1, 'fail', 'texts are missing in zu']);
  expect(await publish({ title: 'Isihloko' })).toEqual([1, 'fail', 'texts are missing in zu']);
  expect(await publish(textsOf('zu'))).toEqual([0, 'pass', 'texts in en, zu']);
  await client.updateEnvironment({ token, body: { settings } });
  await client.generateBundle({ token });
});

test('the options of a publication count: they are what visitors see', async () => {
  const before = await scoreOf();
  await client.generateBundle({ token, body: { control: 'custom' } });
  expect(changed(before, await scoreOf())).toEqual(['reopenable']);
  await client.generateBundle({ token });
  expect(changed(before, await scoreOf())).toEqual([]);
});

test('of a site without a banner nothing that visitors would see is known, however good its settings', async () => {
  const site = await server.site();
  const { checks, grade } = await site.client.getComplianceScore({ token: site.token });
  expect(grade).toBe('F');
  expect(checks.filter(({ status }) => status === 'pass').map(({ id }) => id)).toEqual([
    ...['consent_lifetime', 'retention_set'],
  ]);
  expect(checks.find(({ id }) => id === 'reject_on_first_layer')).toMatchObject({
    status: 'unknown',
    evidence: expect.stringMatching(/^no banner is published; .*first layer: accept all, reject all/),
    remedy: expect.stringMatching(/^Publish the banner/),
  });
});

test('a paused or archived site shows no banner, whoever saw it before', async () => {
  const alive = async () => checkOf(await scoreOf(), 'banner_alive');
  expect(await alive()).toMatchObject({ status: 'pass' });
  for (const status of ['paused', 'archived'] as const) {
    await client.updateEnvironment({ token, body: { status } });
    expect((await fetch(`${server.url}/api/bundles/${token}.js`)).status).toBe(403);
    expect(await alive()).toMatchObject({
      ...{ status: 'fail', evidence: expect.stringContaining(`the site is ${status}`) },
    });
  }
  await client.updateEnvironment({ token, body: { status: 'active' } });
  expect(await alive()).toMatchObject({ status: 'pass' });
});

test('what happens changes the score in the check concerned, and only there', async () => {
  let before = await scoreOf();
  const step = async (ids: string[]) => {
    const after = await scoreOf();
    expect(changed(before, after)).toEqual(ids);
    before = after;
  };
  const body = { request_type: 'access' as const, email: 'jane@example.com' };
  const { request_id } = await server.visitor.submitDsar({ token, body });
  await step([]);
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
  await step(['requests_in_time']);
  const late = await server.visitor.submitDsar({ token, body: { ...body, email: 'joe@example.com' } });
  const { db } = server.service.context;
  await db('dsar_requests')
    .where({ request_id: late.request_id })
    .update({ due_at: new Date(0) });
  await step(['requests_in_time']);
  expect(before.checks.find(({ id }) => id === 'requests_in_time')).toMatchObject({
    status: 'fail',
    evidence: '1 resolved, 0 of them late; 1 overdue',
  });
});

test('checks say what was found and where the rule comes from', async () => {
  const { checks, score, grade, computed_at } = await scoreOf();
  expect(checks.length).toBeGreaterThanOrEqual(15);
  for (const check of checks) {
    expect(check.evidence).not.toBe('');
    expect(check.legal_reference).not.toBe('');
  }
  const sum = (list: typeof checks) => list.reduce((total, { weight }) => total + weight, 0);
  expect(score).toBe(Math.floor((100 * sum(checks.filter(({ status }) => status === 'pass'))) / sum(checks)));
  expect(grade).toMatch(/^[A-F]$/);
  expect(Math.abs(Date.parse(computed_at) - Date.now())).toBeLessThan(60_000);
});

test('a required category of an unnecessary kind does not excuse a cookie of it', async () => {
  const { db } = server.service.context;
  const { token: other, client: owner } = await server.site({
    categories: [
      { key: 'necessary', name: 'Necessary', description: 'x', required: true },
      { key: 'analytics', name: 'Analytics', description: 'x', required: true },
    ],
  });
  await owner.generateBundle({ token: other });
  const { id } = await db('environments').where({ token: other }).first('id');
  const cookie = { name: '_ga', domain: 'shop.example.com', category: 'analytics', max_age_seconds: 0 };
  const result = { cookies: [cookie], requests: [], banner_detected: true, findings: [], conclusive: true };
  await db('cookie_scans').insert({
    scan_id: randomUUID(),
    environment_id: id,
    url: 'https://shop.example.com/',
    domain: 'shop.example.com',
    state: 'done',
    runs: 1,
    engine: 'browser',
    result: JSON.stringify(result),
    created_at: new Date(),
    finished_at: new Date(),
  });
  await countScans(db, server.service.context.log);
  const { checks } = await owner.getComplianceScore({ token: other });
  const status = Object.fromEntries(checks.map((check) => [check.id, check.status]));
  expect(status).toMatchObject({ nothing_before_consent: 'fail', nothing_pre_ticked: 'fail' });
});

test('the evidence log counts: that it is sealed, and that others could tell if it were replaced', async () => {
  const site = await server.site();
  const { db } = server.service.context;
  const found = async () => {
    const score = await site.client.getComplianceScore({ token: site.token });
    return ['records_sealed', 'log_vouched'].map((id) => checkOf(score, id)?.status);
  };
  expect(await found()).toEqual(['unknown', 'unknown']);
  await growLog(server, site.token, 3);
  expect(await found()).toEqual(['pass', 'pass']);
  const { id: environment_id } = await headOfSite(server, site.token);
  const waiting = db('ledger_pending').where({ environment_id });
  const day = 86_400_000;
  expect(await waiting.clone().update({ last_at: new Date(Date.now() - day) })).toBeGreaterThan(0);
  expect(await found()).toEqual(['fail', 'pass']);
  await waiting.clone().delete();
  await site.client.updateEnvironment({
    token: site.token,
    body: { settings: { publish_evidence_log: false } },
  });
  expect(await found()).toEqual(['pass', 'fail']);
  const voucher = { environment_id, voucher: WITNESS.vkey, size: 3, next_at: new Date(), failures: 0 };
  await db('ledger_vouchers').insert({ ...voucher, vouched_at: new Date() });
  expect(await found()).toEqual(['pass', 'pass']);
  await db('ledger_vouchers').update({ failing_since: new Date(Date.now() - 2 * day) });
  expect(await found()).toEqual(['pass', 'fail']);
  await db('ledger_vouchers').update({ problem: 'larger_tree' });
  expect(await found()).toEqual(['fail', 'fail']);
});
