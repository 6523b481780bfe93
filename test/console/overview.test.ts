import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { harbourBooks } from '../helpers/console/harbour';

jest.setTimeout(90_000);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describeInBrowser('the overview', () => {
  const kit = useConsole();

  test('shows what is urgent first, with the way to the record, and the figures beside those before', async () => {
    const owner = await kit.server.person('Ada Owner');
    const token = await harbourBooks(kit.server, owner);
    const { db } = kit.server.service.context;
    const { request_id } = await kit.server.visitor.submitDsar({
      token,
      body: { request_type: 'access', email: 'reader@example.com' },
    });
    await db('dsar_requests')
      .where({ request_id })
      .update({ created_at: new Date(Date.now() - 32 * DAY), due_at: new Date(Date.now() - 2 * DAY) });
    const breach = await owner.client.createBreach({
      token,
      body: {
        title: 'Lost laptop',
        aware_at: new Date(Date.now() - 60 * HOUR).toISOString(),
        severity: 'medium',
        nature: 'Loss of a device',
        description: 'A laptop was left in a train.',
        ...{ data_categories: ['Names'], subject_categories: ['Readers'] },
        ...{ consequences: 'Unlikely: the disk is encrypted.', measures: 'Keys revoked.' },
      },
    });
    const page = await kit.open(`/sites/${token}`, { as: owner });
    const strip = page.getByRole('region', { name: 'Act now (2)' });
    await strip.getByText('A data-subject request (access) is overdue by 2 days').waitFor();
    await page.getByRole('slider', { name: /Opt-in and reject rate by day/ }).waitFor();
    await page.getByText('of 100').waitFor();
    await kit.look(page, 'overview');
    const asked = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .find((name) => name.includes('/analytics?')),
    );
    const { from, to } = Object.fromEntries(new URL(asked as string).searchParams);
    const range = { from: from as string, to: to as string };
    // Whole days of the site's zone, of which one may have an hour more or less.
    expect(Math.abs(Date.parse(range.to) - Date.parse(range.from) - 30 * DAY)).toBeLessThanOrEqual(HOUR);
    const { totals, previous } = await owner.client.getAnalytics({ token, ...range, bots: false });
    const figures = page.getByRole('region', { name: 'Last 30 days', exact: true });
    const points = ((totals.opt_in_rate as number) - (previous.opt_in_rate as number)) * 100;
    const shown = await figures.getByText('Opt-in rate').locator('..').textContent();
    expect(shown).toContain(`${Math.round((totals.opt_in_rate as number) * 1000) / 10} %`);
    const difference = Number.parseFloat(
      /([+−][\d.]+|0) points/.exec(shown ?? '')?.[1]?.replace('−', '-') ?? '',
    );
    expect(Math.abs(difference - points)).toBeLessThan(0.06);
    const score = await owner.client.getComplianceScore({ token });
    const remedies = await page
      .getByRole('region', { name: 'Compliance score' })
      .getByRole('listitem')
      .allTextContents();
    const worst = Math.max(
      ...score.checks.filter(({ status }) => status === 'fail').map(({ weight }) => weight),
    );
    expect(remedies).toHaveLength(3);
    expect(score.checks.find(({ title }) => remedies[0]?.startsWith(title))?.weight).toBe(worst);
    expect(await strip.getByRole('link', { name: 'Answer the request' }).getAttribute('href')).toBe(
      `/console/sites/${token}/dsar/${request_id}`,
    );
    expect(await strip.getByRole('link', { name: 'Report the breach' }).getAttribute('href')).toBe(
      `/console/sites/${token}/breaches/${breach.breach_id}`,
    );
  });

  test('a new request is shown from its first day on: as a card, and as a number in the navigation', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const ask = (email: string) =>
      kit.server.visitor.submitDsar({ token, body: { request_type: 'erasure', email } });
    const { request_id } = await ask('reader@example.com');
    await ask('other@example.com');
    const page = await kit.open(`/sites/${token}`, { as: owner });
    const card = page.getByRole('region', { name: 'New requests (2)' });
    await card.getByText('reader@example.com').waitFor();
    expect(await card.getByText(/29 days left|30 days left/).count()).toBe(2);
    expect(await page.getByText('Nothing needs your attention now.').count()).toBe(0);
    await page.getByRole('navigation').getByRole('link', { name: 'Requests 2 new' }).waitFor();
    await kit.look(page, 'overview-new-requests');
    await card.getByRole('listitem').filter({ hasText: 'reader@' }).getByRole('link').click();
    await page.waitForURL(`**/dsar/${request_id}`);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    // Somebody works on it: it is not new any more.
    await page.getByRole('navigation').getByRole('link', { name: 'Requests 1 new' }).waitFor();
  });

  test('advice leads to where it is followed, and says what the page of the score says', async () => {
    const owner = await kit.server.person();
    const token = await harbourBooks(kit.server, owner, { events: 200, days: 5 });
    const page = await kit.open(`/sites/${token}`, { as: owner });
    const card = page.getByRole('region', { name: 'Compliance score' });
    await card.getByRole('listitem').first().waitFor();
    const read = (names: string[], root: string) =>
      [...document.querySelectorAll(root)]
        .filter((item) => !item.textContent?.includes('Nothing to do'))
        .map((item) => [
          item.querySelector(names[0] as string)?.textContent,
          /([\d.]+) points/.exec(item.textContent ?? '')?.[1],
          item.querySelector('a')?.getAttribute('href'),
        ]);
    const own = await page.evaluate(`(${read})(['strong'], '[aria-label="Compliance score"] ol > li')`);
    await card.getByRole('link', { name: 'All checks' }).click();
    await page
      .getByRole('heading', { name: /^To fix|^Not known/ })
      .first()
      .waitFor();
    const all = (await page.evaluate(`(${read})(['h3'], 'main ul > li')`)) as string[][];
    const wanted = all.filter(([, , href]) => href !== undefined && href !== null);
    expect(own).toEqual(wanted.slice(0, 3));
    expect((own as string[][]).map(([, , href]) => href?.startsWith(`/console/sites/${token}/`))).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('a site without a visitor says so, and leads to the snippet', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}`, { as: owner });
    await page.getByText('Nothing needs your attention now.').waitFor();
    await page.getByText('No visitor has seen the banner').waitFor();
    await kit.look(page, 'overview-empty');
    await page.getByRole('link', { name: 'Install the banner' }).click();
    await page.getByRole('heading', { name: 'Install the banner' }).waitFor();
  });

  test('another owner’s site is not there', async () => {
    const [owner, other] = [await kit.server.site(), await kit.server.site()];
    const page = await kit.open(`/sites/${other.token}`, { as: owner });
    await page.getByText('There is nothing here').waitFor();
    await kit.look(page, 'missing');
  });
});
