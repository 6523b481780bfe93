import { inflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';

jest.setTimeout(120_000);

/** Nothing else on the page has these colours. */
const BACKGROUND = [0x2b, 0x0f, 0x8e] as const;
const BUTTON = [0xf1, 0xd2, 0x07] as const;
const hex = (colour: readonly number[]) =>
  `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

describeInBrowser('a proof on paper', () => {
  const kit = useConsole({ wholeBrowser: true });

  /** The proof of a decision at a banner with these colours. */
  async function proof(layout: 'bar' | 'dialog' | 'box') {
    const owner = await kit.server.site();
    const { token, client } = owner;
    const { banner } = (await client.getEnvironment({ token })).settings;
    const colours = {
      ...banner.colours,
      background: hex(BACKGROUND),
      text: '#ffffff',
      button_background: hex(BUTTON),
      button_text: '#000000',
    };
    await client.updateEnvironment({
      token,
      body: { settings: { banner: { ...banner, layout, theme: 'light', colours } } },
    });
    const bundle = await client.generateBundle({ token, body: {} });
    const { consent_id } = await kit.server.visitor.logConsent({
      token,
      body: {
        ...{ session_id: '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e12', decision: 'reject_all' },
        ...{ bundle_hash: bundle.hash, banner_version: bundle.version },
      },
    });
    return { owner, path: `/sites/${token}/consents/${consent_id}` };
  }

  test.each(['bar', 'dialog', 'box'] as const)(
    'has the %s, also when nobody has scrolled to it',
    async (layout) => {
      const { owner, path } = await proof(layout);
      const page = await kit.open(path, { as: owner });
      await page.setViewportSize({ width: 1440, height: 320 });
      await page.reload();
      await page.locator('iframe[data-state=shown]').waitFor({ state: 'attached' });
      const [top, height] = await page.evaluate(() => [
        document.querySelector('iframe')?.getBoundingClientRect().top ?? 0,
        innerHeight,
      ]);
      expect(top).toBeGreaterThan(height as number);
      const colours = await printedColours(page);
      expect([BACKGROUND, BUTTON].map((one) => colours.has(one.join()))).toEqual([true, true]);
    },
  );

  test('has the whole banner on sheets that are narrower than the window', async () => {
    const { owner, path } = await proof('bar');
    const page = await kit.open(path, { as: owner });
    await page.locator('iframe[data-state=shown]').waitFor();
    await page.emulateMedia({ media: 'print' });
    // A5 in landscape and A4, without their margins.
    for (const [name, width] of [
      ['a5', 703],
      ['a4', 703],
      ['window', 1440],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      const [frame, stage, card] = await page.evaluate(() => {
        const iframe = document.querySelector('iframe') as Element;
        return [iframe, iframe.parentElement, iframe.closest('section')].map((element) => {
          const { left, right, top, bottom } = (element as Element).getBoundingClientRect();
          return { left, right, top, bottom };
        });
      });
      const inside = (inner = frame, outer = stage) =>
        inner !== undefined &&
        outer !== undefined &&
        inner.left >= outer.left - 1.5 &&
        inner.right <= outer.right + 1.5 &&
        inner.top >= outer.top - 1.5 &&
        inner.bottom <= outer.bottom + 1.5;
      expect([name, inside(frame, stage), inside(stage, card)]).toEqual([name, true, true]);
    }
    await page.setViewportSize({ width: 703, height: 900 });
    await page.screenshot({ path: 'screenshots/console/consent-printed.png', fullPage: true });
  });

  test('is printed once the banner stands, however early somebody presses the button', async () => {
    const { owner, path } = await proof('bar');
    const page = await kit.open('', { as: owner });
    const printed = () => page.evaluate(() => (window as unknown as { printed?: string }).printed);
    await page.addInitScript(() => {
      window.print = () => {
        const state = document.querySelector('iframe')?.dataset.state;
        Object.assign(window, { printed: String(state) });
      };
    });
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/vendors', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${kit.server.url}/console${path}`);
    await page.getByRole('button', { name: 'Print' }).click();
    await page.getByRole('button', { name: 'Print …' }).waitFor();
    expect(await printed()).toBeUndefined();
    release();
    await page.waitForFunction(() => 'printed' in window);
    expect(await printed()).toBe('shown');
  });
});

/** Every colour that something on the paper is filled with, as three numbers to 255. */
async function printedColours(page: Page): Promise<Set<string>> {
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: false });
  const colours = new Set<string>();
  for (const text of streamsOf(pdf)) {
    for (const [, red, green, blue] of text.matchAll(/(\d*\.?\d+) (\d*\.?\d+) (\d*\.?\d+) rg\b/g)) {
      colours.add([red, green, blue].map((part) => Math.round(Number(part) * 255)).join());
    }
  }
  return colours;
}

/** The streams of a PDF that are compressed, as text. */
function streamsOf(pdf: Buffer): string[] {
  const texts: string[] = [];
  for (let at = pdf.indexOf('stream\n'); at !== -1; at = pdf.indexOf('stream\n', at + 1)) {
    if (pdf.subarray(at - 3, at).toString() === 'end') continue;
    const start = at + 'stream\n'.length;
    try {
      texts.push(inflateSync(pdf.subarray(start, pdf.indexOf('endstream', start))).toString('latin1'));
    } catch {
      // A picture or a font that is stored as it is.
    }
  }
  return texts;
}
