import { randomUUID } from 'node:crypto';
import { pageOf } from '../../server/src/domain/cookies/page';
import { useServer } from '../helpers/server';

const server = useServer({ variables: { ROLE: 'api' } });
const MINUTE = 60_000;

const cookie = (name: string) => ({
  ...{ storage: 'cookie', name, domain: 'shop.example.com', category: 'analytics', max_age_seconds: 60 },
  ...{ secure: true, http_only: false, same_site: 'Lax', set_before_consent: true, first_party: true },
});

/** A scan that is over, as the runner leaves it; `isOld`: by a process of the version before. */
async function scanned(
  token: string,
  { url = 'https://shop.example.com/', ago = 0, names = [] as string[], state = 'done', isOld = false },
): Promise<string> {
  const { db } = server.service.context;
  const { id: environment_id } = await db('environments').where({ token }).first('id');
  const scan_id = randomUUID();
  const at = new Date(Date.now() - ago * MINUTE);
  const result = {
    ...{ cookies: names.map(cookie), stored_items: [], requests: [], findings: [] },
    ...{ banner_detected: true, conclusive: true },
  };
  await db('cookie_scans').insert({
    ...{ scan_id, environment_id, url, domain: 'shop.example.com', state, engine: 'browser', runs: 1 },
    ...{ result: state === 'done' ? JSON.stringify(result) : null, page: isOld ? null : pageOf(url).page },
    ...{ created_at: at, started_at: at, finished_at: at },
  });
  return scan_id;
}

test('a scan is compared with the last one before it of the same page', async () => {
  const { client, token } = await server.site();
  const other = await server.site();
  await scanned(other.token, { ago: 2, names: ['foreign'] });
  await scanned(token, { ago: 9, names: ['older'] });
  const before = await scanned(token, { ago: 5, names: ['goes', 'stays'], url: 'http://shop.example.com' });
  await scanned(token, { ago: 4, names: ['elsewhere'], url: 'https://shop.example.com/other' });
  await scanned(token, { ago: 3, state: 'failed' });
  const scan_id = await scanned(token, { names: ['stays', 'comes'] });
  const changes = await client.getScanChanges({ token, scan_id });
  expect(changes).toMatchObject({ scan_id, status: 'done', before_scan_id: before, saw_less: false });
  const { added, gone, changed } = changes.cookies;
  expect([added, gone].map((list) => list.map(({ name }) => name))).toEqual([['comes'], ['goes']]);
  expect(changed).toEqual([]);
});

test('scans of the version before are found by their address', async () => {
  const { client, token } = await server.site();
  const before = await scanned(token, { ago: 5, names: ['_ga'], isOld: true });
  const scan_id = await scanned(token, { isOld: true });
  const changes = await client.getScanChanges({ token, scan_id });
  expect(changes).toMatchObject({ before_scan_id: before, cookies: { gone: [{ name: '_ga' }] } });
});

test('of the first scan of a page all is new, and of one that is not over nothing is told', async () => {
  const { client, token } = await server.site();
  const first = await scanned(token, { names: ['_ga'] });
  expect(await client.getScanChanges({ token, scan_id: first })).toMatchObject({
    ...{ before_scan_id: null, before_created_at: null, cookies: { added: [{ name: '_ga' }] } },
  });
  const failed = await scanned(token, { state: 'failed' });
  expect(await client.getScanChanges({ token, scan_id: failed })).toMatchObject({
    ...{ status: 'failed', before_scan_id: null, cookies: { added: [], gone: [] } },
  });
});

test('scans of other sites, and old ones, are not found', async () => {
  const [one, two] = [await server.site(), await server.site()];
  const foreign = await scanned(two.token, {});
  const old = await scanned(one.token, { ago: 31 * 1440 });
  for (const scan_id of [foreign, old])
    await expect(one.client.getScanChanges({ token: one.token, scan_id })).rejects.toMatchObject({
      status: 404,
    });
});
