import { loadCode } from '../helpers/banner/load-code';

type States = typeof import('../../sdk/banner/src/debug/states');
const { statesOf, stateAt } = loadCode<States>('debug/states.ts');

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
    expect(asked).toMatchObject({ decision: null, categories: { necessary: true, analytics: false } });
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
