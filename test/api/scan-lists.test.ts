import { randomUUID } from 'node:crypto';
import { useServer } from '../helpers/server';

const DAY = 86_400_000;
const server = useServer({ variables: { ROLE: 'api' } });

/** Scans of a site that began so many days ago. */
async function scanned(token: string | null, ...days: number[]): Promise<string[]> {
  const { db } = server.service.context;
  const environment = token === null ? undefined : await db('environments').where({ token }).first('id');
  const ids = days.map(() => randomUUID());
  await db('cookie_scans').insert(
    days.map((age, index) => ({
      scan_id: ids[index],
      environment_id: environment?.id ?? null,
      url: 'https://shop.example.com/',
      domain: 'shop.example.com',
      state: 'failed',
      runs: 1,
      error: 'The page could not be reached.',
      created_at: new Date(Date.now() - age * DAY),
    })),
  );
  return ids;
}

test('the scans of a site are listed, newest first, page by page', async () => {
  const { client, token } = await server.site();
  const ids = await scanned(token, 1, 2, 3, 4, 5);
  const seen = [];
  for await (const scan of client.listScans.each({ token, limit: 2 })) seen.push(scan);
  expect(seen.map(({ scan_id }) => scan_id)).toEqual(ids);
  expect(seen[0]).toEqual(await server.visitor.getScan({ scan_id: ids[0] as string }));
});

test('scans of other sites, of no site, or older than 30 days are not among them', async () => {
  const [one, two] = [await server.site(), await server.site()];
  const [mine] = await scanned(one.token, 29, 31);
  await scanned(two.token, 1);
  await scanned(null, 1);
  const { items, next_cursor } = await one.client.listScans({ token: one.token });
  expect([items.map(({ scan_id }) => scan_id), next_cursor]).toEqual([[mine], null]);
});

test('a new site has none', async () => {
  const { client, token } = await server.site();
  expect(await client.listScans({ token })).toEqual({ items: [], next_cursor: null });
});
