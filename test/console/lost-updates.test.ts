import type { Page } from 'playwright-core';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { join } from '../helpers/site/people';

jest.setTimeout(90_000);

const vendor = (name: string, more: object = {}) => ({
  ...{ id: 755, name, purposes: [1], leg_int_purposes: [], categories: ['analytics'], urls: [], cookies: [] },
  ...more,
});

const CHANGED = 'Somebody else has changed this';
const save = (page: Page, name = 'Save') => page.getByRole('button', { name, exact: true }).click();

describeInBrowser('two owners who change the same thing', () => {
  const kit = useConsole();

  /** A site with two owners, and the page of the one who is late. */
  async function shared(path: string) {
    const one = await kit.server.site({ controller: { name: 'Example Ltd', address: 'Old Street 1' } });
    const two = await kit.server.person('Otto Other');
    const { token, client } = one;
    await join({ client, token }, two, 'owner');
    await client.replaceVendors({ token, body: { vendors: [vendor('Tally Ltd')] } });
    return { token, other: client, page: await kit.open(`/sites/${token}/${path}`, { as: two }) };
  }

  test('a section of the settings keeps what was typed, shows the rest as it is now, and is saved then', async () => {
    const { token, other, page } = await shared('settings/controller');
    await page.getByLabel('Name of the controller').fill('Harbour Books Ltd');
    const controller = { name: 'Their Ltd', address: 'New Street 2', phone: '+49 40 1234' };
    await other.updateEnvironment({ token, body: { settings: { controller } } });
    await save(page);
    await page.getByText(CHANGED).waitFor();
    await page.getByText('Version 2.').waitFor();
    const shown = (label: RegExp) => page.getByLabel(label).inputValue();
    expect(await shown(/^Address/)).toBe('New Street 2');
    expect(await shown(/^Telephone/)).toBe('+49 40 1234');
    expect(await shown(/^Name of the controller/)).toBe('Harbour Books Ltd');
    expect((await other.getEnvironment({ token })).settings.controller).toEqual(controller);
    await kit.look(page, 'settings-conflict');
    await save(page);
    await page.getByText('Controller and DPO: saved').waitFor();
    expect(await page.getByText(CHANGED).count()).toBe(0);
    const { settings, settings_version } = await other.getEnvironment({ token });
    expect([settings.controller, settings_version]).toEqual([
      { ...controller, name: 'Harbour Books Ltd' },
      3,
    ]);
  });

  test('name, domains and state are not undone by who is late', async () => {
    const { token, other, page } = await shared('settings/site');
    await page.getByLabel('Name', { exact: true }).fill('Harbour Books');
    await other.updateEnvironment({ token, body: { status: 'paused', domains: ['m.shop.example.com'] } });
    await save(page);
    await page.getByText(CHANGED).waitFor();
    await page.getByRole('radio', { name: /^Paused/, checked: true }).waitFor({ state: 'attached' });
    expect(await page.getByLabel(/^Further domains/).inputValue()).toBe('m.shop.example.com');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Harbour Books');
    expect(await other.getEnvironment({ token })).toMatchObject({ name: 'Example shop', status: 'paused' });
    await save(page);
    await page.getByText('Site and domains: saved').waitFor();
    expect(await other.getEnvironment({ token })).toMatchObject({
      ...{ name: 'Harbour Books', status: 'paused' },
      domains: ['shop.example.com', 'm.shop.example.com'],
    });
  });

  test('one person in two tabs is told as well, and both changes are kept', async () => {
    const { token, other, page } = await shared('settings/controller');
    const second = await page.context().newPage();
    await second.goto(page.url());
    await page.getByLabel('Name of the controller').fill('Harbour Books Ltd');
    await second.getByLabel(/^Telephone/).fill('+49 40 1234');
    await save(second);
    await second.getByText('Controller and DPO: saved').waitFor();
    await save(page);
    await page.getByText(CHANGED).waitFor();
    await page.getByText('What you entered is still here').waitFor();
    expect(await page.getByLabel('Name of the controller').inputValue()).toBe('Harbour Books Ltd');
    await save(page);
    await page.getByText('Controller and DPO: saved').waitFor();
    const { controller } = (await other.getEnvironment({ token })).settings;
    expect(controller).toMatchObject({ name: 'Harbour Books Ltd', phone: '+49 40 1234' });
  });

  test('what both have changed is shown with both values, before somebody saves over the other', async () => {
    const { token, other, page } = await shared('settings/controller');
    await page.getByLabel('Name of the controller').fill('Harbour Books Ltd');
    const { settings } = await other.getEnvironment({ token });
    const theirs = { ...settings.controller, name: 'Harbour Books GmbH', phone: '+49 40 1234' };
    await other.updateEnvironment({ token, body: { settings: { controller: theirs } } });
    await save(page);
    const alert = page.getByRole('alert').filter({ hasText: CHANGED });
    await alert
      .getByText(
        'Name of the controller: theirs is “Harbour Books GmbH”, yours is “Harbour Books Ltd”. If you save again, yours replaces theirs.',
      )
      .waitFor();
    // What only they have changed is taken over, and is no question.
    expect(await alert.getByText(/Telephone/).count()).toBe(0);
    await kit.look(page, 'settings-both-values');
    await save(page);
    await page.getByText('Controller and DPO: saved').waitFor();
    const { controller } = (await other.getEnvironment({ token })).settings;
    expect(controller).toMatchObject({ name: 'Harbour Books Ltd', phone: '+49 40 1234' });
  });

  test('categories that both added are both kept', async () => {
    const { token, other, page } = await shared('settings/categories');
    await page.getByRole('button', { name: 'Add a category' }).click();
    await page.getByLabel('Key').last().fill('social');
    await page.getByLabel('Name', { exact: true }).last().fill('Social media');
    const { settings } = await other.getEnvironment({ token });
    const maps = { key: 'maps', name: 'Maps', description: '', required: false };
    await other.updateEnvironment({
      token,
      body: { settings: { categories: [...settings.categories, maps] } },
    });
    await save(page);
    await page.getByText(CHANGED).waitFor();
    await page.getByRole('group', { name: 'Maps', exact: true }).waitFor();
    await save(page);
    await page.getByText('Categories: saved').waitFor();
    const keys = (await other.getEnvironment({ token })).settings.categories.map(({ key }) => key);
    expect(keys).toEqual(['necessary', 'functional', 'analytics', 'marketing', 'social', 'maps']);
  });

  test('the banner keeps what was typed and takes over what somebody else changed', async () => {
    const { token, other, page } = await shared('banner');
    await page
      .getByLabel(/^Heading/)
      .first()
      .fill('Cookies and you');
    const { settings } = await other.getEnvironment({ token });
    const banner = { ...settings.banner, layout: 'bar' as const };
    await other.updateEnvironment({ token, body: { settings: { banner } } });
    await save(page);
    await page.getByText(CHANGED).waitFor();
    await page.getByRole('radio', { name: 'Bar', checked: true }).waitFor({ state: 'attached' });
    await save(page);
    await page.getByText('Banner saved').waitFor();
    const now = (await other.getEnvironment({ token })).settings.banner;
    expect([now.layout, now.texts.en?.title]).toEqual(['bar', 'Cookies and you']);
  });

  test('a change of another section is told as well, and saving once more keeps both', async () => {
    const { token, other, page } = await shared('settings/measures');
    await page.getByRole('textbox', { name: 'Measures' }).waitFor();
    await other.updateEnvironment({ token, body: { settings: { security_measures: ['Backups'] } } });
    await page.getByRole('link', { name: 'Retention', exact: true }).click();
    // Longer than it was: nothing to ask.
    await page.getByLabel('Consent records').fill('2000');
    // However long it takes: the page says that it has read the record again when it has.
    await page.route('**/api/**', async (route) => {
      if (route.request().method() === 'GET') await new Promise((resolve) => setTimeout(resolve, 700));
      await route.continue();
    });
    await save(page);
    await page.getByText(CHANGED).waitFor();
    await save(page);
    await page.getByText('Retention: saved').waitFor();
    await page.getByRole('link', { name: 'Security measures', exact: true }).click();
    expect(await page.getByRole('textbox', { name: 'Measures' }).inputValue()).toBe('Backups');
  });

  test('a vendor that both changed is shown as it is now, with what was typed, and is saved then', async () => {
    const { token, other, page } = await shared('vendors/755');
    await page.getByLabel('Name', { exact: true }).first().fill('Renamed Ltd');
    const theirs = vendor('Tally GmbH', { country: 'DE', data_retention_days: 30 });
    await other.replaceVendors({ token, body: { vendors: [theirs] } });
    await save(page, 'Save vendor');
    await page.getByText(CHANGED).waitFor();
    await page.getByRole('heading', { name: 'Tally GmbH' }).waitFor();
    expect(await page.getByLabel('Country').inputValue()).toBe('DE');
    expect(await page.getByLabel('Name', { exact: true }).first().inputValue()).toBe('Renamed Ltd');
    await kit.look(page, 'vendor-conflict');
    await save(page, 'Save vendor');
    await page.getByRole('link', { name: 'Renamed Ltd' }).waitFor();
    const { vendors } = await kit.server.visitor.getVendors({ token });
    expect(vendors).toMatchObject([{ name: 'Renamed Ltd', country: 'DE', data_retention_days: 30 }]);
  });

  test('a vendor that somebody else removed stays on the page with what was typed, and can be saved again', async () => {
    const { token, other, page } = await shared('vendors/755');
    await page.getByLabel('Name', { exact: true }).first().fill('Renamed Ltd');
    await other.replaceVendors({ token, body: { vendors: [] } });
    await save(page, 'Save vendor');
    await page.getByText('Somebody else has removed this vendor.').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).first().inputValue()).toBe('Renamed Ltd');
    await save(page, 'Save vendor');
    await page.getByRole('link', { name: 'Renamed Ltd' }).waitFor();
  });
});
