import type { FrameLocator, Page } from 'playwright-core';
import { LOGOS } from '../helpers/banner/logos';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { join } from '../helpers/site/people';
import { until } from '../helpers/until';

jest.setTimeout(180_000);

const SETTINGS = { privacy_policy_url: 'https://shop.example.com/privacy' };

/** The banner inside of the preview, once it stands. */
async function shown(page: Page): Promise<FrameLocator> {
  await page.locator('iframe[data-state=shown]').waitFor();
  return page.frameLocator('iframe');
}

const bytesOf = (image: string) => Buffer.from(image.split(',')[1] ?? '', 'base64');

describeInBrowser('the design of the banner', () => {
  const kit = useConsole();

  /** A property of an element of the previewed banner, now. */
  const styleOf = async (page: Page, selector: string, property: string) =>
    (await shown(page))
      .locator(selector)
      .first()
      .evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property);

  test('a ready look fills the form, is previewed at once, and saved like anything typed', async () => {
    const owner = await kit.server.site(SETTINGS);
    const { client, token } = owner;
    const page = await kit.open(`/sites/${token}/banner`, { as: owner });
    await shown(page);
    await page.getByRole('button', { name: 'Use the look Soft' }).click();
    expect(await page.getByLabel('Corners of the panels').inputValue()).toBe('24');
    await until(
      'the preview has it',
      async () => (await styleOf(page, 'dialog', 'border-radius')) === '24px',
    );
    expect(await styleOf(page, '.answer', 'background-color')).toBe('rgb(109, 40, 217)');
    expect((await client.getEnvironment({ token })).settings_version).toBe(1);
    await kit.look(page, 'banner-design-soft');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await until('it is saved', async () => (await client.getEnvironment({ token })).settings_version === 2);
    const { settings } = await client.getEnvironment({ token });
    expect(settings.banner).toMatchObject({
      position: 'bottom_left',
      design: { font: 'rounded', radius: 24, button_radius: 24, spacing: 'roomy', elevation: 'high' },
    });
  });

  test('every value is typed, previewed and saved; what is out of bounds is said at its field', async () => {
    const owner = await kit.server.site(SETTINGS);
    const { client, token } = owner;
    const page = await kit.open(`/sites/${token}/banner`, { as: owner });
    await shown(page);
    await page.getByLabel('Font', { exact: true }).selectOption('With serifs');
    await page.getByLabel('Size of the text').fill('18');
    await page.getByLabel('Corners of the panels').fill('2');
    await page.getByLabel('Corners of the buttons').fill('20');
    await page.getByLabel('Room').selectOption('Compact');
    await page.getByLabel('Shadow').selectOption('None');
    await page.getByLabel('Where the floating button is').selectOption('Top right');
    await page.getByRole('switch', { name: 'Parts for your own style sheet' }).focus();
    await page.keyboard.press('Space');
    await until('the preview has it', async () => (await styleOf(page, 'dialog', 'border-radius')) === '2px');
    expect(await styleOf(page, 'dialog', 'font-size')).toBe('18px');
    expect(await styleOf(page, '.answer', 'border-radius')).toBe('20px');
    expect(await styleOf(page, 'dialog', 'box-shadow')).toBe('none');
    await page.getByLabel('Size of the text').fill('99');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.field-error').getByText(/20/).first().waitFor();
    await page.getByLabel('Size of the text').fill('18');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const designNow = async () => (await client.getEnvironment({ token })).settings.banner.design;
    await until('it is saved', async () => (await designNow()) !== undefined);
    expect(await designNow()).toEqual({
      ...{
        font: 'serif',
        font_size: 18,
        radius: 2,
        button_radius: 20,
        spacing: 'compact',
        elevation: 'none',
      },
      ...{ control_position: 'top_right', parts: true },
    });
  });

  test('a logo is chosen as a file, made small enough, named, previewed and removed', async () => {
    const owner = await kit.server.site(SETTINGS);
    const { client, token } = owner;
    const page = await kit.open(`/sites/${token}/banner`, { as: owner });
    await shown(page);
    const choose = async (name: string, mimeType: string, buffer: Buffer) => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: /Choose a(nother)? logo/ }).click();
      await (await chooser).setFiles({ name, mimeType, buffer });
    };
    await choose('logo.png', 'image/png', Buffer.from('<svg/>'));
    await page.getByText('It is no PNG, WebP or JPEG that can be read').waitFor();
    await choose('logo.png', 'image/png', bytesOf(LOGOS.png));
    await page.getByLabel('What screen readers say').fill('Example shop');
    await (await shown(page)).getByRole('img', { name: 'Example shop' }).waitFor();
    await kit.look(page, 'banner-design-logo');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const logoNow = async () => (await client.getEnvironment({ token })).settings.banner.design?.logo;
    await until('it is saved', async () => (await logoNow()) !== undefined);
    expect(await logoNow()).toEqual({ image: LOGOS.png, alt: 'Example shop', width: 144, height: 48 });
    // Noise of 800 × 800 pixels, which no file of 16 KiB holds.
    const large = await page.evaluate(() => {
      const canvas = document.createElement('canvas');
      canvas.width = 800;
      canvas.height = 800;
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      const image = context.createImageData(800, 800);
      image.data.forEach((_, at) => {
        image.data[at] = (at * 7919) % 256;
      });
      context.putImageData(image, 0, 0);
      return canvas.toDataURL('image/png');
    });
    await choose('large.png', 'image/png', bytesOf(large));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await until('the large one is saved', async () => (await logoNow())?.width === 48);
    const image = (await logoNow())?.image ?? '';
    expect(image).toMatch(/^data:image\/webp;/);
    expect(image.length).toBeLessThanOrEqual(16_384);
    await page.getByRole('button', { name: 'Remove the logo' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await until('it is gone', async () => (await logoNow()) === undefined);
  });

  test('an earlier banner comes back into the form with what is different, and is saved as a new version', async () => {
    const owner = await kit.server.site({ ...SETTINGS, languages: ['en', 'de'] });
    const { client, token } = owner;
    const { settings } = await client.getEnvironment({ token });
    const category = { key: 'maps', name: 'Maps', description: '', required: false };
    const texts = { en: { title: 'The first', categories: { maps: { name: 'City maps' } } } };
    const first = { ...settings.banner, texts, design: { radius: 0 } };
    await client.updateEnvironment({
      token,
      body: { settings: { banner: first, categories: [...settings.categories, category] } },
    });
    const { hash } = await client.generateBundle({ token });
    const second = { ...settings.banner, layout: 'bar' as const, texts: { en: { title: 'The second' } } };
    // The category goes, so that its texts cannot come back.
    await client.updateEnvironment({
      token,
      body: { settings: { banner: second, categories: settings.categories, languages: ['en'] } },
    });
    const page = await kit.open(`/sites/${token}/banner/versions`, { as: owner });
    await page.getByText('Version 3').waitFor();
    await kit.look(page, 'banner-versions');
    await page.getByRole('link', { name: 'Restore the banner of version 2' }).click();
    await page.getByText('The banner of version 2 is in the form').waitFor();
    const said = page.getByRole('alert').filter({ hasText: 'version 2 is in the form' });
    for (const text of [
      'Layout: box instead of bar',
      'Design: another one',
      'Languages: en, de instead of en',
    ])
      await said.getByText(text).waitFor();
    await said.getByText('The first instead of The second').waitFor();
    await (await shown(page)).getByRole('heading', { name: 'The first' }).waitFor();
    await kit.look(page, 'banner-restored');
    expect((await client.getEnvironment({ token })).settings_version).toBe(3);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await until('it is saved', async () => (await client.getEnvironment({ token })).settings_version === 4);
    const now = await client.getEnvironment({ token });
    expect(now.settings.banner).toEqual({ ...first, texts: { en: { title: 'The first' } } });
    expect(now.settings.languages).toEqual(['en', 'de']);
    await said.waitFor({ state: 'detached' });
    await until('the address names it no more', async () => !page.url().includes('version='));
    // Also from a banner as it was, which is the present one again.
    await page.goto(page.url().replace(/\/banner.*/, `/banner/published/${hash}`));
    await page.getByRole('link', { name: 'Restore this banner' }).click();
    await page.getByText('The banner of version 2 is the present one').waitFor();
  });

  test('who may not change the banner is offered nothing to restore', async () => {
    const owner = await kit.server.site(SETTINGS);
    const viewer = await kit.server.person('Vera Viewer');
    const { client, token } = owner;
    await join({ client, token }, viewer, 'viewer');
    await client.updateEnvironment({ token, body: { settings: { policy_version: '2' } } });
    const page = await kit.open(`/sites/${token}/banner/versions`, { as: viewer });
    await page.getByText('Version 2').waitFor();
    expect(await page.getByText('Restore', { exact: true }).count()).toBe(0);
  });
});
