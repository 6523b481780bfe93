import { describeInBrowser, savedText } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { harbourBooks } from '../helpers/console/harbour';
import { join } from '../helpers/site/people';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

/** The first of the last 30 days of the page, by the site's clocks: an hour before midnight they may have changed. */
const monthAgo = (): string => {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(new Date());
  return new Date(Date.parse(today) - 29 * 86_400_000).toISOString().slice(0, 10);
};

describeInBrowser('analytics', () => {
  const kit = useConsole();

  /** A site with ten weeks of history, and somebody who only reads. */
  async function reader() {
    const owner = await kit.server.person();
    const viewer = await kit.server.person('Vera Viewer');
    const token = await harbourBooks(kit.server, owner);
    await join({ client: owner.client, token }, viewer, 'viewer');
    return { token, viewer };
  }

  test('a viewer reads the figures that the API has, by period, interval and group, on every screen', async () => {
    const { token, viewer } = await reader();
    const page = await kit.open(`/sites/${token}/analytics`, { as: viewer });
    await page.getByRole('heading', { name: 'Rates' }).waitFor();
    const { totals } = await viewer.client.getAnalytics({ token, from: monthAgo(), bots: false });
    const totalsShown = page.getByRole('region', { name: 'Totals' });
    await totalsShown.getByText(totals.impressions.toLocaleString('en-GB'), { exact: true }).waitFor();
    await totalsShown
      .getByText(/^[▲▼]|unchanged/)
      .first()
      .waitFor();
    await kit.look(page, 'analytics');

    await page.getByLabel('Period').selectOption('Last 90 days');
    await page.getByLabel('Interval').selectOption('Week');
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
    await page.getByText('Figures', { exact: true }).first().focus();
    await page.keyboard.press('Enter');
    const table = page.getByRole('table', { name: 'Opt-in, reject and no-choice rates' });
    await table.waitFor();
    expect(await table.getByRole('row').count()).toBe(8);
    await page.getByLabel('Period').focus();
    await page.keyboard.type('Last 30');
    await page.keyboard.press('Enter');
    await page.waitForURL(/period=30/);
  });

  test('a chart tells the values of a point under the pointer and by keyboard; today is not complete', async () => {
    const { token, viewer } = await reader();
    const page = await kit.open(`/sites/${token}/analytics?period=7`, { as: viewer });
    const chart = page.getByRole('slider', { name: /^Decisions:/ });
    await chart.waitFor();
    const { series } = await viewer.client.getAnalytics({
      token,
      from: new Date(Date.now() - 6 * 86_400_000).toISOString(),
      bots: false,
    });
    const say = () => chart.getAttribute('aria-valuetext');
    const told = (index: number) => {
      const { accept_all, reject_all, save_preferences } = series[index] as (typeof series)[number];
      return `Accept all ${accept_all}, Reject all ${reject_all}, Own choice ${save_preferences}`;
    };
    await chart.focus();
    expect(await say()).toMatch(/ \(not complete\): /);
    expect(await say()).toContain(told(6));
    await page.keyboard.press('ArrowLeft');
    expect(await say()).toContain(told(5));
    expect(await say()).not.toContain('not complete');
    await page.keyboard.press('Home');
    expect(await say()).toContain(told(0));
    await chart.getByText(`Accept all ${series[0]?.accept_all}`).waitFor();
    await page.keyboard.press('Escape');
    await chart.getByText(/^Accept all/).waitFor({ state: 'detached' });
    const { x, y, width } = (await chart.boundingBox()) as { x: number; y: number; width: number };
    await page.mouse.move(x + width - 30, y + 60);
    await chart.getByText(`Accept all ${series[6]?.accept_all}`).waitFor();
    await chart.getByText(/\(not complete\)/).waitFor();
    await kit.look(page, 'analytics-point');
    await page.mouse.move(2, 2);
    await chart.getByText(/^Accept all/).waitFor({ state: 'detached' });
    // Only today is drawn pale: the bars of three kinds.
    expect(await chart.locator('rect.partial').count()).toBe(3);
  });

  test('long periods are told by weeks and months, and what the period cuts is not complete', async () => {
    const { token, viewer } = await reader();
    const page = await kit.open(`/sites/${token}/analytics?period=90`, { as: viewer });
    const chart = page.getByRole('slider', { name: /^Decisions:/ });
    const points = async () => Number(await chart.getAttribute('aria-valuemax'));
    await chart.waitFor();
    expect(await points()).toBeLessThanOrEqual(14);
    await page.getByLabel('Period').selectOption('Last 12 months');
    await page.waitForURL(/period=365/);
    await until('there are months', async () => [12, 13].includes(await points()));
    await kit.look(page, 'analytics-year');
    await page.getByLabel('Interval').selectOption('Day');
    await until('there are days', async () => (await points()) === 365);
  });

  test('bots are told apart and blur no rate; a change is never told in five digits', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const row = { environment_id: '', language: 'en', banner_version: 1, slot: 0 };
    const { db } = kit.server.service.context;
    const { id } = await db('environments').where({ token }).first('id');
    const counts = (device: string, at: string, key: string, n: number) => [
      { ...row, environment_id: id, day: at, metric: 'impression', key: '', device, n: 2 * n },
      { ...row, environment_id: id, day: at, metric: 'decision', key, device, n },
    ];
    await db('daily_counts').insert([
      ...counts('desktop', day(3), 'reject_all', 1200),
      ...counts('bot', day(3), 'accept_all', 9000),
      ...counts('desktop', day(40), 'reject_all', 2),
    ]);
    for (const path of ['', '/analytics']) {
      const page = await kit.open(`/sites/${token}${path}`, { as: owner });
      await page
        .getByText(/600 times as many/)
        .first()
        .waitFor();
      await page.getByText('100 %', { exact: true }).first().waitFor();
      expect(await page.locator('main').innerText()).not.toMatch(/\d[\d,]{4,} %/);
    }
    const page = await kit.open(`/sites/${token}/analytics`, { as: owner });
    await page.getByText(/Bots were shown the banner 18,000 times and made 9,000 decisions/).waitFor();
    await page.getByRole('table', { name: 'By device' }).getByText('Bots').waitFor();
    await kit.look(page, 'analytics-bots');
  });

  test('the CSV file has every point of the series with the counts of the page', async () => {
    const { token, viewer } = await reader();
    const page = await kit.open(`/sites/${token}/analytics`, { as: viewer });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^analytics-harbour-books\.example-[\d-]+\.csv$/);
    const [titles = '', ...rows] = (await savedText(file)).trimEnd().split('\r\n');
    const column = titles.split(',').indexOf('decisions');
    const { totals, series } = await viewer.client.getAnalytics({ token, from: monthAgo(), bots: false });
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
    await page.getByLabel('Interval').selectOption('Hour');
    await page.getByText(/Hour is for at most 93 days/).waitFor();
  });

  test('a site that nobody has visited says so, and what to do', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/analytics`, { as: owner });
    await page.getByRole('heading', { name: 'Nobody saw the banner in this period' }).waitFor();
    await kit.look(page, 'analytics-empty');
  });
});
