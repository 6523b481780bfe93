import { randomUUID } from 'node:crypto';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { join } from '../helpers/site/people';
import { ASKED_LIST } from '../helpers/site/vendors';
import { until } from '../helpers/until';

jest.setTimeout(180_000);

describeInBrowser('choice by vendor', () => {
  const kit = useConsole();

  async function siteWith(settings: object) {
    const owner = await kit.server.site(settings);
    await owner.client.replaceVendors({ token: owner.token, body: { vendors: ASKED_LIST } });
    return owner;
  }

  test('an owner switches it on, sees whom visitors are asked about, and saves', async () => {
    const owner = await siteWith({});
    const { token } = owner;
    const page = await kit.open(`/sites/${token}/banner/by-vendor`, { as: owner });
    await page.getByRole('switch', { name: 'Ask about each vendor' }).check({ force: true });
    const asked = page.getByRole('table', { name: 'Vendors that visitors are asked about' });
    await asked.getByText('Plays').waitFor();
    expect(await asked.getByRole('row').allTextContents()).toEqual([
      'VendorCategoriesNumber',
      'Ads and CountsAnalytics, Marketing755',
      'PlaysMarketing1201',
    ]);
    const banner = page.frameLocator('iframe');
    await banner.getByRole('switch', { name: 'Plays' }).waitFor();
    expect(await banner.getByRole('switch', { name: 'Ads and Counts' }).count()).toBe(2);
    expect(await banner.getByRole('switch', { name: 'Hosts' }).count()).toBe(0);
    await kit.look(page, 'by-vendor');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Choice by vendor saved').waitFor();
    expect((await owner.client.getEnvironment({ token })).settings.choice_by_vendor).toBe(true);
    await page.getByRole('switch', { name: 'Ask about each vendor' }).uncheck({ force: true });
    await page.getByRole('button', { name: 'Save' }).click();
    await until('by category', async () => {
      const { settings } = await owner.client.getEnvironment({ token });
      return settings.choice_by_vendor === false;
    });
    const { items } = await owner.client.listAuditEvents({ token });
    expect(items[0]?.changes).toMatchObject([{ field: 'settings.choice_by_vendor', after: 'false' }]);
  });

  test('a list that nobody can refuse anything of is told, and others cannot switch', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/banner/by-vendor`, { as: owner });
    await page.getByRole('switch', { name: 'Ask about each vendor' }).check({ force: true });
    await page.getByText('the banner asks about none').waitFor();
    const viewer = await kit.server.person();
    await join(owner, viewer, 'viewer');
    const other = await kit.open(`/sites/${owner.token}/banner/by-vendor`, { as: viewer });
    await other.getByText('Only owners can change this.').waitFor();
    expect(await other.getByRole('switch').count()).toBe(0);
  });

  test('a record shows each vendor by the name that its banner had', async () => {
    const owner = await siteWith({ choice_by_vendor: true });
    const { token, client } = owner;
    const { hash } = await client.generateBundle({ token });
    await client.replaceVendors({ token, body: { vendors: [] } });
    const record = (more: object) =>
      kit.server.visitor.logConsent({
        token,
        body: {
          ...{ session_id: randomUUID(), decision: 'save_preferences', categories: {} },
          ...more,
        } as never,
      });
    const named = await record({ bundle_hash: hash, vendors: { 1201: true } });
    const page = await kit.open(`/sites/${token}/consents/${named.consent_id}`, { as: owner });
    const table = page.getByRole('table', { name: 'Choice by vendor' });
    await table.getByText('Plays').waitFor();
    expect(await table.getByRole('row').allTextContents()).toEqual([
      'VendorChoice',
      'Ads and CountsRefused',
      'PlaysAllowed',
    ]);
    await kit.look(page, 'consent-by-vendor');
    const unnamed = await record({ vendors: { 99: true } });
    const other = await kit.open(`/sites/${token}/consents/${unnamed.consent_id}`, { as: owner });
    await other.getByText('Number 99').waitFor();
    const without = await record({});
    const third = await kit.open(`/sites/${token}/consents/${without.consent_id}`, { as: owner });
    await third.getByRole('table', { name: 'Choice by category' }).waitFor();
    expect(await third.getByRole('table', { name: 'Choice by vendor' }).count()).toBe(0);
  });
});
