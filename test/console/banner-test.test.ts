import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { join } from '../helpers/site/people';
import { testOf, view } from '../helpers/site/two-banners';
import { until } from '../helpers/until';

jest.setTimeout(180_000);

const SETTINGS = { privacy_policy_url: 'https://shop.example.com/privacy' };

describeInBrowser('the A/B test of the banner', () => {
  const kit = useConsole();

  /** The page of a new site, and the preview of each version on it. */
  const open = async () => {
    const owner = await kit.server.site(SETTINGS);
    const page = await kit.open(`/sites/${owner.token}/banner/ab-test`, { as: owner });
    const shown = (version: 'A' | 'B') => page.frameLocator(`iframe[title="The banner, version ${version}"]`);
    return { owner, page, shown, client: owner.client, token: owner.token };
  };

  test('an owner edits version B beside version A, starts, reads the figures, and keeps B', async () => {
    const { owner, page, shown, client, token } = await open();
    await shown('A').locator('dialog.first').waitFor();
    await page.getByRole('radio', { name: 'Bar' }).check({ force: true });
    await page.getByLabel('Corners of the buttons').fill('20');
    await page.getByLabel('Heading').fill('May we count?');
    await shown('B').locator('dialog.first.bar').getByText('May we count?').waitFor();
    expect(await shown('A').locator('dialog.first.bar').count()).toBe(0);
    await kit.look(page, 'ab-test-draft');
    await page.getByRole('button', { name: 'Start the test' }).click();
    await page.getByText('Test started').waitFor();
    const { current } = await client.getBannerTest({ token });
    expect(current).toMatchObject({ number: 1, share: 50, aim: 'decisions', smallest_difference: 5 });
    const { settings } = await client.getEnvironment({ token });
    expect(settings.banner_test?.banner).toMatchObject({
      ...{ layout: 'bar', design: { button_radius: 20 }, texts: { en: { title: 'May we count?' } } },
    });
    await view(kit.server, token, current?.a.bundle_hash as string, 'accept_all');
    const consent_id = await view(kit.server, token, current?.b.bundle_hash as string, 'reject_all');
    await view(kit.server, token, current?.b.bundle_hash as string);
    await page.reload();
    const table = page.getByRole('table', { name: 'Figures of test 1' });
    await table.waitFor();
    expect(await table.getByRole('row').nth(1).allTextContents()).toEqual(['Impressions12']);
    expect(await table.getByRole('row').nth(3).allTextContents()).toEqual([
      'Share with a decision100 % (20.7 % to 100 %)50 % (9.5 % to 90.5 %)',
    ]);
    await page.getByText('Not enough yet: 3 of 3,130 impressions.').waitFor();
    await kit.look(page, 'ab-test-running');
    const record = await kit.open(`/sites/${token}/consents/${consent_id}`, { as: owner });
    await record.getByText('Version B of the banner').waitFor();
    await page.getByRole('button', { name: 'End, keep B' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End, keep B' }).click();
    await page.getByText('Test ended').waitFor();
    await page.getByRole('heading', { name: 'Test 1, ended' }).waitFor();
    const after = await client.getEnvironment({ token });
    expect(after.settings.banner_test).toBeNull();
    expect(after.settings.banner).toMatchObject({
      ...{ layout: 'bar', design: { button_radius: 20 }, texts: { en: { title: 'May we count?' } } },
      first_layer_buttons: settings.banner.first_layer_buttons,
    });
    expect((await client.listBundles({ token })).items[0]).toMatchObject({ current: true });
  });

  test('a change while it runs asks before it starts anew; keeping A ends it; a refusal is at its field', async () => {
    const { owner, page, client, token } = await open();
    await page.getByRole('button', { name: 'Start the test' }).click();
    await page.getByText('is the same as banner').waitFor();
    await page.getByRole('radio', { name: 'Dialog' }).check({ force: true });
    await page.getByLabel('Share of version B').fill('5');
    await page.getByRole('button', { name: 'Start the test' }).click();
    await until(
      'the field says it',
      async () => (await page.getByLabel('Share of version B').getAttribute('aria-invalid')) === 'true',
    );
    await page.getByLabel('Share of version B').fill('20');
    // By keyboard.
    await page.keyboard.press('Enter');
    await page.getByText('Test started').waitFor();
    // Whoever changes version A on its own page is told as well.
    const banner = await kit.open(`/sites/${token}/banner`, { as: owner });
    await banner.getByRole('radio', { name: 'Bar' }).check({ force: true });
    await banner.getByText('publishing this ends it and starts a new one').waitFor();
    await banner.close({ runBeforeUnload: false });
    expect(await page.getByRole('button', { name: 'Start anew' }).isDisabled()).toBe(true);
    await page.getByLabel('Smallest difference worth finding').fill('10');
    await page.getByRole('button', { name: 'Start anew' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('counts from zero').waitFor();
    expect((await client.getBannerTest({ token })).current?.number).toBe(1);
    await question.getByRole('button', { name: 'Start anew' }).click();
    await until('it started anew', async () => (await client.getBannerTest({ token })).current?.number === 2);
    await page.getByRole('heading', { name: 'Test 1, ended' }).waitFor();
    await page.getByRole('button', { name: 'End, keep A' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End, keep A' }).click();
    await page.getByRole('heading', { name: 'Test 2, ended' }).waitFor();
    const { settings } = await client.getEnvironment({ token });
    expect([settings.banner.layout, settings.banner_test]).toEqual(['box', null]);
  });

  test('others read the figures and start nothing', async () => {
    const owner = await kit.server.site(SETTINGS);
    const { settings } = await owner.client.getEnvironment({ token: owner.token });
    await owner.client.updateEnvironment({
      token: owner.token,
      body: { settings: { banner_test: testOf(settings) } },
    });
    const viewer = await kit.server.person();
    await join(owner, viewer, 'viewer');
    const page = await kit.open(`/sites/${owner.token}/banner/ab-test`, { as: viewer });
    await page.getByText('A test is saved and not published').waitFor();
    await page.getByText('Only owners can start and end a test.').waitFor();
    await owner.client.generateBundle({ token: owner.token });
    await page.reload();
    await page.getByRole('table', { name: 'Figures of test 1' }).waitFor();
    expect(await page.getByRole('button', { name: /test|keep/i }).count()).toBe(0);
  });
});
