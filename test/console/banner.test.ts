import type { FrameLocator, Page } from 'playwright-core';
import { describeInBrowser } from '../helpers/browser';
import { useConsole } from './support/console';

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
    await page.getByText('The preview waits for you').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await light
      .locator('.field-error')
      .getByText(/Must (be a colour|match)/)
      .waitFor();
    expect(await light.getByLabel('Text on buttons', { exact: true }).inputValue()).toBe('#7f9');
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
    await page.getByText('Pinned to this very banner').waitFor();

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
    await page.getByText('Earlier').waitFor();
    await page.getByRole('link', { name: first.hash }).click();
    await (await shown(page)).getByRole('heading', { name: 'The first' }).waitFor();
    await kit.look(page, 'banner-as-it-was');
    // A language that the script does not hold is asked for, and answered without any request of the frame.
    await page.getByLabel('Language').selectOption('German');
    await (await shown(page)).getByRole('button', { name: 'Alle ablehnen' }).waitFor();
  });

  test('a viewer sees the present banner and cannot change it', async () => {
    const owner = await kit.server.site(SETTINGS);
    const viewer = await kit.server.person('Vera Viewer');
    const { client, token } = owner;
    await client.addMember({ token, body: { email: viewer.email, role: 'viewer' } });
    const page = await kit.open(`/sites/${token}/banner`, { as: viewer });
    await page.getByText('No banner is published yet').waitFor();
    await client.generateBundle({ token });
    await page.reload();
    await (await shown(page)).getByRole('button', { name: 'Reject all' }).waitFor();
    expect(await page.getByRole('button', { name: /Save|Publish/ }).count()).toBe(0);
    await kit.look(page, 'banner-viewer');
  });
});
