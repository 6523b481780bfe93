import { randomBytes } from 'node:crypto';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { join } from '../helpers/site/people';
import { vendor } from '../helpers/site/vendors';
import { until } from '../helpers/until';

jest.setTimeout(180_000);

const SETTINGS = {
  ...{
    default_language: 'en',
    languages: ['en', 'de'],
    privacy_policy_url: 'https://shop.example.com/privacy',
  },
};

const TITLE = '[name="settings.banner.texts.en.title"]';

/** The banner inside of the preview, once it stands. */
async function shown(page: Page): Promise<FrameLocator> {
  await page.locator('iframe[data-state=shown]').waitFor();
  return page.frameLocator('iframe');
}

describeInBrowser('the banner', () => {
  const kit = useConsole();

  test('the real banner follows what is edited before anything is saved', async () => {
    const owner = await kit.server.site(SETTINGS);
    const page = await kit.open(`/sites/${owner.token}/banner`, { as: owner });
    await (await shown(page)).getByRole('button', { name: 'Accept all' }).waitFor();
    await kit.look(page, 'banner');

    await page.locator(TITLE).fill('Books & <b>biscuits</b>');
    await page.locator(TITLE).focus();
    await (await shown(page)).getByRole('heading', { name: 'Books & <b>biscuits</b>' }).waitFor();
    // The banner that opens does not take the focus from who is typing.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe(
      'settings.banner.texts.en.title',
    );

    await page.getByRole('group', { name: 'Layer' }).getByRole('button', { name: 'Settings' }).click();
    const second = await shown(page);
    await second.getByRole('heading', { name: 'Privacy settings' }).waitFor();
    await kit.look(page, 'banner-settings-layer');
    await page.getByRole('complementary', { name: 'Preview' }).getByLabel('Language').selectOption('German');
    await (await shown(page)).getByRole('heading', { name: 'Datenschutzeinstellungen' }).waitFor();

    const { settings_version } = await owner.client.getEnvironment({ token: owner.token });
    expect(settings_version).toBe(1);
  });

  test('a dialog in the preview takes the focus only when somebody goes there', async () => {
    const owner = await kit.server.site(SETTINGS);
    const page = await kit.open(`/sites/${owner.token}/banner`, { as: owner });
    await shown(page);
    await page.getByRole('radio', { name: 'Dialog' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('radio', { name: 'Dialog', checked: true }).waitFor();
    const title = page.locator(TITLE);
    await title.focus();
    await page.frameLocator('iframe').locator('dialog.dialog').waitFor();
    expect(await title.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  test('what cannot be read well is said at the colour, and what is no colour at its field', async () => {
    const owner = await kit.server.site(SETTINGS);
    const page = await kit.open(`/sites/${owner.token}/banner`, { as: owner });
    await shown(page);
    const light = page.getByRole('group', { name: 'Light', exact: true });
    await light.getByLabel('Text on buttons', { exact: true }).fill('#7f9cff');
    await light.getByText(/has a contrast of \d/).waitFor();
    await page.getByRole('checkbox', { name: 'Reject all' }).uncheck({ force: true });
    await page.getByText(/Refusing must be as easy as accepting/).waitFor();
    await kit.look(page, 'banner-warnings');
    await light.getByLabel('Text on buttons', { exact: true }).fill('#7f9');
    await page.getByText('The preview cannot be made yet').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Save anyway' }).click();
    await light
      .locator('.field-error')
      .getByText(/Must (be a colour|match)/)
      .waitFor();
    expect(await light.getByLabel('Text on buttons', { exact: true }).inputValue()).toBe('#7f9');
  });

  test('what is refused is said beside the button and at the field, and both are in sight', async () => {
    const owner = await kit.server.site(SETTINGS);
    const page = await kit.open(`/sites/${owner.token}/banner`, { as: owner });
    await shown(page);
    const inSight = (locator: Locator) =>
      locator.evaluate((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return top >= 0 && bottom <= innerHeight && (element.contains(found) || found?.contains(element));
      });
    const said = page.getByRole('alert').filter({ hasText: 'Please check what you entered' });
    const light = page.getByRole('group', { name: 'Light', exact: true });
    await light.getByLabel('Text on buttons', { exact: true }).fill('#7f9');
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 900 });
      // The field is far above, or far below.
      for (const place of [0, 100_000]) {
        await page.evaluate((top) => scrollTo(0, top), place);
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await said.waitFor();
        const problem = light.locator('.field-error:not(.room)');
        await until('both are in sight', async () => (await inSight(said)) && (await inSight(problem)));
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await kit.look(page, 'banner-refused');
    // A text of a language that is not open, in a part that is folded away.
    await light.getByLabel('Text on buttons', { exact: true }).fill('#ffffff');
    await page.getByLabel('Texts in').selectOption('German');
    await page.getByText('Elsewhere', { exact: true }).click();
    const field = page.locator('[name="settings.banner.texts.de.blocked"]');
    await field.evaluate((input) => input.removeAttribute('maxlength'));
    await field.fill('x'.repeat(501));
    await page.getByText('Elsewhere', { exact: true }).click();
    await page.getByLabel('Texts in').selectOption('English');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await field.waitFor();
    await until('the text is in sight', () => inSight(field));
    await page.locator('.field-error:not(.room)').waitFor();
  });

  test('the weight is that of what visitors load, however many languages there are', async () => {
    const languages = ['en', ...'ar bg cs da de el es et fi fr ga hu is it ja ko lt lv nl pl'.split(' ')];
    const owner = await kit.server.site({ ...SETTINGS, languages });
    const { client, token } = owner;
    const page = await kit.open(`/sites/${token}/banner`, { as: owner });
    await shown(page);
    const { gzip_bytes, warnings } = await client.generateBundle({ token });
    expect(warnings.filter(({ code }) => code === 'too_large')).toEqual([]);
    await page.getByText(`${(gzip_bytes / 1024).toFixed(1)} KiB, compressed`).waitFor();
    expect(await page.getByText(/weighs .* more than 12/).count()).toBe(0);
    // One that is too heavy says so, where its texts are.
    await page.locator('[name="settings.banner.texts.en.description"]').evaluate((field) => {
      field.removeAttribute('maxlength');
    });
    // Letters in which nothing repeats, so that they cannot be compressed.
    const long = randomBytes(2_990).toString('base64');
    await page.locator('[name="settings.banner.texts.en.description"]').fill(long);
    await page
      .getByRole('region', { name: 'Texts' })
      .getByText(/weighs .* KiB compressed, more than 12: shorten the texts/)
      .waitFor();
  });

  test('an owner changes, saves and publishes; the page and the API show the same banner', async () => {
    const owner = await kit.server.site(SETTINGS);
    const { client, token } = owner;
    const page = await kit.open(`/sites/${token}/banner`, { as: owner });
    await page.getByRole('radio', { name: 'Bar' }).check({ force: true });
    await page.getByLabel('Position').selectOption('Top');
    await page.getByLabel('Add a language').selectOption('French');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Make default: German' }).click();
    await page.getByLabel('Texts in').selectOption('French');
    await page.locator('[name="settings.banner.texts.fr.title"]').fill('Vos choix');
    await page.getByRole('button', { name: 'Save and publish' }).click();
    await page.getByText('Pinned to this banner').waitFor();

    const { settings } = await client.getEnvironment({ token });
    expect(settings.banner).toMatchObject({
      layout: 'bar',
      position: 'top',
      texts: { fr: { title: 'Vos choix' } },
    });
    expect([settings.default_language, settings.languages]).toEqual(['de', ['en', 'de', 'fr']]);
    const { items } = await client.listBundles({ token });
    const [bundle] = items;
    await page.getByText(bundle?.snippet as string).waitFor();
    await page.getByRole('link', { name: bundle?.hash as string }).waitFor();
    await kit.look(page, 'banner-published');
  });

  test('a cookie that repeats the decision is switched on, refused at its field, and switched off', async () => {
    const owner = await kit.server.site(SETTINGS);
    const page = await kit.open(`/sites/${owner.token}/banner`, { as: owner });
    const onOff = page.getByRole('switch', { name: 'A cookie that repeats the decision' });
    const cookie = async () =>
      (await owner.client.getEnvironment({ token: owner.token })).settings.banner.cookie;
    const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
    await onOff.focus();
    await page.keyboard.press('Space');
    const domain = page.getByLabel('Domain whose subdomains share it');
    await domain.fill('co.uk');
    await save();
    await page
      .getByText(/co\.uk is no domain that a site can have for itself/)
      .first()
      .waitFor();
    await kit.look(page, 'banner-cookie');
    await domain.fill('example.com');
    await page.getByLabel('Days until the browser deletes it').fill('30');
    await save();
    await until('it is saved', async () => (await cookie())?.days === 30);
    expect(await cookie()).toEqual({ domain: 'example.com', days: 30 });
    await onOff.focus();
    await page.keyboard.press('Space');
    await save();
    await until('it is gone', async () => (await cookie()) === undefined);
  });

  test('an earlier banner is shown as it was', async () => {
    const owner = await kit.server.site(SETTINGS);
    const { client, token } = owner;
    const title = (text: string) => ({ banner: { ...banner, texts: { en: { title: text } } } });
    const { banner } = (await client.getEnvironment({ token })).settings;
    await client.updateEnvironment({ token, body: { settings: title('The first') } });
    const first = await client.generateBundle({ token });
    await client.updateEnvironment({ token, body: { settings: title('The second') } });
    await client.generateBundle({ token });
    const page = await kit.open(`/sites/${token}/banner/published`, { as: owner });
    await page.getByText('Earlier', { exact: true }).waitFor();
    await page.getByRole('link', { name: first.hash }).click();
    await (await shown(page)).getByRole('heading', { name: 'The first' }).waitFor();
    await kit.look(page, 'banner-as-it-was');
    // A language that the script does not hold is asked for, and answered without any request of the frame.
    await page.getByLabel('Language').selectOption('German');
    await (await shown(page)).getByRole('button', { name: 'Alle ablehnen' }).waitFor();
  });

  test('everybody is asked again when vendors were added', async () => {
    const owner = await kit.server.site(SETTINGS);
    const { client, token } = owner;
    await client.generateBundle({ token });
    await client.replaceVendors({ token, body: { vendors: [vendor(1, 'Heat map GmbH')] } });
    await client.generateBundle({ token });
    const page = await kit.open(`/sites/${token}/banner/published`, { as: owner });
    await page.getByText('Not everybody was asked').waitFor();
    await page.getByRole('button', { name: 'Ask everybody again' }).click();
    await kit.look(page, 'banner-ask-again');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Ask everybody' }).click();
    await page.getByText('every visitor is asked again').waitFor();
    await page.getByText('Not everybody was asked').waitFor({ state: 'detached' });
    const { settings, warnings } = await client.getEnvironment({ token });
    expect([settings.policy_version, warnings]).toEqual(['2', []]);
    const [bundle] = (await client.listBundles({ token })).items;
    const { config } = await client.getBundleRecord({ token, hash: bundle?.hash as string });
    expect(config.policy_version).toBe('2');
  });

  test('whoever asks everybody again is told where nobody knows whether a test would end, and may', async () => {
    const owner = await kit.server.site(SETTINGS);
    const { client, token } = owner;
    await client.generateBundle({ token });
    await client.replaceVendors({ token, body: { vendors: [vendor(1, 'Heat map GmbH')] } });
    await client.generateBundle({ token });
    const page = await kit.open(`/sites/${token}/banner/published`, { as: owner });
    kit.expectOutage(page);
    await page.route('**/banner-test', (route) => route.abort('connectionrefused'));
    await page.getByRole('button', { name: 'Ask everybody again' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('It could not be read whether an A/B test is running').waitFor();
    await dialog.getByRole('button', { name: 'Ask everybody' }).click();
    await page.getByText('every visitor is asked again').waitFor();
    expect((await client.getEnvironment({ token })).settings.policy_version).toBe('2');
  });

  test('a viewer sees the present banner and cannot change it', async () => {
    const owner = await kit.server.site(SETTINGS);
    const viewer = await kit.server.person('Vera Viewer');
    const { client, token } = owner;
    await join({ client, token }, viewer, 'viewer');
    const page = await kit.open(`/sites/${token}/banner`, { as: viewer });
    await page.getByText('No banner is published yet').waitFor();
    await client.generateBundle({ token });
    await page.reload();
    await (await shown(page)).getByRole('button', { name: 'Reject all' }).waitFor();
    expect(await page.getByRole('button', { name: /Save|Publish/ }).count()).toBe(0);
    await kit.look(page, 'banner-viewer');
  });
});
