import { readFileSync } from 'node:fs';
import { describeInBrowser } from '../helpers/browser';
import { useConsole } from './support/console';
import { harbourBooks } from './support/harbour';

jest.setTimeout(120_000);

/** The first instant that the last 30 days of the page may have. */
const monthAgo = () => new Date(Date.now() - 29 * 86_400_000).toISOString();

describeInBrowser('analytics', () => {
  const kit = useConsole();

  /** A site with ten weeks of history, and somebody who only reads. */
  async function reader() {
    const owner = await kit.server.person();
    const viewer = await kit.server.person('Vera Viewer');
    const token = await harbourBooks(kit.server, owner);
    await owner.client.addMember({ token, body: { email: viewer.email, role: 'viewer' } });
    return { token, viewer };
  }

  test('a viewer reads the figures that the API has, by period, interval and group, on every screen', async () => {
    const { token, viewer } = await reader();
    const page = await kit.open(`/sites/${token}/analytics`, { as: viewer });
    await page.getByRole('heading', { name: 'Rates' }).waitFor();
    const { totals } = await viewer.client.getAnalytics({ token, from: monthAgo() });
    const totalsShown = page.getByRole('region', { name: 'Totals' });
    await totalsShown.getByText(totals.impressions.toLocaleString('en-GB'), { exact: true }).waitFor();
    await totalsShown
      .getByText(/^[▲▼]|unchanged/)
      .first()
      .waitFor();
    await kit.look(page, 'analytics');

    await page.getByLabel('Period').selectOption('Last 90 days');
    await page.getByLabel('One point for each').selectOption('Week');
    await page.getByLabel('Compare by').selectOption('Language');
    await page.getByRole('heading', { name: 'Opt-in by language' }).waitFor();
    expect(new URL(page.url()).search).toBe('?period=90&by=week&group=language');
    await page.reload();
    await page.getByRole('heading', { name: 'Opt-in by language' }).waitFor();
    await page.getByText('German (de)').first().waitFor();
    await kit.look(page, 'analytics-by-language');
  });

  test('the figures of a chart stand in a table that the keyboard opens', async () => {
    const { token, viewer } = await reader();
    const page = await kit.open(`/sites/${token}/analytics?period=7`, { as: viewer });
    await page.getByText('Figures').first().focus();
    await page.keyboard.press('Enter');
    const table = page.getByRole('table', { name: 'Opt-in, reject and no-choice rates' });
    await table.waitFor();
    expect(await table.getByRole('row').count()).toBe(8);
    await page.getByLabel('Period').focus();
    await page.keyboard.type('Last 30');
    await page.keyboard.press('Enter');
    await page.waitForURL(/period=30/);
  });

  test('the CSV file has every point of the series with the counts of the page', async () => {
    const { token, viewer } = await reader();
    const page = await kit.open(`/sites/${token}/analytics`, { as: viewer });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^analytics-harbour-books\.example-[\d-]+\.csv$/);
    const [titles = '', ...rows] = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    const column = titles.split(',').indexOf('decisions');
    const { totals, series } = await viewer.client.getAnalytics({ token, from: monthAgo() });
    expect(rows).toHaveLength(series.length);
    expect(rows.reduce((sum, row) => sum + Number(row.split(',')[column]), 0)).toBe(totals.decisions);
  });

  test('a range that cannot be is said at its field, and nothing typed is lost', async () => {
    const { token, viewer } = await reader();
    const page = await kit.open(`/sites/${token}/analytics`, { as: viewer });
    await page.getByLabel('Period').selectOption('From … to …');
    await page.getByLabel('First day').fill('2026-05-02');
    await page.getByLabel('Last day').fill('2026-04-01');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('Must be before to.').waitFor();
    expect(await page.getByLabel('First day').inputValue()).toBe('2026-05-02');
    await kit.look(page, 'analytics-bad-range');
    await page.getByLabel('Period').selectOption('Last 12 months');
    await page.getByLabel('One point for each').selectOption('Hour');
    await page.getByText(/Hour is for at most 93 days/).waitFor();
  });

  test('a site that nobody has visited says so, and what to do', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/analytics`, { as: owner });
    await page.getByRole('heading', { name: 'Nobody saw the banner in this time' }).waitFor();
    await kit.look(page, 'analytics-empty');
  });
});
