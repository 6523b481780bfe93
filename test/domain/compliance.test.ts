import { CHECKS, gradeOf, scoreOf } from '../../server/src/domain/compliance';
import type { Evidence, PageEvidence } from '../../server/src/domain/compliance/evidence';
import { savedBanner } from '../../server/src/domain/compliance/seen-banner';
import { defaultSettings } from '../../server/src/domain/settings';
import type { Settings, Vendor } from '../../server/src/domain/types';
import { PROGRAM, textsOf } from '../helpers/banner/program';

const NOW = new Date('2026-11-21T09:30:00.000Z');
const { banner, categories, ...defaults } = defaultSettings();
const VENDOR: Vendor = {
  id: 1,
  name: 'Counter',
  purposes: [8],
  leg_int_purposes: [],
  categories: ['analytics'],
  urls: [],
  cookies: [],
  data_retention_days: 90,
  country: 'FR',
};
const CLEAN: PageEvidence = {
  ...{ page: 'shop.example.com/', at: NOW, bannerDetected: true, conclusive: true },
  ...{ before: [], beforeCount: 0, unclassified: [], unclassifiedCount: 0 },
};
const pagesOf = (...pages: PageEvidence[]) => ({ pages, hasMore: false, isBehind: false });
const SETTINGS: Settings = {
  ...defaults,
  banner,
  categories,
  privacy_policy_url: 'https://shop.example.com/privacy',
  controller: {
    name: 'Shop Ltd',
    address: 'Quay 1, Hamburg',
    email: 'privacy@shop.example.com',
    dpo: { name: 'Dora', email: 'dora@shop.example.com' },
  },
};

const TEXTS = { ...PROGRAM, texts: { ...PROGRAM.texts, 'pt-BR': textsOf('pt-BR') } };
const seenOf = (settings: Settings, vendors: readonly Vendor[] = [VENDOR]) =>
  savedBanner({ settings, settingsVersion: 1 }, vendors, TEXTS);
/** A site that published what it saved, unless the change says otherwise. */
const siteOf = (change: Partial<Evidence>): Evidence => {
  const site = { ...GOOD, ...change };
  const banner = { published: seenOf(site.settings, site.vendors), unpublished: undefined };
  return { ...site, banner: change.banner ?? banner };
};

const GOOD: Evidence = {
  now: NOW,
  settings: SETTINGS,
  banner: { published: seenOf(SETTINGS), unpublished: undefined },
  status: 'active',
  vendors: [VENDOR],
  decisions: { total: 10, withBanner: 10 },
  bannerAlive: true,
  requests: { resolved: 3, resolvedLate: 0, overdue: 0 },
  breaches: { reported: 1, reportedLateWithoutReason: 0, overdue: 0, notReportable: 0 },
  log: { size: 1200, waitingSince: undefined, vouchers: 1, isRolledBack: false, isDamaged: false },
  scans: pagesOf(CLEAN),
};

const set = (settings: Partial<Settings>): Partial<Evidence> => ({ settings: { ...SETTINGS, ...settings } });
const shown = (change: Partial<Settings['banner']>) => set({ banner: { ...banner, ...change } });
const kept = (resolvedLate: number, overdue: number) => ({
  requests: { resolved: 3, resolvedLate, overdue },
});
const reported = (reportedLateWithoutReason: number, overdue: number) => ({
  breaches: { reported: 1, reportedLateWithoutReason, overdue, notReportable: 0 },
});
const logged = (change: Partial<Evidence['log']>) => ({ log: { ...GOOD.log, ...change } });
const listed = (change: Partial<Vendor>) => ({
  vendors: [VENDOR, { ...VENDOR, id: 2, name: 'Ads', ...change }],
});
/** A clean page and another one, which is different from it. */
const scanned = (change: Partial<PageEvidence>) => {
  const { before = [], unclassified = [] } = change;
  const counts = { beforeCount: before.length, unclassifiedCount: unclassified.length };
  return { scans: pagesOf(CLEAN, { ...CLEAN, page: 'shop.example.com/cart', ...counts, ...change }) };
};
const ga = { name: '_ga', category: 'analytics' };
const required = (key: string) =>
  set({
    categories: categories.map((category) => ({
      ...category,
      required: category.required || category.key === key,
    })),
  });
const grey = { background: '#ffffff', text: '#aaaaaa', button_background: '#1f4fd8', button_text: '#ffffff' };

type Outcome = 'pass' | 'fail' | 'unknown';
/** Check, outcome, what is different from a site that keeps every rule, and what the evidence must tell. */
const CASES: [string, Outcome, Partial<Evidence>, string | RegExp][] = [
  ['reject_on_first_layer', 'pass', {}, 'accept all, reject all, settings'],
  ['reject_on_first_layer', 'pass', shown({ first_layer_buttons: ['settings'] }), 'first layer: settings'],
  [
    'reject_on_first_layer',
    'fail',
    shown({ first_layer_buttons: ['accept_all', 'settings'] }),
    'accept all, settings',
  ],
  [
    'reject_on_first_layer',
    'fail',
    shown({ first_layer_buttons: ['accept_all', 'settings', 'reject_all'] }),
    'accept all, settings, reject all',
  ],
  ['readable_buttons', 'pass', {}, /^least contrast \d+\.\d:1$/],
  ['readable_buttons', 'fail', shown({ colours: grey }), 'least contrast 2.3:1'],
  ['readable_buttons', 'fail', shown({ dark_colours: grey }), 'least contrast 2.3:1'],
  ['readable_buttons', 'pass', shown({ dark_colours: grey, theme: 'light' }), 'least contrast'],
  ['records_sealed', 'pass', {}, '1200 records are sealed'],
  ['records_sealed', 'pass', logged({ waitingSince: new Date(NOW.getTime() - 60_000) }), 'sealed'],
  ['records_sealed', 'pass', logged({ size: 1 }), '1 record is sealed'],
  ['records_sealed', 'fail', logged({ waitingSince: new Date('2026-11-20T09:30:00Z') }), 'since 2026-11-20'],
  ['records_sealed', 'fail', logged({ isRolledBack: true }), 'a different history'],
  ['records_sealed', 'fail', logged({ isDamaged: true }), 'do not fit'],
  ['records_sealed', 'unknown', logged({ size: 0, waitingSince: NOW }), 'nothing is sealed yet'],
  ['log_vouched', 'pass', {}, 'published; witnesses and time-stamping authorities that vouch for it: 1'],
  ['log_vouched', 'pass', logged({ vouchers: 0 }), 'published'],
  ['log_vouched', 'pass', set({ publish_evidence_log: false }), 'not published'],
  [
    'log_vouched',
    'fail',
    { ...set({ publish_evidence_log: false }), ...logged({ vouchers: 0 }) },
    'not published; witnesses and time-stamping authorities that vouch for it: 0',
  ],
  ['log_vouched', 'unknown', logged({ size: 0 }), 'nothing is sealed yet'],
  ['granular_choice', 'pass', {}, 'settings'],
  [
    'granular_choice',
    'fail',
    shown({ first_layer_buttons: ['accept_all', 'reject_all'] }),
    'accept all, reject all',
  ],
  ['nothing_pre_ticked', 'pass', {}, 'required: necessary'],
  ['nothing_pre_ticked', 'fail', required('analytics'), 'required: necessary, analytics'],
  ['described_categories', 'pass', {}, '4 categories described'],
  [
    'described_categories',
    'fail',
    set({ categories: categories.map((category) => ({ ...category, description: ' ' })) }),
    'without description: necessary, functional',
  ],
  ['texts_in_all_languages', 'pass', set({ languages: ['en', 'de', 'pt-BR'] }), 'en, de, pt-BR'],
  // Norwegian without a form, and Nynorsk, have the texts of Bokmål, as in the banner.
  ['texts_in_all_languages', 'pass', set({ languages: ['en', 'no', 'nn-NO'] }), 'en, no, nn-NO'],
  ['texts_in_all_languages', 'fail', set({ languages: ['en', 'xh'] }), 'missing in xh'],
  [
    'texts_in_all_languages',
    'fail',
    set({ languages: ['en', 'zu'], banner: { ...banner, texts: { zu: {} } } }),
    'texts are missing in zu',
  ],
  [
    'texts_in_all_languages',
    'fail',
    set({ languages: ['en', 'xh'], banner: { ...banner, texts: { xh: { title: 'Iikuki' } } } }),
    'texts are missing in xh',
  ],
  [
    'texts_in_all_languages',
    'fail',
    { ...set({ languages: ['en', 'de'] }), banner: { published: seenOf(SETTINGS), unpublished: undefined } },
    'texts are missing in de',
  ],
  [
    'texts_in_all_languages',
    'pass',
    set({ languages: ['en', 'xh-ZA'], banner: { ...banner, texts: { xh: textsOf('xh') } } }),
    'en, xh-ZA',
  ],
  [
    'texts_in_all_languages',
    'pass',
    set({ languages: ['en', 'xh'], banner: { ...banner, texts: { xh: textsOf('xh') } } }),
    'en, xh',
  ],
  ['banner_alive', 'pass', {}, 'last 7 days'],
  ['banner_alive', 'unknown', { bannerAlive: false }, 'not seen'],
  ['banner_alive', 'unknown', { bannerAlive: false, scans: pagesOf() }, 'not seen'],
  [
    'banner_alive',
    'unknown',
    { bannerAlive: false, ...scanned({ bannerDetected: false, conclusive: false }) },
    'not seen',
  ],
  [
    'banner_alive',
    'fail',
    { bannerAlive: false, ...scanned({ bannerDetected: false }) },
    'no cookie scan found it on shop.example.com/cart (scan of 2026-11-21)',
  ],
  ['banner_alive', 'fail', { bannerAlive: false, status: 'archived' }, 'the site is archived'],
  ['banner_alive', 'fail', { bannerAlive: false, status: 'paused', scans: pagesOf() }, 'the site is paused'],
  ['consent_lifetime', 'pass', {}, '180 days'],
  ['consent_lifetime', 'pass', set({ consent_lifetime_days: 366 }), '366 days'],
  ['consent_lifetime', 'fail', set({ consent_lifetime_days: 367 }), '367 days'],
  ['provable_consents', 'pass', {}, '10 of 10 decisions'],
  ['provable_consents', 'fail', { decisions: { total: 10, withBanner: 9 } }, '9 of 10 decisions'],
  ['provable_consents', 'unknown', { decisions: { total: 0, withBanner: 0 } }, 'no decision'],
  ['reopenable', 'pass', {}, 'a button on every page'],
  ['reopenable', 'unknown', shown({ control: 'custom' }), 'no button of its own'],
  ['requests_in_time', 'pass', {}, '3 resolved, 0 of them late; 0 overdue'],
  ['requests_in_time', 'fail', kept(1, 0), '1 of them late'],
  ['requests_in_time', 'fail', kept(0, 2), '2 overdue'],
  ['requests_in_time', 'unknown', { requests: { resolved: 0, resolvedLate: 0, overdue: 0 } }, '0 resolved'],
  [
    'breaches_reported',
    'pass',
    {},
    '1 reported, 0 late without a reason; 0 need no report, with the reason; 0 overdue',
  ],
  ['breaches_reported', 'fail', reported(1, 0), '1 late without a reason'],
  ['breaches_reported', 'fail', reported(0, 1), '1 overdue'],
  [
    'breaches_reported',
    'unknown',
    { breaches: { reported: 0, reportedLateWithoutReason: 0, overdue: 0, notReportable: 0 } },
    '0 reported',
  ],
  ['retention_set', 'pass', {}, '1825 days'],
  ['retention_set', 'fail', set({ retention_days: { consents: 3650, events: 90 } }), '3650 days'],
  ['privacy_policy', 'pass', {}, 'https://shop.example.com/privacy'],
  ['privacy_policy', 'fail', set({ privacy_policy_url: null }), 'no address'],
  ['controller_named', 'pass', {}, 'name, address and e-mail'],
  ['controller_named', 'fail', set({ controller: { name: 'Shop Ltd' } }), 'missing: address, e-mail address'],
  ['dpo_named', 'pass', {}, 'set'],
  ['dpo_named', 'unknown', set({ controller: {} }), 'not set'],
  ['vendors_described', 'pass', {}, '1 vendors'],
  ['vendors_described', 'fail', listed({ data_retention_days: null }), 'incomplete: Ads'],
  ['vendors_described', 'fail', listed({ purposes: [], categories: [] }), 'incomplete: Ads'],
  ['vendors_described', 'unknown', { vendors: [] }, 'no vendor'],
  ['transfers_safeguarded', 'pass', {}, '0 vendors outside the EEA'],
  [
    'transfers_safeguarded',
    'pass',
    listed({ country: 'US', transfer_safeguard: 'SCC' }),
    '1 vendors outside',
  ],
  ['transfers_safeguarded', 'fail', listed({ country: 'US' }), 'without safeguard: Ads'],
  ['transfers_safeguarded', 'unknown', listed({ country: null }), 'country not recorded: Ads'],
  ['transfers_safeguarded', 'unknown', { vendors: [] }, 'no vendor'],
  ['nothing_before_consent', 'pass', {}, 'none on shop.example.com/ (scan of 2026-11-21)'],
  [
    'nothing_before_consent',
    'fail',
    scanned({ before: [ga] }),
    'before consent on shop.example.com/cart (scan of 2026-11-21): _ga (analytics)',
  ],
  [
    'nothing_before_consent',
    'fail',
    scanned({ before: [{ name: 'ajs_user_id', category: 'analytics', storage: 'local_storage' }] }),
    'ajs_user_id (analytics, local storage)',
  ],
  // The present categories ask for consent where those of the scan did not: its names are not listed.
  ['nothing_before_consent', 'fail', scanned({ beforeCount: 3 }), '2026-11-21): 3 found'],
  ['nothing_before_consent', 'fail', scanned({ before: [ga], beforeCount: 3 }), '_ga (analytics) and 2 more'],
  ['nothing_before_consent', 'unknown', { scans: pagesOf() }, 'not scanned'],
  ['nothing_before_consent', 'unknown', { scans: { ...pagesOf(CLEAN), hasMore: true } }, 'more were scanned'],
  ['nothing_before_consent', 'unknown', { scans: { ...pagesOf(CLEAN), isBehind: true } }, 'still being'],
  [
    'nothing_before_consent',
    'fail',
    { scans: { ...scanned({ before: [ga] }).scans, hasMore: true, isBehind: true } },
    '_ga (analytics)',
  ],
  [
    'nothing_before_consent',
    'fail',
    { scans: pagesOf(...Array.from({ length: 5 }, () => ({ ...CLEAN, before: [ga], beforeCount: 1 }))) },
    /(on shop\.example\.com\/ \(scan of 2026-11-21\): _ga \(analytics\); ){3}2 more pages$/,
  ],
  ['nothing_before_consent', 'unknown', scanned({ conclusive: false }), 'not run to the end'],
  [
    'nothing_before_consent',
    'unknown',
    scanned({ unclassified: ['mine'] }),
    /unknown purpose on .*cart.*: mine/,
  ],
];

const resultOf = (id: string, evidence: Evidence) =>
  scoreOf(evidence).checks.find((check) => check.id === id);

/** Checks of what visitors see: the published banner counts, and not what is saved. */
const SEEN: [string, Partial<Evidence>, string, string][] = [
  ...(
    [
      ['reject_on_first_layer', { first_layer_buttons: ['accept_all', 'settings'] }, 'accept all, settings'],
      ['readable_buttons', { colours: grey }, '2.3:1'],
      ['granular_choice', { first_layer_buttons: ['accept_all', 'reject_all'] }, 'accept all, reject all'],
      ['reopenable', { control: 'custom' }, 'no button of its own'],
    ] as const
  ).map(([id, change, bad]): [string, Partial<Evidence>, string, string] => [
    ...([id, shown(change as Partial<Settings['banner']>), bad] as const),
    resultOf(id, GOOD)?.evidence as string,
  ]),
  ['nothing_pre_ticked', required('analytics'), 'required: necessary, analytics', 'required: necessary'],
  [
    'described_categories',
    set({ categories: categories.map((category) => ({ ...category, description: ' ' })) }),
    'without description: necessary',
    '4 categories described',
  ],
  [
    'texts_in_all_languages',
    set({ banner: { ...banner, texts: {} }, default_language: 'zu', languages: ['zu'] }),
    'texts are missing in zu',
    'texts in en',
  ],
  ['privacy_policy', set({ privacy_policy_url: null }), 'no address', 'https://shop.example.com/privacy'],
  ['vendors_described', listed({ data_retention_days: null }), 'incomplete: Ads', '1 vendors'],
];

const bannerOf = ({ settings = SETTINGS, vendors = [VENDOR] }: Partial<Evidence>) =>
  seenOf(settings, vendors);

test.each(SEEN)('%s: what is saved changes nothing until it is published', (id, bad, saysBad, saysGood) => {
  const before = resultOf(id, siteOf(bad));
  expect(before?.status).toMatch(/fail|unknown/);
  // Mended, and not published.
  const mended = resultOf(
    id,
    siteOf({ banner: { published: bannerOf(bad), unpublished: seenOf(SETTINGS) } }),
  );
  expect(mended?.status).toBe(before?.status);
  expect(mended?.evidence).toMatch(/^in the published banner: .*; saved, but not published yet: /);
  expect(mended?.evidence).toContain(saysBad);
  expect(mended?.evidence).toContain(saysGood);
  expect(mended?.remedy).toMatch(/^Publish the banner/);
  // Spoilt, and not published. Languages of the site alone count as they are saved.
  const settings = id === 'texts_in_all_languages' ? SETTINGS : (bad.settings ?? SETTINGS);
  const spoilt = resultOf(
    id,
    siteOf({ ...bad, settings, banner: { published: seenOf(SETTINGS), unpublished: bannerOf(bad) } }),
  );
  expect(spoilt).toMatchObject({ status: 'pass', remedy: '' });
  expect(spoilt?.evidence).toContain(`not published yet: ${before?.evidence}`);
});

test('without a banner nobody sees what is saved, good or bad', () => {
  for (const [id, bad, saysBad, saysGood] of SEEN) {
    const found = (site: Partial<Evidence>) =>
      resultOf(id, siteOf({ ...site, banner: { published: undefined, unpublished: bannerOf(site) } }));
    expect(found({})).toMatchObject({
      status: 'unknown',
      evidence: expect.stringContaining(`no banner is published; saved, but not published yet: ${saysGood}`),
      remedy: expect.stringMatching(/^Publish the banner/),
    });
    expect(found(bad)).toMatchObject({ status: 'unknown', evidence: expect.stringContaining(saysBad) });
    expect(found(bad)?.remedy).toMatch(/Then publish the banner\.$/);
  }
});

test('what was saved and shows nothing else is not told', () => {
  const banner = { published: seenOf(SETTINGS), unpublished: seenOf({ ...SETTINGS, policy_version: '2' }) };
  expect(scoreOf({ ...GOOD, banner })).toEqual(scoreOf(GOOD));
});

test('of two lifetimes the longer one counts: records end by the setting, the banner asks by its own', () => {
  const long = { ...SETTINGS, consent_lifetime_days: 400 };
  const found = (settings: Settings, published: Settings) =>
    resultOf('consent_lifetime', {
      ...GOOD,
      settings,
      banner: { published: seenOf(published), unpublished: seenOf(settings) },
    });
  expect(found(SETTINGS, long)).toMatchObject({
    ...{ status: 'fail', evidence: '180 days; 400 in the published banner' },
    remedy: expect.stringMatching(/^Publish the banner/),
  });
  expect(found(long, SETTINGS)).toMatchObject({
    ...{ status: 'fail', evidence: '400 days; 180 in the published banner' },
    remedy: expect.stringContaining('366 days at most'),
  });
});

test.each(CASES)('%s: %s', (id, status, change, evidence) => {
  const found = resultOf(id, siteOf(change));
  expect(found).toMatchObject({ id, status });
  if (typeof evidence === 'string') expect(found?.evidence).toContain(evidence);
  else expect(found?.evidence).toMatch(evidence);
  // What to do is said exactly when there is something to do.
  expect(found?.remedy === '').toBe(status === 'pass');
});

test('every check has each of its outcomes above, and those without one are known', () => {
  const covered = (outcome: Outcome) => new Set(CASES.filter(([, o]) => o === outcome).map(([id]) => id));
  const without = (outcome: Outcome) => CHECKS.map(({ id }) => id).filter((id) => !covered(outcome).has(id));
  expect(without('pass')).toEqual([]);
  // One of two controls is always set; not every controller must have an officer.
  expect(without('fail')).toEqual(['reopenable', 'dpo_named']);
  // Settings that nobody must see are always known. Of what visitors see, nothing is before a banner.
  const seen = new Set(SEEN.map(([id]) => id));
  expect(without('unknown').filter((id) => !seen.has(id))).toEqual([
    ...['consent_lifetime', 'retention_set', 'controller_named'],
  ]);
});

test('there are at least 15 checks, each with a name of its own, a weight, a title and a legal source', () => {
  expect(CHECKS.length).toBeGreaterThanOrEqual(15);
  expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length);
  for (const { id, title, weight, legalReference } of CHECKS) {
    expect(id).toMatch(/^[a-z_]+$/);
    expect(title.length).toBeGreaterThan(10);
    expect(Number.isInteger(weight) && weight >= 1 && weight <= 10).toBe(true);
    expect(legalReference).toMatch(/GDPR|ePrivacy|CNIL|EDPB|CJEU/);
  }
});

test('what passes weighs for the score; unknown weighs like a fail', () => {
  expect(scoreOf(GOOD)).toMatchObject({ score: 100, grade: 'A' });
  const all = CHECKS.reduce((sum, { weight }) => sum + weight, 0);
  for (const [id, status, change] of CASES) {
    if (status === 'pass') continue;
    const { score, checks } = scoreOf(siteOf(change));
    const lost = checks.filter((check) => check.status !== 'pass');
    expect(lost.map((check) => check.id)).toContain(id);
    const weight = lost.reduce((sum, check) => sum + check.weight, 0);
    expect(score).toBe(Math.floor((100 * (all - weight)) / all));
    expect(score).toBeLessThan(100);
  }
});

test('a breach that is judged to need no report counts as kept', () => {
  const breaches = { reported: 0, reportedLateWithoutReason: 0, overdue: 0, notReportable: 1 };
  expect(resultOf('breaches_reported', { ...GOOD, breaches })).toMatchObject({
    status: 'pass',
    evidence: expect.stringContaining('1 need no report'),
  });
});

test('while cookies are set before consent no number of points gives more than a D', () => {
  const early = { ...GOOD, ...scanned({ before: [{ name: '_ga', category: 'analytics' }] }) };
  expect(scoreOf(early)).toMatchObject({ grade: 'D', capped_by: 'nothing_before_consent' });
  expect(scoreOf(early).score).toBeGreaterThanOrEqual(75);
  // What the points give by themselves is not held down, nor is a site of which nothing is known.
  expect(scoreOf(GOOD)).toMatchObject({ grade: 'A', capped_by: null });
  expect(scoreOf({ ...GOOD, scans: pagesOf() })).toMatchObject({ grade: 'A', capped_by: null });
  const poor = {
    ...early,
    settings: defaultSettings(),
    banner: { published: seenOf(defaultSettings(), []), unpublished: undefined },
    vendors: [],
    bannerAlive: false,
  };
  const nothing = {
    ...poor,
    decisions: { total: 0, withBanner: 0 },
    requests: { resolved: 0, resolvedLate: 0, overdue: 1 },
  };
  expect(scoreOf(nothing)).toMatchObject({ grade: gradeOf(scoreOf(nothing).score), capped_by: null });
});

test('nobody knows anything of an empty site, and it has no good grade', () => {
  const nothing: Evidence = {
    ...GOOD,
    settings: defaultSettings(),
    banner: { published: undefined, unpublished: seenOf(defaultSettings(), []) },
    vendors: [],
    decisions: { total: 0, withBanner: 0 },
    bannerAlive: false,
    requests: { resolved: 0, resolvedLate: 0, overdue: 0 },
    breaches: { reported: 0, reportedLateWithoutReason: 0, overdue: 0, notReportable: 0 },
    scans: pagesOf(),
  };
  expect(scoreOf(nothing).grade).toBe('F');
});

test.each([
  [100, 'A'],
  [90, 'A'],
  [89, 'B'],
  [75, 'B'],
  [74, 'C'],
  [60, 'C'],
  [59, 'D'],
  [45, 'D'],
  [44, 'E'],
  [30, 'E'],
  [29, 'F'],
  [0, 'F'],
])('%i points are grade %s', (score, grade) => {
  expect(gradeOf(score)).toBe(grade);
});
