import type { Page } from 'playwright-core';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';

jest.setTimeout(90_000);

describeInBrowser('a form with an error', () => {
  const kit = useConsole();

  /** Middle and top of a button, in the window. */
  async function placeOf(page: Page, name: string) {
    const box = await page.getByRole('button', { name, exact: true }).boundingBox();
    if (box === null) throw new Error(`${name} is not on the page`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, top: box.y };
  }

  test('keeps its layout until it is sent again: the first press upon the button counts', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/settings/policy`, { as: owner });
    // The whole form is in view: nothing moves by scrolling.
    await page.setViewportSize({ width: 1440, height: 1600 });
    const field = page.getByLabel('Address of the privacy policy');
    await field.fill('privacy.html');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const problem = page.locator('.field-error:not(.room)');
    await problem.waitFor();
    const { x, y, top } = await placeOf(page, 'Save');
    // The pointer waits upon the button while the keyboard mends the field.
    await page.mouse.move(x, y);
    await field.press('ControlOrMeta+A');
    await page.keyboard.type('https://shop.example.com/privacy');
    expect((await placeOf(page, 'Save')).top).toBe(top);
    await page.mouse.down();
    // The press took the focus, and with it the error.
    await problem.waitFor({ state: 'detached' });
    expect((await placeOf(page, 'Save')).top).toBe(top);
    await page.mouse.up();
    await page.getByText('Policy and languages: saved').waitFor();
    expect(await page.locator('.field-error').count()).toBe(0);
    const { settings } = await owner.client.getEnvironment({ token: owner.token });
    expect(settings.privacy_policy_url).toBe('https://shop.example.com/privacy');
  });

  test('shows a second refusal in the same place, and no room is left of the first', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/settings/policy`, { as: owner });
    const [first, second] = [
      page.getByLabel('Address of the privacy policy'),
      page.getByLabel('Address of the imprint'),
    ];
    await first.fill('privacy.html');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.field-error').waitFor();
    await first.fill('https://shop.example.com/privacy');
    await second.fill('imprint.html');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.field', { has: second }).locator('.field-error:not(.room)').waitFor();
    expect(await page.locator('.field-error').count()).toBe(1);
    expect(await second.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  test('a mistake in a filter leaves the fields in one line', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/consents`, { as: owner });
    await page.getByLabel('Session').fill('not a session');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator('.filters .field-error').waitFor();
    const tops = await page
      .locator('.filters .control')
      .evaluateAll((controls) => controls.map((control) => control.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    await kit.look(page, 'filter-refused');
  });
});
