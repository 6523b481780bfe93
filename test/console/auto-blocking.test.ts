import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { join } from '../helpers/site/people';
import { until } from '../helpers/until';

jest.setTimeout(180_000);

describeInBrowser('auto-blocking in the console', () => {
  const kit = useConsole();

  test('an owner switches it on, lets a host pass, writes a rule, is told of a bad one, and saves', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const page = await kit.open(`/sites/${token}/banner`, { as: owner });
    await page
      .getByRole('navigation', { name: 'Banner' })
      .getByRole('link', { name: 'Auto-blocking' })
      .click();
    const table = page.getByRole('table', { name: 'Hosts' });
    await page.getByText('Scans found nothing that waits').waitFor();
    await page.getByRole('button', { name: /^All that are known/ }).click();
    const row = table.getByRole('row').filter({ hasText: 'doubleclick.net' });
    expect(await row.textContent()).toContain('Known tracker');
    expect(await row.textContent()).toContain('Needs consent');
    // Nothing can be given a rule while it is off.
    expect(await table.getByRole('button').count()).toBe(0);
    await page.getByRole('switch', { name: 'Hold what nobody has marked up' }).check({ force: true });
    await table.getByRole('button', { name: 'Let pass: doubleclick.net' }).press('Enter');
    const places = page.getByLabel('Host, or beginning of addresses');
    expect(await places.inputValue()).toBe('doubleclick.net');
    expect(await page.getByLabel('What is loaded from there').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Add a rule of your own' }).click();
    await places.last().fill('https://shop.example.com/Pixel/');
    await page.getByLabel('What is loaded from there').last().selectOption('Wait for Marketing');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('never waits: mark it up').first().waitFor();
    await places.last().fill('https://CDN.example/Pixel/');
    await page.getByLabel('Hosts that a scan found and nobody knows').selectOption('Wait for Analytics');
    await kit.look(page, 'auto-blocking');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Auto-blocking saved').waitFor();
    const { settings } = await owner.client.getEnvironment({ token });
    expect(settings.auto_blocking).toEqual({
      enabled: true,
      rules: [
        { place: 'doubleclick.net', category: null },
        { place: 'cdn.example/Pixel/', category: 'marketing' },
      ],
      unclassified: 'analytics',
    });
    await page.getByRole('button', { name: /^Of your pages and rules \(2\)/ }).click();
    await table.getByRole('row').filter({ hasText: 'Never waits, by your rule' }).waitFor();
    // Off, the rules are kept.
    await page.getByRole('switch', { name: 'Hold what nobody has marked up' }).uncheck({ force: true });
    await page.getByRole('button', { name: 'Save' }).click();
    await until('off', async () => {
      const now = (await owner.client.getEnvironment({ token })).settings.auto_blocking;
      return now?.enabled === false && now.rules.length === 2;
    });
  });

  test('the banner is outdated until it is published, and the snippet is another one then', async () => {
    const owner = await kit.server.site();
    const { token, client } = owner;
    await client.generateBundle({ token });
    const auto_blocking = { enabled: true, rules: [], unclassified: null };
    await client.updateEnvironment({ token, body: { settings: { auto_blocking } } });
    const page = await kit.open(`/sites/${token}/banner/auto-blocking`, { as: owner });
    await page.getByText('Visitors’ pages hold something else').waitFor();
    await client.generateBundle({ token });
    const again = await kit.open(`/sites/${token}/banner/auto-blocking`, { as: owner });
    await again.getByText('No scan is kept').waitFor();
    expect(await again.getByText('Visitors’ pages hold something else').count()).toBe(0);
    await again
      .getByRole('navigation', { name: 'Banner' })
      .getByRole('link', { name: 'Published banners' })
      .click();
    await again.getByText('because auto-blocking was switched on or off').waitFor();
    await again.getByText('each time its rules, your vendors or scans change what it holds').waitFor();
    await kit.look(again, 'snippet-new');
    // Other rules are another snippet, too; the same rules are not.
    const own = { ...auto_blocking, rules: [{ place: 'cdn.example', category: 'marketing' }] };
    await client.updateEnvironment({ token, body: { settings: { auto_blocking: own } } });
    await again.getByRole('button', { name: 'Publish the saved settings' }).click();
    await again.getByText('because what auto-blocking holds is something else').waitFor();
    const { settings } = await client.getEnvironment({ token });
    const banner = { ...settings.banner, theme: 'dark' as const };
    await client.updateEnvironment({ token, body: { settings: { banner } } });
    await again.getByRole('button', { name: 'Publish the saved settings' }).click();
    await until(
      'told no more',
      async () => (await again.getByText('The snippet is a new one').count()) === 0,
    );
  });

  test('others read which hosts wait, and change nothing', async () => {
    const owner = await kit.server.site({
      auto_blocking: {
        enabled: true,
        rules: [{ place: 'cdn.example', category: 'marketing' }],
        unclassified: null,
      },
    });
    const viewer = await kit.server.person();
    await join(owner, viewer, 'viewer');
    const page = await kit.open(`/sites/${owner.token}/banner/auto-blocking`, { as: viewer });
    await page.getByText('Only owners can change this.').waitFor();
    const table = page.getByRole('table', { name: 'Hosts' });
    await table.getByRole('row').filter({ hasText: 'cdn.example' }).getByText('Marketing').waitFor();
    expect(await page.getByRole('switch').count()).toBe(0);
    expect(await table.getByRole('button').count()).toBe(0);
  });
});
