import { loadCode } from '../helpers/banner/load-code';

type States = typeof import('../../sdk/banner/src/debug/states');
const { nothingYet, statesOf, stateAt } = loadCode<States>('debug/states.ts');

const settings = {
  categories: [
    { key: 'necessary', required: true },
    { key: 'analytics', required: false },
  ],
} as never;
const rule = (name: string, analytics: boolean) => ({
  rule: name,
  region: 'US-CA',
  categories: { necessary: true, analytics },
});
const decision = (decided: string, analytics: boolean, at: number) => ({
  ...{ decision: decided, method: 'banner', recorded_at: new Date(at).toISOString() },
  categories: { necessary: true, analytics },
});
/** A moment of this page, which began when the test did, and one before it. */
const HERE = () => Date.now();
const EARLIER = () => Date.now() - performance.now() - 60_000;

describe('what was allowed when', () => {
  test('before a decision: what is required, or what the rule of the region allows', () => {
    const asked = statesOf({ settings, heard: [], consent: null, rule: undefined });
    expect(asked).toMatchObject([
      { decision: null, rule: null, categories: { necessary: true, analytics: false } },
    ]);
    const told = statesOf({ settings, heard: [], consent: null, rule: rule('opt_out', true) });
    expect(told).toMatchObject([{ decision: null, rule: 'opt_out', categories: { analytics: true } }]);
  });

  test('a rule that was heard before a decision says what the page began with', () => {
    const refused = decision('reject_all', false, HERE());
    const heard = [
      { name: 'rule', detail: rule('opt_out', true) },
      { name: 'consent', detail: refused },
    ];
    const states = statesOf({ settings, heard, consent: refused, rule: rule('opt_out', true) });
    expect(states).toMatchObject([
      { decision: null, rule: 'opt_out', categories: { analytics: true } },
      { decision: 'reject_all', earlier: false, categories: { analytics: false } },
    ]);
    expect(stateAt(states, 0).decision).toBeNull();
    expect(stateAt(states, performance.now() + 10).decision).toBe('reject_all');
  });

  test('where nobody can tell any more, it says so instead of calling it refused', () => {
    const made = decision('accept_all', true, HERE());
    const [first] = statesOf({ settings, heard: [], consent: made, rule: rule('opt_out', true) });
    expect(first).toMatchObject({ decision: null, categories: null });
    const [asked] = statesOf({ settings, heard: [], consent: made, rule: rule('opt_in', true) });
    expect(asked).toMatchObject({ decision: null, categories: null });
    const ready = [{ name: 'ready', detail: null }];
    const told = { settings, heard: [...ready, { name: 'consent', detail: made }], rule: undefined };
    expect(statesOf({ ...told, consent: made })).toMatchObject([
      { decision: null, categories: { necessary: true, analytics: false } },
      { decision: 'accept_all' },
    ]);
    // Of the last one nobody has told, so that others may have come between.
    const last = decision('reject_all', false, HERE() + 1_000);
    const states = statesOf({ ...told, consent: last });
    expect(states).toMatchObject([
      { ms: 0, decision: null },
      { decision: 'accept_all' },
      { ms: states[1]?.ms, decision: null, categories: null },
      { decision: 'reject_all' },
    ]);
  });

  test('without a banner that runs, its settings or its rule, nothing is said', () => {
    const none = { heard: [], rule: undefined };
    for (const one of [
      { ...none, settings, consent: undefined },
      { ...none, settings: undefined, consent: null },
      { ...none, settings: { ...(settings as object), regions: {} } as never, consent: null },
    ])
      expect(statesOf(one)).toMatchObject([{ ms: 0, decision: null, categories: null }]);
  });

  test('what was seen of an earlier decision stays when the page has another one, or none', () => {
    const memory = nothingYet();
    const all = { settings, rule: undefined };
    statesOf({ ...all, heard: [], consent: decision('accept_all', true, EARLIER()) }, memory);
    const refused = decision('reject_all', false, HERE());
    const heard = [{ name: 'change', detail: refused, ms: performance.now() }];
    const both = [{ ms: 0, earlier: true, decision: 'accept_all' }, { decision: 'reject_all' }];
    expect(statesOf({ ...all, heard, consent: refused }, memory)).toMatchObject(both);
    // The data layer that told of it is gone.
    expect(statesOf({ ...all, heard: [], consent: refused }, memory)).toMatchObject(both);
    const after = statesOf({ ...all, heard: [], consent: null }, memory);
    expect(after).toMatchObject([...both, { decision: null, categories: null }]);
  });

  test('what was heard is where it was heard, whatever the clock says', () => {
    for (const shift of [-3_600_000, 3_600_000]) {
      const memory = nothingYet();
      const none = { settings, heard: [], consent: null, rule: undefined };
      statesOf(none, memory);
      const made = decision('accept_all', true, HERE() + shift);
      const ms = performance.now();
      const heard = [
        { name: 'consent', detail: made },
        { name: 'change', detail: made, ms },
      ];
      expect(statesOf({ ...none, heard, consent: made }, memory)).toMatchObject([
        { decision: null },
        { ms, earlier: false, decision: 'accept_all' },
      ]);
    }
  });

  test('between a decision and the moment at which it was heard, nothing is certain', () => {
    const made = decision('accept_all', true, HERE() + 1_000);
    const at = Date.parse(made.recorded_at) - Date.now() + performance.now();
    const heard = [
      { name: 'ready', detail: null },
      { name: 'consent', detail: made },
      { name: 'consent', detail: made, ms: at + 30 },
    ];
    const states = statesOf({ settings, heard, consent: made, rule: undefined });
    expect(states).toMatchObject([{ categories: { analytics: false } }, { ms: at + 30 }]);
    expect(stateAt(states, at - 10).categories).toEqual({ necessary: true, analytics: false });
    expect(stateAt(states, at + 15).categories).toBeNull();
    expect(stateAt(states, at + 30).decision).toBe('accept_all');
  });

  test('vendors are told of, whatever they inherit, also those of a rule before a decision', () => {
    const vendors = (choices: object) => Object.assign(Object.create(null), choices);
    const told = { ...rule('opt_out', true), vendors: vendors({ 755: true, 801: false }) };
    const made = {
      ...decision('save_preferences', true, HERE()),
      vendors: vendors({ 755: false, 801: true }),
    };
    const heard = [
      { name: 'rule', detail: told },
      { name: 'consent', detail: made },
    ];
    const states = statesOf({ settings, heard, consent: made, rule: told });
    expect(states.map((state) => ({ ...state.vendors }))).toEqual([
      { 755: true, 801: false },
      { 755: false, 801: true },
    ]);
  });

  test('times stay when the machine sleeps after they were read', () => {
    const memory = nothingYet();
    const made = decision('accept_all', true, HERE());
    const all = { settings, heard: [{ name: 'ready', detail: null }], consent: made, rule: undefined };
    const before = statesOf(all, memory);
    const later = Date.now() + 3_600_000;
    const now = jest.spyOn(Date, 'now').mockReturnValue(later);
    try {
      expect(statesOf(all, memory)).toEqual(before);
      const next = decision('reject_all', false, HERE() - 3_600_000 + 50);
      expect(statesOf({ ...all, consent: next }, memory).at(-1)).toMatchObject({ earlier: false });
    } finally {
      now.mockRestore();
    }
  });

  test('a decision of before the page was there from its beginning; the same one heard twice counts once', () => {
    const made = decision('accept_all', true, EARLIER());
    const heard = [
      { name: 'consent', detail: made },
      { name: 'consent', detail: made, ms: 40 },
    ];
    expect(statesOf({ settings, heard, consent: made, rule: undefined })).toMatchObject([
      { ms: 0, earlier: true, decision: 'accept_all' },
    ]);
  });
});
