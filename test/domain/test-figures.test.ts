import { figuresOf } from '../../server/src/domain/banner/test-figures';
import type { KeptTest } from '../../server/src/domain/banner/tests';

const TEST: KeptTest = {
  ...{ number: 1, digest: 'd', share: 50, aim: 'decisions', smallest_difference: 30, expected_rate: 0.5 },
  ...{ settings_version: 1, a: 'a'.repeat(24), b: 'b'.repeat(24) },
  ...{ started_at: '2026-11-01T00:00:00.000Z', ended_at: null },
};
const counts = (reject_all: number, impressions: number) => ({
  ...{ impressions, reject_all, accept_all: 0, save_preferences: 0, bots: 0 },
});

test('a verdict is for a version only where the interval has no 0 either', () => {
  // The p-value is below 0.05, and the interval has 0.
  for (const [a, b] of [
    [20, 34],
    [34, 20],
  ] as const) {
    const found = figuresOf(TEST, counts(a, 400), counts(b, 400));
    expect(found.p_value).toBeLessThan(0.05);
    expect((found.difference?.from ?? 0) * (found.difference?.to ?? 0)).toBeLessThan(0);
    expect(found.verdict).toBe('no_difference');
    expect(found.verdict_text).toMatch(/too close to call: interval and p-value do not agree\.$/);
  }
});

test('nor where the interval alone has none', () => {
  const found = figuresOf(TEST, counts(575, 1_000), counts(618, 1_000));
  expect(found.p_value).toBeGreaterThan(0.05);
  expect(found.difference?.from).toBeGreaterThan(0);
  expect([found.verdict, found.verdict_text]).toEqual([
    'no_difference',
    expect.stringMatching(/too close to call/),
  ]);
});

test('where both agree, it is plain', () => {
  expect(figuresOf(TEST, counts(20, 400), counts(40, 400)).verdict).toBe('b_better');
  expect(figuresOf(TEST, counts(40, 400), counts(20, 400)).verdict).toBe('a_better');
  const none = figuresOf(TEST, counts(30, 400), counts(32, 400));
  expect([none.verdict, none.verdict_text]).toEqual([
    'no_difference',
    expect.not.stringMatching(/too close to call/),
  ]);
});
