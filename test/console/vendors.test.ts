import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { join } from '../helpers/site/people';

jest.setTimeout(120_000);

const listed = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  purposes: [1, 7],
  legIntPurposes: [9],
  ...more,
});

const GVL = {
  gvlSpecificationVersion: 3,
  vendors: {
    8: listed(8, 'Emerse Sverige AB', {
      urls: [{ langId: 'en', privacy: 'https://www.emerse.example/privacy', legIntClaim: '' }],
      dataRetention: { stdRetention: 30 },
    }),
    12: listed(12, 'BeeswaxIO Corporation'),
    40: listed(40, 'Gone Ltd', { deletedDate: '2024-01-01T00:00:00Z' }),
  },
};

const file = (content: string) => ({
  name: 'vendor-list.json',
  mimeType: 'application/json',
  buffer: Buffer.from(content),
});

const vendor = {
  id: 755,
  name: 'Example Analytics',
  purposes: [1, 8],
  leg_int_purposes: [],
  categories: ['analytics'],
  urls: [{ lang_id: 'en', privacy: 'https://analytics.example.com/privacy' }],
  cookies: [{ name: '_ea', domain: 'shop.example.com', category: 'analytics', max_age_seconds: 7_776_000 }],
  data_retention_days: 90,
  country: 'US',
  transfer_safeguard: 'EU standard contractual clauses',
};

describeInBrowser('vendors and cookies', () => {
  const kit = useConsole();

  test('an owner adds a vendor with a cookie, changes it, and removes it', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/vendors`, { as: owner });
    await page.getByRole('heading', { name: 'No vendor is listed' }).waitFor();
    await kit.look(page, 'vendors-empty');
    await page.getByRole('link', { name: 'Add a vendor' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Tally <Ltd>');
    await page.getByRole('checkbox', { name: 'Analytics' }).check({ force: true });
    await page.getByLabel('Country').fill('us');
    await page.getByLabel('Keeps data for').fill('400');
    await page.getByLabel('8. Measure content performance').selectOption('By consent');
    await page.getByLabel('9. Understand audiences').selectOption('By legitimate interest');
    await page.getByRole('button', { name: 'Add a cookie' }).click();
    const cookie = page.getByRole('group', { name: 'cookie 1' });
    await cookie.getByLabel('Name', { exact: true }).fill('_tally');
    await page.getByLabel('Lifetime').selectOption('days');
    await page.getByLabel('How many').fill('90');
    await kit.look(page, 'vendor-new');
    await page.getByRole('button', { name: 'Add vendor' }).click();
    await page.getByRole('link', { name: 'Tally <Ltd>' }).click();
    const { vendors } = await kit.server.visitor.getVendors({ token: owner.token });
    expect(vendors).toEqual([
      expect.objectContaining({
        name: 'Tally <Ltd>',
        ...{ purposes: [8], leg_int_purposes: [9], categories: ['analytics'], country: 'US' },
        cookies: [
          expect.objectContaining({ name: '_tally', category: 'analytics', max_age_seconds: 7_776_000 }),
        ],
      }),
    ]);
    await page.getByLabel('Keeps data for').fill('30');
    await page.getByRole('button', { name: 'Save vendor' }).click();
    await page.getByRole('link', { name: 'Tally <Ltd>' }).click();
    expect(await page.getByLabel('Keeps data for').inputValue()).toBe('30');
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'No vendor is listed' }).waitFor();
  });

  test('what is wrong is said at its field, and everything typed stays', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/vendors/new`, { as: owner });
    await page.getByLabel('Country').fill('Q1');
    await page.getByLabel('Privacy notice', { exact: true }).fill('analytics.example.com');
    await page.getByRole('button', { name: 'Add a cookie' }).click();
    await page.getByRole('button', { name: 'Add vendor' }).click();
    await page.getByText('Must be a country code such as DE.').waitFor();
    await page.getByText('Must be an absolute http or https URL.').waitFor();
    expect(await page.locator('.field-error').count()).toBe(4);
    expect(await page.getByLabel('Country').inputValue()).toBe('Q1');
    await kit.look(page, 'vendor-errors');
  });

  test('what somebody else changed meanwhile stays', async () => {
    const owner = await kit.server.site();
    const { client, token } = owner;
    await client.replaceVendors({ token, body: { vendors: [vendor] } });
    const page = await kit.open(`/sites/${token}/vendors/755`, { as: owner });
    await page.getByLabel('Name', { exact: true }).first().fill('Renamed Analytics');
    await client.replaceVendors({ token, body: { vendors: [{ ...vendor, id: 9, name: 'Other' }, vendor] } });
    await page.getByRole('button', { name: 'Save vendor' }).click();
    await page.getByRole('link', { name: 'Renamed Analytics' }).waitFor();
    const { vendors } = await kit.server.visitor.getVendors({ token });
    expect(vendors.map(({ name }) => name)).toEqual(['Other', 'Renamed Analytics']);
    await kit.look(page, 'vendors');
  });

  test('a server that is gone takes nothing of what was typed', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/vendors/new`, { as: owner });
    await page.getByLabel('Name', { exact: true }).fill('Tally Ltd');
    kit.expectOutage(page);
    await page.route('**/api/**', (route) => route.abort());
    await page.getByRole('button', { name: 'Add vendor' }).click();
    await page.getByText('The server cannot be reached').waitFor({ timeout: 30_000 });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Tally Ltd');
    await page.unroute('**/api/**');
    await page.getByRole('button', { name: 'Add vendor' }).click();
    await page.getByRole('link', { name: 'Tally Ltd' }).waitFor();
    expect((await kit.server.visitor.getVendors({ token: owner.token })).vendors).toHaveLength(1);
  });

  test('vendors are chosen out of a Global Vendor List', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const page = await kit.open(`/sites/${token}/vendors/import`, { as: owner });
    await page.locator('input[type=file]').setInputFiles(file('not json'));
    await page.getByText('This file is not JSON').waitFor();
    await page.locator('input[type=file]').setInputFiles(file('{"vendors":7}'));
    await page.getByText('This file is not a vendor list').waitFor();
    await page.locator('input[type=file]').setInputFiles(file(JSON.stringify(GVL)));
    await page.getByText('2 found, 0 chosen').waitFor();
    await page.getByLabel('Find one of 2 vendors').fill('emerse');
    await page.getByRole('checkbox', { name: /Emerse/ }).check({ force: true });
    await page.getByLabel('Find one of 2 vendors').fill('');
    await kit.look(page, 'vendors-import');
    await page.getByRole('button', { name: 'Import 1 vendor' }).click();
    await page.getByRole('link', { name: 'Emerse Sverige AB' }).waitFor();
    const { vendors } = await kit.server.visitor.getVendors({ token });
    expect(vendors).toEqual([
      expect.objectContaining({
        ...{ id: 8, purposes: [1, 7], leg_int_purposes: [9], categories: ['analytics', 'marketing'] },
        urls: [{ lang_id: 'en', privacy: 'https://www.emerse.example/privacy', leg_int_claim: null }],
        data_retention_days: 30,
      }),
    ]);
  });

  test('a viewer reads vendors and cannot change them', async () => {
    const { client, token } = await kit.server.site();
    const viewer = await kit.server.person('Vera Viewer');
    await join({ client, token }, viewer, 'viewer');
    await client.replaceVendors({ token, body: { vendors: [vendor] } });
    const page = await kit.open(`/sites/${token}/vendors`, { as: viewer });
    await page.getByRole('link', { name: 'Example Analytics' }).click();
    await page.getByRole('heading', { name: 'Example Analytics' }).waitFor();
    expect(await page.getByLabel('Country').isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /Save|Remove|Add/ }).count()).toBe(0);
    await kit.look(page, 'vendor-viewer');
  });
});
