import type { Page } from 'playwright-core';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { fillRequests } from '../helpers/console/desk';
import { harbourBooks } from '../helpers/console/harbour';

jest.setTimeout(120_000);

const chosen = (page: Page, label: string): Promise<string> => page.getByLabel(label).inputValue();

describeInBrowser('the way back', () => {
  const kit = useConsole();

  test('goes through the filters one by one, and the fields say what the list shows', async () => {
    const owner = await kit.server.site();
    await fillRequests(kit.server, owner, owner.token);
    const page = await kit.open(`/sites/${owner.token}/dsar`, { as: owner });
    await page.getByText('5 shown, that is all').waitFor();
    await page.getByLabel('State').selectOption('resolved');
    await page.getByText('1 shown, that is all').waitFor();
    await page.getByLabel('State').selectOption('all');
    await page.getByLabel('E-mail address').fill('j.moreau@example.com');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('2 shown, that is all').waitFor();
    // Searched again: that is no further step.
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'Erasure' }).first().click();
    await page.getByRole('heading', { name: 'Erasure for Jules Moreau' }).waitFor();
    await page.goBack();
    await page.getByText('2 shown, that is all').waitFor();
    expect([await chosen(page, 'State'), await chosen(page, 'E-mail address')]).toEqual([
      'all',
      'j.moreau@example.com',
    ]);
    await page.goBack();
    await page.getByText('6 shown, that is all').waitFor();
    expect(await chosen(page, 'E-mail address')).toBe('');
    await page.goBack();
    await page.getByText('1 shown, that is all').waitFor();
    expect(await chosen(page, 'State')).toBe('resolved');
    await page.goForward();
    await page.getByText('6 shown, that is all').waitFor();
    expect(await chosen(page, 'State')).toBe('all');
    await page.getByRole('navigation').getByRole('link', { name: 'Requests' }).click();
    await page.getByText('5 shown, that is all').waitFor();
    expect(await chosen(page, 'State')).toBe('open');
  });

  test('from a record leads to the same place of the list, with all that was loaded', async () => {
    const owner = await kit.server.person('Ada Owner');
    const token = await harbourBooks(kit.server, owner, { events: 800 });
    const page = await kit.open(`/sites/${token}/consents`, { as: owner });
    await page.getByText('50 shown').waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('100 shown').waitFor();
    const link = page.getByRole('table', { name: 'Consent records' }).getByRole('link').nth(80);
    await link.scrollIntoViewIfNeeded();
    const place = () => page.evaluate(() => Math.round(scrollY));
    const before = await place();
    expect(before).toBeGreaterThan(900);
    await link.click();
    await page.getByRole('heading', { name: /^Consent: / }).waitFor();
    expect(await place()).toBe(0);
    await page.goBack();
    await page.getByText('100 shown').waitFor();
    await page.waitForFunction((wanted) => Math.abs(scrollY - wanted) < 2, before);
  });
});
