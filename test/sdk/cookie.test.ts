import { allows, allowsVendor, isConsented, readConsentCookie } from '../../sdk/src/cookie';

const SITE = 'env_0123456789012345678901';
const SESSION = '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11';
const AT = Date.UTC(2026, 10, 26);
const DAY = 86_400_000;

const cookie = (changed: Record<string, string> = {}, name = 'avow_consent'): string =>
  `${name}=${new URLSearchParams({
    ...{ v: '1', site: SITE, session_id: SESSION, decision: 'save_preferences', method: 'settings' },
    ...{ policy_version: '2026/1 ü', at: `${AT}`, allowed: 'functional maps', refused: 'marketing' },
    ...changed,
  })}`;
const read = (header: string | null | undefined, more: object = {}) =>
  readConsentCookie(header, {
    ...{ site: SITE, policyVersion: '2026/1 ü', lifetimeDays: 180, now: AT + DAY },
    ...more,
  });

test('the decision is read, wherever the cookie stands in the header', () => {
  expect(read(`theme=dark; ${cookie()}; _ga=1`)).toEqual({
    ...{ decision: 'save_preferences', method: 'settings', policy_version: '2026/1 ü' },
    ...{ recorded_at: '2026-11-26T00:00:00.000Z', session_id: SESSION },
    categories: { functional: true, maps: true, marketing: false },
    rule: null,
    vendors: null,
  });
  expect(read(cookie({}, 'choice'), { name: 'choice' })?.session_id).toBe(SESSION);
});

test.each([
  ['no header', undefined],
  ['null', null],
  ['nothing', ''],
  ['another name', cookie({}, 'xavow_consent')],
  ['another site', cookie({ site: 'env_9999999999999999999999' })],
  ['a later format', cookie({ v: '2' })],
  ['no session', cookie({ session_id: 'me' })],
  ['no time', cookie({ at: 'now' })],
  ['a time that no date has', cookie({ at: '1e300' })],
  ['a time just beyond all dates', cookie({ at: '8640000000000001' })],
  ['a time of long ago', cookie({ at: '-1' })],
  ['a decision that is none', cookie({ decision: 'accept' })],
  ['an empty value', 'avow_consent='],
  ['broken escapes', 'avow_consent=%E0%A4%A'],
])('it is no decision with %s', (_what, header) => {
  expect(read(header)).toBeNull();
});

test('what has expired, was for another policy, or comes from a wrong clock counts for nothing', () => {
  expect(read(cookie(), { lifetimeDays: 2 })).not.toBeNull();
  expect(read(cookie(), { lifetimeDays: 0.5 })).toBeNull();
  expect(read(cookie(), { policyVersion: '2026/1 ü' })).not.toBeNull();
  expect(read(cookie(), { policyVersion: '2' })).toBeNull();
  // What nobody compares with the settings may have ended long ago: the cookie stays while the banner asks again.
  expect(read(cookie(), { policyVersion: undefined })).toBeNull();
  for (const policyVersion of ['', null])
    expect(read(cookie({ policy_version: '' }), { policyVersion })).toBeNull();
  // Also of a clock that is a little ahead, which would be within a lifetime of nothing.
  for (const header of [cookie(), cookie({ at: `${AT + 1.5 * DAY}` })])
    for (const lifetimeDays of [undefined, null, Number.NaN, 0, '', -1])
      expect(read(header, { lifetimeDays })).toBeNull();
  expect(read(cookie({ at: `${AT + 1.5 * DAY}` }))).not.toBeNull();
  expect(read(cookie({ at: `${AT + 3 * DAY}` }))).toBeNull();
});

test('a decision that does not name a category of the site is none, as the banner asks again', () => {
  for (const categories of [undefined, [], ['maps'], ['marketing', 'maps', 'functional']])
    expect(read(cookie(), { categories })?.decision).toBe('save_preferences');
  for (const added of ['analytics', '__proto__', 'constructor']) {
    const consent = read(cookie(), { categories: ['functional', added] });
    expect(consent).toBeNull();
    expect(allows(consent, 'functional')).toBe(false);
  }
});

test('a place that no later decision could have is none', () => {
  const later = cookie({ at: `${AT + 1}`, decision: 'reject_all', allowed: '', refused: 'maps' });
  for (const order of ['Infinity', '1e999', `1${'0'.repeat(400)}`]) {
    const forged = cookie({ order, decision: 'accept_all', allowed: 'functional maps', refused: '' });
    for (const header of [`${forged}; ${later}`, `${later}; ${forged}`])
      expect(read(header)?.decision).toBe('reject_all');
  }
});

test('of two cookies of the name the latest decision counts', () => {
  const later = cookie({ at: `${AT + 1}`, decision: 'reject_all', allowed: '', refused: 'maps' });
  for (const header of [`${cookie()}; ${later}`, `${later}; ${cookie()}`])
    expect(read(header)?.decision).toBe('reject_all');
});

test.each([
  [
    'a refusal after one of a clock that was ahead',
    { order: `${AT + 9}` },
    { at: `${AT + 5}` },
    'accept_all',
  ],
  [
    'a refusal that did not know the place of a consent',
    {},
    { at: `${AT - 5}`, order: `${AT + 9}` },
    'accept_all',
  ],
])('where place and time disagree, the one that allows less counts: %s', (_, refused, allowed, decision) => {
  const refusal = cookie({ decision: 'reject_all', allowed: '', refused: 'maps', ...refused });
  const consent = cookie({ decision, allowed: 'functional maps', refused: '', ...allowed });
  for (const header of [`${refusal}; ${consent}`, `${consent}; ${refusal}`])
    expect(read(header)?.decision).toBe('reject_all');
});

test.each([
  ['other categories', { decision: 'save_preferences', allowed: 'marketing', refused: 'maps' }, AT - 3],
  [
    'the same ones',
    { decision: 'save_preferences', allowed: 'functional maps', refused: 'marketing' },
    AT - 3,
  ],
  [
    'less, but by a clock that is days ahead',
    { decision: 'reject_all', allowed: '', refused: 'maps' },
    AT + 9 * DAY,
  ],
  ['less, but with another string of the framework', { allowed: 'maps', refused: '', tc: 'A~1' }, AT - 3],
])('where they disagree, and the one before allows %s, the place counts', (_, fields, at) => {
  const before = at > AT ? cookie({ ...fields, at: `${at}` }) : cookie({ ...fields, at: `${AT + 5}` });
  const after = cookie({ at: `${AT}`, order: `${Math.max(at, AT + 5) + 1}`, method: 'banner' });
  for (const header of [`${before}; ${after}`, `${after}; ${before}`])
    expect(read(header)).toMatchObject({ method: 'banner', decision: 'save_preferences' });
});

test('what allows nothing allows less, though only one of the two was asked by vendor', () => {
  const nothing = { allowed: '', refused: 'maps', allowed_vendors: '', refused_vendors: '755' };
  const refusal = cookie({ ...nothing, at: `${AT + 5}`, order: `${AT + 6}` });
  const consent = cookie({ decision: 'accept_all', order: `${AT + 9}` });
  for (const header of [`${refusal}; ${consent}`, `${consent}; ${refusal}`])
    expect(read(header)?.categories).toEqual({ maps: false });
});

test('keys are looked for in a set, of which a header may have thousands', () => {
  const keys = Array.from({ length: 400 }, (_, n) => `k${n}`);
  const less = cookie({ allowed: keys.slice(200).join(' '), refused: '', at: `${AT + 5}` });
  const more = cookie({ allowed: keys.join(' '), refused: '', order: `${AT + 9}` });
  const includes = jest.spyOn(Array.prototype, 'includes');
  const found = read(`${more}; ${less}`);
  const most = Math.max(0, ...includes.mock.contexts.map((list) => (list as unknown[]).length));
  includes.mockRestore();
  expect(found && Object.keys(found.categories)).toHaveLength(200);
  expect(most).toBeLessThan(10);
});

test('of a hundred cookies of the name few are compared', () => {
  const keys = Array.from({ length: 500 }, (_, n) => `k${n}`).join(' ');
  const large = cookie({ allowed: keys, refused: '', at: '1', order: '9999' });
  const small = Array.from({ length: 100 }, (_, n) => cookie({ allowed: '', at: `${n + 2}`, tc: 'x' }));
  const entries = jest.spyOn(Object, 'entries');
  read([large, ...small].join('; '));
  const of = entries.mock.calls.filter(([record]) => Object.keys(record).length >= 500);
  entries.mockRestore();
  expect(of.length).toBeLessThan(20);
});

test('only what the visitor has allowed is allowed', () => {
  const consent = read(cookie());
  expect(['functional', 'marketing', 'unknown'].map((key) => allows(consent, key))).toEqual([
    true,
    false,
    false,
  ]);
  expect(['constructor', 'toString', '__proto__'].map((key) => allows(consent, key))).toEqual([
    false,
    false,
    false,
  ]);
  expect(allows(null, 'functional')).toBe(false);
  // Refused, should a category stand in both lists.
  expect(allows(read(cookie({ refused: 'maps marketing' })), 'maps')).toBe(false);
});

test.each([
  [undefined, null, true],
  ['opt_in', 'opt_in', true],
  ['opt_out', 'opt_out', false],
  ['notice', 'notice', false],
  // Of a later version: what it allows passes for no consent.
  ['told', 'notice', false],
  ['', 'notice', false],
] as const)('by the rule %s what is allowed was consented to, or left on', (sent, rule, consented) => {
  const consent = read(cookie(sent === undefined ? {} : { gpc: '1', rule: sent }));
  expect(consent?.rule).toBe(rule);
  expect(allows(consent, 'functional')).toBe(true);
  expect(isConsented(consent, 'functional')).toBe(consented);
  for (const key of ['marketing', 'unknown', '__proto__']) expect(isConsented(consent, key)).toBe(false);
});

test('the rule is that of the decision that counts, and nobody has consented without one', () => {
  const [left, asked] = [
    cookie({ rule: 'opt_out' }),
    cookie({ at: `${AT + 1}`, allowed: 'maps', rule: 'opt_in' }),
  ];
  for (const header of [`${left}; ${asked}`, `${asked}; ${left}`])
    expect(read(`${cookie({ site: 'env_9999999999999999999999' })}; ${header}`)?.rule).toBe('opt_in');
  const host = cookie({ at: `${AT + 1}`, v: '2', rule: 'opt_in' });
  expect(read(`${host}; ${cookie({ at: `${AT + 1}`, rule: 'notice' })}`)?.rule).toBe('notice');
  expect(isConsented(null, 'functional')).toBe(false);
});

test('a vendor’s own choice counts, and where the decision names none, its category', () => {
  const consent = read(cookie({ allowed_vendors: '801 802', refused_vendors: '755 802 0 x' }));
  expect({ ...consent?.vendors }).toEqual({ 755: false, 801: true, 802: false });
  const allowed = [801, 755, 802, 7].map((id) => allowsVendor(consent, id, 'functional'));
  expect(allowed).toEqual([true, false, false, false]);
  expect(allowsVendor(read(cookie()), 755, 'functional')).toBe(true);
  expect(allowsVendor(read(cookie()), 755, 'marketing')).toBe(false);
  expect(allowsVendor(null, 801, 'functional')).toBe(false);
  // Asked about all, and refused all.
  expect(read(cookie({ allowed_vendors: '', refused_vendors: '' }))?.vendors).toEqual({});
});
