import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { join } from '../helpers/site/people';
import { until } from '../helpers/until';

jest.setTimeout(180_000);

describeInBrowser('the IAB’s Global Privacy Platform', () => {
  const kit = useConsole();

  test('an owner without rules by region is led to them', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/banner/gpp`, { as: owner });
    await page.getByText('It needs rules by region').waitFor();
    expect(await page.getByRole('switch', { name: 'Give vendors a GPP string' }).isDisabled()).toBe(true);
    await page.getByRole('main').getByText('It needs rules').getByRole('link', { name: 'Regions' }).click();
    await page.getByRole('table', { name: 'What the laws ask' }).waitFor();
  });

  test('an owner switches it on with a preview, says what the site does and by which categories, and saves', async () => {
    const owner = await kit.server.site({ regions: { rules: 'law' } });
    const { token } = owner;
    const page = await kit.open(`/sites/${token}/banner/gpp`, { as: owner });
    await page.getByRole('switch', { name: 'Give vendors a GPP string' }).check({ force: true });
    const banner = page.frameLocator('iframe');
    await banner.getByRole('button', { name: 'Do not sell or share my personal information' }).waitFor();
    // What is for signatories of an agreement alone is no default, and a warning where it is chosen without it.
    const section = page.getByLabel('Section', { exact: true });
    expect(await section.inputValue()).toBe('us_states');
    await section.selectOption('The national one for every state (signatories of the MSPA)');
    await page.getByText('The national section is for signatories').waitFor();
    await section.selectOption('That of the visitor’s state');
    await page.getByText('Nothing states that visitors are told').waitFor();
    const notices = page.getByRole('checkbox', {
      name: 'The site tells visitors, in a notice at collection',
    });
    expect(await notices.isChecked()).toBe(false);
    await notices.check({ force: true });
    await page.getByText('Nothing states that visitors are told').waitFor({ state: 'detached' });
    await page.getByLabel('Multi-State Privacy Agreement').selectOption('Opt-out option mode');
    await page.getByRole('switch', { name: 'The site shares' }).uncheck({ force: true });
    const groups = page.getByRole('group', { name: 'Whoever has refused one of these' });
    expect(await groups.count()).toBe(2);
    const sale = groups.first();
    for (const name of ['Functional', 'Analytics', 'Marketing'])
      await sale.getByRole('checkbox', { name }).uncheck({ force: true });
    await kit.look(page, 'gpp');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must').first().waitFor();
    await sale.getByRole('checkbox', { name: 'Marketing' }).check({ force: true });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('GPP saved').waitFor();
    const { settings } = await owner.client.getEnvironment({ token });
    expect(settings.gpp).toEqual({
      sections: 'us_states',
      sale: true,
      sharing: false,
      targeted_advertising: true,
      categories: { sale: ['marketing'] },
      mspa: 'opt_out_option',
      notices: true,
    });
    // And it is there when the page is opened again, and off when it is switched off.
    const again = await kit.open(`/sites/${token}/banner/gpp`, { as: owner });
    const group = again.getByRole('group', { name: 'Whoever has refused one of these' }).first();
    await group.getByRole('checkbox', { name: 'Marketing' }).waitFor();
    expect(await group.getByRole('checkbox', { checked: true }).count()).toBe(1);
    await again.getByRole('switch', { name: 'Give vendors a GPP string' }).uncheck({ force: true });
    await again.getByRole('button', { name: 'Save' }).click();
    await until(
      'no string',
      async () => (await owner.client.getEnvironment({ token })).settings.gpp === null,
    );
  });

  test('others cannot change it', async () => {
    const owner = await kit.server.site();
    const viewer = await kit.server.person();
    await join(owner, viewer, 'viewer');
    const page = await kit.open(`/sites/${owner.token}/banner/gpp`, { as: viewer });
    await page.getByText('Only owners can change this.').waitFor();
    expect(await page.getByRole('switch').count()).toBe(0);
  });
});
