import type { Page } from 'playwright-core';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { PASSWORD } from '../helpers/server';

jest.setTimeout(120_000);

/** What has the focus, by its name, and whether that is seen. */
const focused = (page: Page): Promise<[string, boolean]> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement;
    const name = element.labels?.[0]?.textContent ?? element.ariaLabel ?? element.textContent ?? '';
    // A hidden radio button or checkbox is shown by the mark beside it.
    const marks = [element, element.closest('label')?.querySelector('.mark') ?? element];
    return [
      name.replace(' (optional)', '').trim(),
      marks.some((one) => getComputedStyle(one).outlineStyle !== 'none'),
    ];
  });

describeInBrowser('the keyboard alone', () => {
  const kit = useConsole();

  test('logs in, finds the site and its request, and answers it', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const body = { request_type: 'access' as const, email: 'lotte@example.com', name: 'Lotte Janssen' };
    const { request_id } = await kit.server.visitor.submitDsar({ token, body });
    const page = await kit.open('/');
    const seen: string[] = [];
    /** Goes on with this key until this has the focus; each station must be visible. */
    const tabTo = async (name: RegExp, key = 'Tab'): Promise<void> => {
      for (let step = 0; step < 80; step += 1) {
        await page.keyboard.press(key);
        const [now, isVisible] = await focused(page);
        expect([now, isVisible]).toEqual([now, true]);
        seen.push(now);
        if (name.test(now)) return;
      }
      throw new Error(`${name} is not reached: ${seen.join(' > ')}`);
    };
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await tabTo(/^E-mail address/);
    await page.keyboard.type(owner.email);
    await tabTo(/^Password/);
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your sites' }).waitFor();
    await tabTo(/^Example shop/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Example shop' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    // The navigation stands before the page.
    await tabTo(/^Requests 1 new$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Access' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'main');
    seen.length = 0;
    await tabTo(/^Access$/);
    // In the order in which they are read.
    const stations = seen.filter((name, index) => name !== seen[index - 1]);
    expect(stations).toEqual([
      ...['Export CSV', 'Export NDJSON', 'Templates', 'Systems', 'Record a request'],
      ...['View', 'Save this view', 'Manage views', 'State', 'Kind', 'Assigned to', 'E-mail address'],
      ...['Due from', 'Due before', 'Received from', 'Received before', 'Search'],
      ...['Select all shown', 'Choose Access for lotte@example.com', 'Access'],
    ]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Access for Lotte Janssen' }).waitFor();
    seen.length = 0;
    await tabTo(/^Resolve$/);
    expect(seen).toEqual(['← Requests', 'Start', 'Extend', 'Resolve']);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Resolve this request' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect((await focused(page))[0]).toBe('Resolve');
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await tabTo(/^Fulfilled/);
    await page.keyboard.press('ArrowDown');
    await tabTo(/^Note/);
    await page.keyboard.type('Backups are left out.');
    await tabTo(/^Resolve$/);
    await page.keyboard.press('Enter');
    await page.getByText('The request is resolved.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    // The button that opened the dialog is gone: the page goes on at its heading.
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    expect(await owner.client.getDsar({ token, request_id })).toMatchObject({
      ...{ status: 'resolved', resolution: 'partially_fulfilled' },
      resolution_note: 'Backups are left out.',
    });
  });
});
