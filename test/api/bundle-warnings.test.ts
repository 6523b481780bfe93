import { createAvow } from '@avow/sdk';
import { PROGRAM } from '../helpers/banner/program';
import { checkedFetch } from '../helpers/contract';
import { startServer, type TestServer, useServer } from '../helpers/server';
import { rowsIn } from '../helpers/site/people';
import { vendor } from '../helpers/site/vendors';

const KEYS = { JWT_SECRET: 'a secret of at least 32 characters!', ROLE: 'api' };
const ADDRESS = { ...KEYS, PUBLIC_URL: 'https://consent.example.com' };
const server = useServer({ variables: ADDRESS, program: PROGRAM });

type Site = Awaited<ReturnType<TestServer['site']>>;

/** The warnings of a site, which must be the same wherever they are shown. */
async function warningsOf({ client, token }: Pick<Site, 'client' | 'token'>) {
  const { items } = await client.listWarnings({ token });
  expect((await client.getEnvironment({ token })).warnings).toEqual(items);
  return items;
}

test('a site whose bundle was never generated has no outdated one', async () => {
  const site = await server.site();
  await site.client.updateEnvironment({ token: site.token, body: { settings: { policy_version: '2' } } });
  expect(await warningsOf(site)).toEqual([]);
});

test('a change of the settings makes the bundle outdated until it is generated again', async () => {
  const site = await server.site();
  const { client, token } = site;
  await client.generateBundle({ token });
  expect(await warningsOf(site)).toEqual([]);
  const { updated_at } = await client.updateEnvironment({
    token,
    body: { settings: { policy_version: '2' } },
  });
  const [warning, ...others] = await warningsOf(site);
  expect(others).toEqual([]);
  expect(warning).toMatchObject({
    code: 'bundle_outdated',
    severity: 'warning',
    subject_id: null,
    message: expect.stringContaining('the settings were changed: generate the bundle again'),
  });
  expect(Math.abs(Date.parse(warning?.since ?? '') - Date.parse(updated_at))).toBeLessThan(5_000);
  await client.generateBundle({ token });
  expect(await warningsOf(site)).toEqual([]);
});

test('settings that visitors do not see leave the bundle as good as it was', async () => {
  const site = await server.site();
  const { client, token } = site;
  await client.generateBundle({ token });
  const change = (settings: object) => client.updateEnvironment({ token, body: { settings } });
  await change({ controller: { name: 'Shop Ltd', email: 'privacy@example.com' } });
  expect((await client.getEnvironment({ token })).settings_version).toBe(2);
  expect(await warningsOf(site)).toEqual([]);
  await change({ policy_version: '2' });
  const [warning] = await warningsOf(site);
  await change({ controller: { name: 'Store Ltd', email: 'privacy@example.com' } });
  // What visitors do not see moves not even the time.
  expect(await warningsOf(site)).toEqual([warning]);
});

test('settings that are put back make the bundle good again', async () => {
  const site = await server.site();
  const { client, token } = site;
  await client.generateBundle({ token });
  await client.updateEnvironment({ token, body: { settings: { policy_version: '2' } } });
  await client.updateEnvironment({ token, body: { settings: { policy_version: '1' } } });
  expect(await warningsOf(site)).toEqual([]);
});

test('a change of the site that is none of its settings leaves the bundle as good as it was', async () => {
  const site = await server.site();
  const { client, token } = site;
  await client.generateBundle({ token });
  await client.updateEnvironment({ token, body: { name: 'Other name' } });
  expect(await warningsOf(site)).toEqual([]);
});

test('other vendors make the bundle outdated until it is generated again', async () => {
  const site = await server.site();
  const { client, token } = site;
  await client.generateBundle({ token });
  await client.replaceVendors({ token, body: { vendors: [] } });
  expect(await warningsOf(site)).toMatchObject([
    { code: 'bundle_outdated', message: expect.stringContaining('the vendors were replaced') },
  ]);
  await client.generateBundle({ token });
  expect(await warningsOf(site)).toEqual([]);
});

test('an upgrade of the product or another address makes every bundle outdated', async () => {
  const site = await server.site();
  await site.client.generateBundle({ token: site.token });
  const ask = async (options: Parameters<typeof startServer>[0]) => {
    const later = await startServer({ ...options, databaseUrl: server.databaseUrl });
    try {
      const { token } = await later.service.context.tokens.issue(site.userId);
      const client = createAvow({ baseUrl: later.url, token, fetch: checkedFetch, retries: 0 });
      return (await warningsOf({ client, token: site.token })).map(({ message }) => message);
    } finally {
      await later.stop();
    }
  };
  expect(await ask({ variables: ADDRESS, program: PROGRAM })).toEqual([]);
  expect(await ask({ variables: ADDRESS, program: { ...PROGRAM, digest: 'newer' } })).toEqual([
    expect.stringContaining('this product was upgraded'),
  ]);
  expect(
    await ask({ variables: { ...ADDRESS, PUBLIC_URL: 'https://moved.example.com' }, program: PROGRAM }),
  ).toEqual([expect.stringContaining('the address of this server has changed')]);
});

test('vendors that nobody was asked about warn until a new policy asks everybody', async () => {
  const site = await server.site();
  const { client, token } = site;
  const publish = async (...names: string[]) => {
    const vendors = names.map((name, at) => vendor(at + 1, name));
    await client.replaceVendors({ token, body: { vendors } });
    const preview = await client.previewBundle({ token, body: {} });
    const { warnings } = await client.generateBundle({ token });
    expect(preview.warnings).toEqual(warnings);
    return warnings.filter(({ code }) => code === 'ask_again').map(({ message }) => message);
  };
  const found = async () => (await warningsOf(site)).map(({ code, message }) => [code, message]);
  expect(await publish('Counter', 'Ads')).toEqual([]);
  // One that is gone needs no new question, and one that comes back does: some were not asked.
  expect(await publish('Counter')).toEqual([]);
  expect(await found()).toEqual([]);
  expect(await publish('Counter', 'Ads')).toEqual([expect.stringContaining('all that Ads would do')]);
  expect(await publish('Counter', 'Ads', 'Heat map')).toEqual([expect.stringContaining('Ads, Heat map')]);
  expect(await found()).toEqual([['ask_again', expect.stringContaining('Ads, Heat map')]]);
  const [{ since } = { since: '' }] = await warningsOf(site);
  await client.generateBundle({ token });
  expect(await warningsOf(site)).toMatchObject([{ code: 'ask_again', since }]);
  await client.updateEnvironment({ token, body: { settings: { policy_version: '2' } } });
  const { warnings } = await client.generateBundle({ token });
  expect([warnings.filter(({ code }) => code === 'ask_again'), await found()]).toEqual([[], []]);
  // Whoever had decided under the first policy was asked about fewer.
  await client.updateEnvironment({ token, body: { settings: { policy_version: '1' } } });
  await client.generateBundle({ token });
  expect(await found()).toEqual([['ask_again', expect.stringContaining('Ads, Heat map')]]);
});

test('a vendor that has the name of another one is asked about with it, in whichever order', async () => {
  const site = await server.site();
  const { client, token } = site;
  const publish = async (...vendors: ReturnType<typeof vendor>[]) => {
    await client.replaceVendors({ token, body: { vendors } });
    const { warnings } = await client.generateBundle({ token });
    return warnings.filter(({ code }) => code === 'ask_again').map(({ message }) => message);
  };
  const [one, two] = [vendor(1, 'Ads'), vendor(2, 'Ads', { categories: ['marketing'] })];
  expect(await publish(one)).toEqual([]);
  // The last of the name is the known one: the first would still do what nobody was asked about.
  expect(await publish(two, one)).toEqual([expect.stringContaining('all that Ads would do')]);
  await client.updateEnvironment({ token, body: { settings: { policy_version: '2' } } });
  expect(await publish(two, one)).toEqual([]);
  expect(await publish(one, two)).toEqual([]);
});

test('a site that published before this was kept is compared with its present banner', async () => {
  const site = await server.site();
  const { client, token } = site;
  await client.replaceVendors({ token, body: { vendors: [vendor(1, 'Counter')] } });
  await client.generateBundle({ token });
  const [row] = await rowsIn(server, 'asked_vendors', token);
  await server.service.context.db('asked_vendors').where({ environment_id: row?.environment_id }).delete();
  await client.replaceVendors({ token, body: { vendors: [vendor(1, 'Counter'), vendor(2, 'Ads')] } });
  await client.generateBundle({ token });
  expect(await warningsOf(site)).toMatchObject([
    { code: 'ask_again', message: expect.stringContaining('all that Ads would do') },
  ]);
});
