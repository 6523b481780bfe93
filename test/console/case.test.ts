import { writeFileSync } from 'node:fs';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { attach, someRequest } from '../helpers/site/attachments';

jest.setTimeout(120_000);

/** Sheets in millimetres, in points as a PDF has them. */
const SHEETS = { A4: [595, 842], Letter: [612, 792] } as const;

describeInBrowser('the whole case of a request', () => {
  const kit = useConsole({ wholeBrowser: true });

  /** With a history of many steps, so that it is longer than a sheet. */
  const long = async () => {
    const owner = await kit.server.site();
    const { token, client } = owner;
    const at = { token, request_id: await someRequest(kit.server.visitor, token) };
    await attach(client, at, undefined, { name: `${'a-long-name-'.repeat(8)}.pdf` });
    for (let times = 0; times < 12; times += 1) {
      await client.resolveDsar({ ...at, body: { resolution: 'fulfilled', note: 'Sent. '.repeat(30) } });
      await client.reopenDsar({ ...at, body: { reason: 'A system was missing. '.repeat(10) } });
    }
    return { owner, at, path: `/sites/${token}/dsar/${at.request_id}` };
  };

  test('is read from the request, and has everything', async () => {
    const { owner, path } = await long();
    const page = await kit.open(path, { as: owner });
    await page.getByRole('link', { name: 'Print or export the case' }).click();
    await page.getByRole('heading', { name: 'Access request: the whole case' }).waitFor();
    const titles = await page.getByRole('heading', { level: 2 }).allTextContents();
    expect(titles).toEqual([
      ...['The request', 'Clock', 'Identity', 'Outcome', 'History'],
      ...['Systems searched', 'Comments', 'Attachments', 'Files of the answer'],
      ...['Mails to the person', 'Evidence'],
    ]);
    await page.getByRole('table', { name: 'History' }).getByText('A system was missing.').first().waitFor();
    await kit.look(page, 'case');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export with its files' }).click();
    expect((await download).suggestedFilename()).toMatch(/^request-shop\.example\.com-.*\.zip$/);
  });

  test('is printed on A4 and Letter, without anything to press, with its head and number on every sheet', async () => {
    const { owner, at, path } = await long();
    const page = await kit.open(`${path}/case`, { as: owner });
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await page.emulateMedia({ media: 'print' });
    // A4 without its margins.
    await page.setViewportSize({ width: 680, height: 900 });
    const shown = await page.evaluate(() => ({
      pressable: [...document.querySelectorAll('button, nav, input')].filter(
        (element) => element.getClientRects().length > 0,
      ).length,
      wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
      head: [document.querySelector('main header + div > header') as Element].map((element) => {
        const { display, breakInside } = getComputedStyle(element);
        return { display, breakInside };
      }),
    }));
    expect(shown).toEqual({
      pressable: 0,
      wide: false,
      head: [{ display: 'table-header-group', breakInside: 'avoid' }],
    });
    await page.getByText(`Printed by`).waitFor();
    expect(await page.locator('main').textContent()).toContain(at.request_id);
    for (const [format, [width, height]] of Object.entries(SHEETS)) {
      const pdf = await page.pdf({ format, preferCSSPageSize: true });
      writeFileSync(`screenshots/console/case-${format}.pdf`, pdf);
      const text = pdf.toString('latin1');
      const sheets = [...text.matchAll(/\/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]/g)];
      expect([format, sheets.length > 1]).toEqual([format, true]);
      for (const [, w, h] of sheets) {
        expect(Math.abs(Number(w) - width)).toBeLessThan(2);
        expect(Math.abs(Number(h) - height)).toBeLessThan(2);
      }
    }
  });
});
