import { serialize } from 'node:v8';
import type { Settings } from '../../server/src/domain/types';
import { Sites } from '../../server/src/ingest/sites';
import { useServer } from '../helpers/server';
import { decide, siteWith } from './entries';

const server = useServer({ variables: { ROLE: 'api' } });

const LONG = 'l'.repeat(2_000);
/** Settings as large as an owner can make them, of which no visitor's request reads a word. */
const LARGE = {
  security_measures: Array.from({ length: 100 }, () => LONG.slice(0, 300)),
  processing_activities: Array.from({ length: 200 }, (_, n) => ({
    ...{ name: `Activity ${n}`, purposes: [LONG], lawful_basis: 'consent', transfers: LONG, retention: LONG },
    ...{ subject_categories: [], data_categories: [], recipients: [] },
  })),
} as unknown as Partial<Settings>;

/** What a site takes in memory, without its functions, which cannot be written down. */
const bytesOf = ({ bucket: _, ...site }: ReturnType<typeof siteWith>): number => serialize(site).length;

test('of the settings a process keeps what visitors read, whatever an owner writes into the others', () => {
  expect(bytesOf(siteWith(LARGE))).toBe(bytesOf(siteWith()));
});

test('a site counts with what is kept of it', () => {
  const categories = Array.from({ length: 30 }, (_, n) => ({
    ...{ key: `c${n}`, name: 'Name', description: LONG.slice(0, 1_000), required: false },
  })) as Settings['categories'];
  const site = siteWith({ categories });
  expect(site.size).toBeGreaterThan(bytesOf(site));
});

test('sites are kept up to a number of bytes, those used last', async () => {
  const owner = await server.site();
  const others = await Promise.all([1, 2, 3].map(() => server.site()));
  const tokens = [owner, ...others].map(({ token }) => token);
  const { visitorDb, log } = server.service.context;
  const [first] = await Promise.all([new Sites(visitorDb, log).find(owner.token)]);
  const sites = new Sites(visitorDb, log, undefined, 2.5 * (first?.size ?? 0));
  for (const token of tokens) expect((await sites.find(token))?.token).toBe(token);
  expect(tokens.map((token) => sites.lastKnown(token) !== undefined)).toEqual([false, false, true, true]);
});

test('counts of many kinds are not kept for good', () => {
  const categories = Array.from({ length: 30 }, (_, n) => ({
    ...{ key: `c${n}`, name: 'Name', description: 'Words', required: false },
  })) as Settings['categories'];
  const site = siteWith({ categories });
  const kindOf = (n: number) =>
    decide(site, {
      decision: 'save_preferences',
      categories: Object.fromEntries(categories.map(({ key }, bit) => [key, ((n >> bit) & 1) === 1])),
    }).counts;
  const first = kindOf(0);
  // The same kind shares its list, as long as there are few.
  expect(kindOf(0)).toBe(first);
  for (let n = 1; n < 2_000; n += 1) kindOf(n);
  expect(kindOf(0)).not.toBe(first);
  expect(kindOf(0)).toEqual(first);
});
