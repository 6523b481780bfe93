import { RateLimiter } from '../../server/src/http/rate-limit';

const MINUTE = 60_000;
/** The beginning of a window. */
const START = MINUTE * 1_000_000;

function limiterAt(limits: { perAddress: number; perSite: number }) {
  const clock = { now: START };
  return { clock, limiter: new RateLimiter(limits, () => clock.now) };
}

test('an address may send so many requests to a site in a minute, and is told how long to wait', () => {
  const { clock, limiter } = limiterAt({ perAddress: 2, perSite: 100 });
  expect([limiter.take('site', 'a'), limiter.take('site', 'a')]).toEqual([0, 0]);
  clock.now += 18_500;
  expect(limiter.take('site', 'a')).toBe(42);
  expect(limiter.take('site', 'b')).toBe(0);
  expect(limiter.take('other', 'a')).toBe(0);
});

test('a site takes so many requests in a minute from everywhere', () => {
  const { limiter } = limiterAt({ perAddress: 100, perSite: 3 });
  expect(['a', 'b', 'c'].map((address) => limiter.take('site', address))).toEqual([0, 0, 0]);
  expect(limiter.take('site', 'd')).toBe(60);
  expect(limiter.take('other', 'd')).toBe(0);
});

test('all the networks of one customer leave the last quarter of a site to others', () => {
  const { limiter } = limiterAt({ perAddress: 10, perSite: 200 });
  const flood = Array.from({ length: 1_000 }, (_, i) =>
    limiter.take('site', `2001:db8:1:${i.toString(16)}::1`),
  );
  expect(flood.filter((wait) => wait === 0)).toHaveLength(150);
  expect(limiter.take('site', '2001:db8:2::1')).toBe(0);
  expect(limiter.take('site', '203.0.113.1')).toBe(0);
});

test('addresses that send as much as they may leave the last quarter to those who send little', () => {
  const { limiter } = limiterAt({ perAddress: 10, perSite: 200 });
  for (let i = 0; i < 400; i += 1) limiter.take('site', `203.0.113.${i % 20}`);
  expect(limiter.take('site', '198.51.100.1')).toBe(0);
});

test('where the counts are full, addresses that come new share the limit of a site, also where there is none', () => {
  const { limiter } = limiterAt({ perAddress: 10, perSite: 200 });
  // One place is that of the limit itself.
  for (let i = 0; i < 199_999; i += 1) limiter.takeAlone('files', `2001:db8:${i >> 12}:${i & 0xfff}::1`, 1);
  const waits = Array.from({ length: 300 }, (_, i) => limiter.takeAlone('files', `2001:db9:1:${i}::1`, 1));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(200);
});

test('what is refused uses up nothing of a site', () => {
  const { limiter } = limiterAt({ perAddress: 10, perSite: 200 });
  for (let i = 0; i < 5_000; i += 1) limiter.take('site', `2001:db8:1:${i.toString(16)}::1`);
  const others = Array.from({ length: 60 }, (_, i) => limiter.take('site', `203.0.113.${i}`));
  expect(others.filter((wait) => wait === 0)).toHaveLength(50);
});

test('the next minute begins anew, and the wait is never 0', () => {
  const { clock, limiter } = limiterAt({ perAddress: 1, perSite: 100 });
  expect(limiter.take('site', 'a')).toBe(0);
  clock.now = START + MINUTE - 1;
  expect(limiter.take('site', 'a')).toBe(1);
  clock.now = START + MINUTE;
  expect(limiter.take('site', 'a')).toBe(0);
});

test('a flood of addresses does not grow without bound, and known ones stay limited', () => {
  const { limiter } = limiterAt({ perAddress: 1, perSite: 10_000_000 });
  expect(limiter.take('site', 'known')).toBe(0);
  for (let i = 0; i < 250_000; i += 1) limiter.take('site', String(i));
  expect((limiter as unknown as { counts: Map<string, number> }).counts.size).toBeLessThanOrEqual(200_002);
  expect(limiter.take('site', 'known')).toBeGreaterThan(0);
});

test('a flood of addresses switches no limit off: those that do not fit share one', () => {
  const { limiter } = limiterAt({ perAddress: 1, perSite: 10_000_000 });
  for (let i = 0; i < 200_000; i += 1) limiter.take('site', String(i));
  const waits = Array.from({ length: 50 }, (_, i) =>
    limiter.take('login', `new ${i}`, { perAddress: 30, perSite: 20 }),
  );
  expect(waits.filter((wait) => wait === 0)).toHaveLength(20);
});

test('a wall clock that is set forward and back changes nothing: never more than a minute to wait', () => {
  const limiter = new RateLimiter({ perAddress: 1, perSite: 10 });
  const real = Date.now();
  limiter.take('site', 'address');
  const wall = jest.spyOn(Date, 'now').mockReturnValue(real + 7_200_000);
  limiter.take('site', 'address');
  wall.mockRestore();
  limiter.take('site', 'address');
  const wait = limiter.take('site', 'address');
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(wait).toBeLessThanOrEqual(60);
});
