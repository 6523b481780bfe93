import { listing } from '../../server/src/domain/cookies/listed-cookies';
import type { Vendor } from '../../server/src/domain/types';
import { atOnce } from '../helpers/at-once';
import { vendor } from '../helpers/site/vendors';

const listOf = (cookies: Vendor['cookies'], name = 'A'): Vendor =>
  vendor(1, name, { cookies }) as unknown as Vendor;
const cookie = (name: string, category: string, domain?: string) => ({
  ...{ name, category, max_age_seconds: 1, ...(domain === undefined ? {} : { domain }) },
});

test('the first that matches a name and a domain counts, whether it is written in full or ends in *', () => {
  const find = atOnce(
    listing([
      listOf([cookie('_ga_*', 'analytics', 'shop.example.com'), cookie('_ga_x', 'marketing')]),
      listOf([cookie('*', 'functional', '.other.example'), cookie('_*', 'social')], 'B'),
    ]),
  );
  expect(find('_ga_x', 'www.shop.example.com')).toEqual({ category: 'analytics', vendor: 'A' });
  expect(find('_ga_x', 'example.com')).toEqual({ category: 'analytics', vendor: 'A' });
  expect(find('_ga_x', 'elsewhere.example')).toEqual({ category: 'marketing', vendor: 'A' });
  expect(find('_gb', 'elsewhere.example')).toEqual({ category: 'social', vendor: 'B' });
  expect(find('anything', 'a.other.example')).toEqual({ category: 'functional', vendor: 'B' });
  expect(find('anything', 'elsewhere.example')).toBeUndefined();
});

test('a cookie of a long name and host is looked for no longer than either', () => {
  const find = atOnce(listing([listOf([cookie(`${'y'.repeat(199)}*`, 'analytics')])]));
  const get = jest.spyOn(Map.prototype, 'get');
  const set = jest.spyOn(Map.prototype, 'set');
  find('x'.repeat(4_000), 'a.b.c.d.e.f.g.h.shop.example');
  const looked = get.mock.calls.length + set.mock.calls.length;
  get.mockRestore();
  set.mockRestore();
  // The name itself, and the one length with which a beginning is listed.
  expect(looked).toBe(2);
});
