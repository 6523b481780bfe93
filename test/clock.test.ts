import { Clock, clock } from '../server/src/domain/clock';
import { newId, timeOfId } from '../server/src/domain/ids';

const T = 1_800_000_000_000;

/** A clock with a monotonic and a wall time of the test's own. */
function clockOf() {
  const time = { monotonic: 1_000, wall: T };
  return {
    time,
    clock: new Clock(
      () => time.monotonic,
      () => time.wall,
    ),
  };
}

test('before the first measurement it is the wall clock, and nothing may be decided', () => {
  const { clock, time } = clockOf();
  expect(clock.now()).toBe(T);
  time.monotonic += 5;
  expect(clock.now()).toBe(T + 5);
  expect(clock.disagreement()).toContain('not known yet');
});

test('it is the database’s time, whatever the wall clock does', () => {
  const { clock, time } = clockOf();
  clock.observe(1_000, T + 500, 1_000);
  time.wall += 7_200_000;
  time.monotonic += 10;
  expect(clock.now()).toBe(T + 510);
  time.wall = 0;
  expect(clock.now()).toBe(T + 510);
});

test('a slow answer does not spoil what a quick one has told', () => {
  const { clock, time } = clockOf();
  clock.observe(998, T, 1_000);
  expect(clock.now()).toBe(T + 1);
  // Asked at 1,000 and answered at 3,000, read by the database at the very end.
  time.monotonic = 3_000;
  clock.observe(1_000, T + 2_001, 3_000);
  expect(Math.abs(clock.now() - (T + 2_001))).toBeLessThanOrEqual(2);
});

test.each([7_200_000, -7_200_000])('a database whose clock was set by %i ms is followed at once', (step) => {
  const { clock, time } = clockOf();
  clock.observe(999, T, 1_000);
  time.monotonic = 2_000;
  clock.observe(1_999, T + 1_000 + step, 2_000);
  expect(Math.abs(clock.now() - (T + 1_000 + step))).toBeLessThanOrEqual(1);
});

test.each([
  [-30_000, true],
  [-1_500, true],
  [-500, false],
  [30_000, false],
])(
  'a database whose clock was set by %i ms: that it was set back is noticed for a while: %s',
  (step, noticed) => {
    const { clock, time } = clockOf();
    clock.observe(999, T, 1_000);
    expect(clock.wasSetBack()).toBe(false);
    time.monotonic = 2_000;
    clock.observe(1_999, T + 1_000 + step, 2_000);
    expect(clock.wasSetBack()).toBe(noticed);
    time.monotonic = 20_000;
    expect(clock.wasSetBack()).toBe(false);
  },
);

test.each([
  [59_000, undefined],
  [-59_000, undefined],
  [61_000, '1 minute ahead of'],
  [-7_300_000, '2 hours behind'],
  [2_190 * 86_400_000, '2190 days ahead of'],
])('a wall clock %i ms off: %s', (off, words) => {
  const { clock, time } = clockOf();
  clock.observe(1_000, T, 1_000);
  time.wall = T + off;
  expect(clock.disagreement()).toEqual(
    words && `the clock of this machine is ${words} the database's: correct the wrong one`,
  );
});

describe('ids', () => {
  afterEach(() => jest.restoreAllMocks());
  const at = (time: number): string => {
    jest.spyOn(clock, 'now').mockReturnValue(time);
    return newId();
  };

  test('are in order within a millisecond, and while the clock is set back by less than a second', () => {
    const ids = [...Array.from({ length: 1_000 }, () => at(T)), at(T - 1), at(T - 1_000), at(T + 1)];
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('have the right time again at once after a jump forward and back', () => {
    at(T);
    expect(timeOfId(at(T + 7_200_000)).getTime()).toBe(T + 7_200_000);
    expect(timeOfId(at(T + 5)).getTime()).toBe(T + 5);
    expect(timeOfId(at(T + 6)).getTime()).toBe(T + 6);
  });
});
