import { erfc, twoSided } from '../../server/src/domain/statistics/normal';
import { difference, pValue, trialsOfA, wilson } from '../../server/src/domain/statistics/proportions';

const proportion = (successes: number, trials: number) => ({ successes, trials });

// NIST Digital Library of Mathematical Functions, table 7.23: 1 − erf x.
test.each([
  [0, 1],
  [0.5, 0.4795001222],
  [1, 0.1572992071],
  [2, 0.0046777349],
])('the complementary error function of %d', (x, value) => {
  expect(erfc(x)).toBeCloseTo(value, 6);
});

// The usual quantiles of the normal distribution.
test.each([
  [1.959963985, 0.05],
  [2.575829304, 0.01],
  [3.290526731, 0.001],
])('a value of %d is as far out as on both sides', (z, p) => {
  expect(twoSided(z)).toBeCloseTo(p, 7);
  expect(twoSided(-z)).toBe(twoSided(z));
});

// Newcombe, Two-sided confidence intervals for the single proportion, Stat Med 1998; 17: 857–872, table I, method 3.
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('the score interval of %d of %d', (successes, trials, from, to) => {
  const interval = wilson(proportion(successes, trials));
  expect(interval.from).toBeCloseTo(from, 4);
  expect(interval.to).toBeCloseTo(to, 4);
});

// Newcombe, Interval estimation for the difference between independent proportions, Stat Med 1998; 17: 873–890, table II,
// method 10. There the second is taken from the first.
test.each([
  [56, 70, 48, 80, 0.0524, 0.3339],
  [9, 10, 3, 10, 0.1705, 0.809],
  [6, 7, 2, 7, 0.0582, 0.8062],
  [5, 56, 0, 29, -0.0381, 0.1926],
])('the interval of the difference of %d of %d and %d of %d', (x, m, y, n, from, to) => {
  const found = difference(proportion(y, n), proportion(x, m));
  expect(found.difference).toBeCloseTo(x / m - y / n, 10);
  expect(found.from).toBeCloseTo(from, 4);
  expect(found.to).toBeCloseTo(to, 4);
});

test('the pooled test is the chi-squared test of the table of four fields', () => {
  // X² = N (ad − bc)² ÷ (the four sums) = 150 × 1120² ÷ (70 × 80 × 104 × 46) = 7.0234.
  expect(pValue(proportion(56, 70), proportion(48, 80))).toBeCloseTo(twoSided(Math.sqrt(7.02342)), 5);
  expect(pValue(proportion(56, 70), proportion(48, 80))).toBeCloseTo(0.00804, 4);
  expect(pValue(proportion(5, 10), proportion(50, 100))).toBe(1);
  for (const all of [0, 10]) expect(pValue(proportion(all, 10), proportion(all, 10))).toBe(1);
});

test('the number of trials is that of power.prop.test of R', () => {
  // Its example: power.prop.test(p1 = .50, p2 = .75, power = .90) gives n = 76.7.
  expect(trialsOfA(0.5, 0.75, 1, 1.2815515655446004)).toBeCloseTo(76.7, 1);
  // The same from both ends.
  expect(trialsOfA(0.5, 0.75)).toBeCloseTo(trialsOfA(0.5, 0.25), 8);
});

test('with shares that are unlike more trials are needed in all', () => {
  const total = (ratio: number) => trialsOfA(0.5, 0.55, ratio) * (1 + ratio);
  expect(total(1)).toBeLessThan(total(2));
  expect(total(2)).toBeLessThan(total(9));
  expect(total(9) / total(1 / 9)).toBeCloseTo(1, 1);
});
