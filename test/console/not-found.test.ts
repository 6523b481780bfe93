import { randomUUID } from 'node:crypto';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';

jest.setTimeout(120_000);

const NOTHING = 'There is nothing here';

describeInBrowser('an address that names nothing', () => {
  const kit = useConsole();

  test.each(['x%20y', 'env_0000000000000000000000', '%3Cb%3E', 'not.a.token'.replaceAll('.', '%2E')])(
    'no site %s: it says so, shows no navigation of it, and leads back to the sites',
    async (token) => {
      const owner = await kit.server.site();
      const page = await kit.open(`/sites/${token}/dsar`, { as: owner });
      await page.getByRole('heading', { name: NOTHING, level: 1 }).waitFor();
      expect(await page.getByRole('navigation', { name: 'Site' }).count()).toBe(0);
      expect(await page.getByText(/contract|must be/).count()).toBe(0);
      await page.getByRole('link', { name: 'To your sites' }).click();
      await page.getByRole('heading', { name: 'Your sites' }).waitFor();
    },
  );

  test('somebody else’s site is as good as none', async () => {
    const [owner, other] = [await kit.server.site(), await kit.server.site()];
    const page = await kit.open(`/sites/${other.token}/settings`, { as: owner });
    await page.getByRole('heading', { name: NOTHING, level: 1 }).waitFor();
    await kit.look(page, 'no-site');
  });

  test.each([
    ['dsar', 'Requests'],
    ['breaches', 'Breaches'],
    ['webhooks', 'Webhooks'],
    ['consents', 'Consents'],
    ['scans', 'Cookie scans'],
    ['vendors', 'Vendors'],
    ['settings', 'Settings'],
    ['banner/published', 'Banner'],
  ])('no record below %s: it leads back to its list', async (area, name) => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/${area}/not-a-uuid`, { as: owner });
    await page.getByRole('heading', { name: NOTHING }).waitFor();
    expect(await page.getByText(/contract|must be|Try again/).count()).toBe(0);
    await page.goto(`${kit.server.url}/console/sites/${owner.token}/${area}/${randomUUID()}`);
    await page.getByRole('heading', { name: NOTHING }).waitFor();
    await page.getByRole('link', { name: `To ${name}`, exact: true }).click();
    await page.waitForURL((url) => url.pathname.endsWith(`/${owner.token}/${area.split('/')[0]}`));
  });

  test('no such page of a site: it leads back to the overview', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/requests/not-a-uuid`, { as: owner });
    await page.getByRole('heading', { name: NOTHING, level: 1 }).waitFor();
    expect(await page.title()).toBe('Nothing here · Avow');
    await kit.look(page, 'no-page');
    await page.getByRole('link', { name: 'To Overview' }).click();
    await page.getByRole('heading', { name: 'Example shop' }).waitFor();
  });
});
