import type { Context } from '../../server/src/context';
import { admitPage } from '../../server/src/http/admit';
import { RateLimiter } from '../../server/src/http/rate-limit';

test('one address opens so many pages in a minute, of however many sites', async () => {
  const sites = { peek: (id: string) => ({ id, paused: false }) };
  const limiter = new RateLimiter({ perAddress: 10, perSite: 1_000 });
  const open = (at: number, address: string) =>
    admitPage({ sites } as unknown as Context, limiter, `site ${at}`, address).then(
      () => 200,
      ({ status }) => status,
    );
  const states: number[] = [];
  for (let at = 0; at < 25; at += 1) states.push(await open(at, '203.0.113.1'));
  expect(states.filter((status) => status === 200)).toHaveLength(20);
  expect(states.at(-1)).toBe(429);
  expect(await open(0, '203.0.113.2')).toBe(200);
});
