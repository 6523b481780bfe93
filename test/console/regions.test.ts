import { randomUUID } from 'node:crypto';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { join } from '../helpers/site/people';
import { until } from '../helpers/until';

jest.setTimeout(180_000);

describeInBrowser('regions', () => {
  const kit = useConsole();

  test('an owner turns the rules on, sees the banner under each, is warned of a laxer one, and saves', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const page = await kit.open(`/sites/${token}/banner/regions`, { as: owner });
    const laws = page.getByRole('table', { name: 'What the laws ask' });
    const california = laws.getByRole('row').filter({ hasText: 'California Consumer Privacy Act' });
    expect(await california.getByRole('link').getAttribute('href')).toContain('leginfo.legislature.ca.gov');
    expect(await california.textContent()).toContain('Must be honoured');
    await page.getByRole('switch', { name: 'Rules by the visitor’s region' }).check({ force: true });
    const banner = page.frameLocator('iframe');
    await banner.getByRole('button', { name: 'Do not sell or share my personal information' }).waitFor();
    await page.getByRole('button', { name: 'Told', exact: true }).click();
    await banner.getByRole('button', { name: 'OK' }).waitFor();
    await page.getByRole('button', { name: 'Asked', exact: true }).click();
    await banner.getByRole('button', { name: 'Accept all' }).waitFor();
    await page.getByRole('button', { name: 'Add a rule of your own' }).click();
    await page.getByLabel('Region', { exact: true }).fill('xx');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('XX is no region').first().waitFor();
    await page.getByLabel('Region', { exact: true }).fill('de');
    await page.getByLabel('Rule', { exact: true }).selectOption('Tell only');
    await page.getByText('In DE the rules of this site are laxer').waitFor();
    await kit.look(page, 'regions');
    await page.getByRole('button', { name: 'Save' }).click();
    await until('the rules', async () => {
      const { settings } = await owner.client.getEnvironment({ token });
      return (
        settings.regions?.overrides?.[0]?.region === 'DE' && settings.regions.overrides[0].rule === 'notice'
      );
    });
    // What is changed while a form is being saved is not told apart from what was sent.
    await page.getByText('Regions saved').waitFor();
    await page.getByRole('switch', { name: 'Rules by the visitor’s region' }).uncheck({ force: true });
    await page.getByRole('button', { name: 'Save' }).click();
    await until(
      'no rules',
      async () => (await owner.client.getEnvironment({ token })).settings.regions === null,
    );
  });

  test('others read what the laws ask', async () => {
    const owner = await kit.server.site();
    const viewer = await kit.server.person();
    await join(owner, viewer, 'viewer');
    const page = await kit.open(`/sites/${owner.token}/banner/regions`, { as: viewer });
    await page.getByText('Only owners can change the rules.').waitFor();
    await page.getByRole('table', { name: 'What the laws ask' }).waitFor();
    expect(await page.getByRole('switch').count()).toBe(0);
  });

  test('a record shows where the visitor was, by which rule, and when the banner had another', async () => {
    const owner = await kit.server.site({ regions: { rules: 'law' } });
    const { token } = owner;
    const { hash } = await owner.client.generateBundle({ token });
    const record = (rule: 'opt_out' | 'notice') =>
      kit.server.visitor.recordVisitorConsent({
        token,
        body: {
          ...{ event_id: randomUUID(), session_id: randomUUID(), decision: 'reject_all' as const },
          ...{ bundle_hash: hash, region: 'US-CA', rule },
        },
      });
    const right = await record('opt_out');
    const page = await kit.open(`/sites/${token}/consents/${right.consent_id}`, { as: owner });
    await page.getByText('US-CA').first().waitFor();
    await page.getByText('Allowed until the visitor objects').waitFor();
    expect(await page.getByText('the banner had another rule').count()).toBe(0);
    const wrong = await record('notice');
    const other = await kit.open(`/sites/${token}/consents/${wrong.consent_id}`, { as: owner });
    await other.getByText('as it was sent; the banner had another rule').waitFor();
  });
});
