import type { Page } from 'playwright-core';
import type { components } from '../../spec/generated/api';
import { LOGOS } from '../helpers/banner/logos';
import { AXE, picture, violations } from '../helpers/banner/looks';
import { openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

type Design = components['schemas']['BannerDesign'];
const LOGO = { image: LOGOS.png, width: 120, height: 40, alt: 'Example shop' };
/** The ends of every range, in which buttons are smallest and largest. */
const EXTREMES: Record<string, Design> = {
  least: { font: 'mono', font_size: 14, radius: 0, button_radius: 0, spacing: 'compact', elevation: 'none' },
  most: {
    ...{ font: 'serif', font_size: 20, radius: 24, button_radius: 24, spacing: 'roomy', elevation: 'high' },
    ...{ control_position: 'top_right', parts: true, logo: { ...LOGO, width: 320, height: 96 } },
  },
};

/** What makes a button stand out: all of it is the same for those that accept, refuse and save. */
const prominence = (page: Page, layer: string) =>
  page.locator(`${layer} .actions .answer`).evaluateAll((all) =>
    all.map((one) => {
      const { width, height } = one.getBoundingClientRect();
      const css = getComputedStyle(one);
      const names = [
        ...['color', 'background-color', 'border-color', 'border-width', 'border-radius', 'padding'],
        ...['font-family', 'font-size', 'font-weight', 'text-decoration', 'box-shadow', 'opacity', 'display'],
        ...['text-transform', 'letter-spacing', 'outline', 'filter', 'transform', 'visibility', 'margin'],
      ];
      return [Math.round(width), Math.round(height), ...names.map((name) => css.getPropertyValue(name))];
    }),
  );

/** Words of buttons that stand in two lines. */
const brokenWords = (page: Page, layer: string) =>
  page.locator(`${layer} .actions button`).evaluateAll((all) =>
    all.flatMap((one) => {
      const text = one.firstChild as Text;
      return [...text.data.matchAll(/[^\s]+/g)]
        .filter(({ 0: word, index }) => {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return range.getClientRects().length > 1;
        })
        .map(([word]) => word);
    }),
  );

describeInBrowser('a design', () => {
  let shop: Shop;
  const publish = async (design: Design | undefined, more: object = {}) => {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    const { design: _, ...banner } = settings.banner;
    return shop.publish({ banner: { ...banner, ...(design && { design }), ...more } });
  };
  beforeAll(async () => {
    shop = await openShop({
      privacy_policy_url: 'https://shop.example.com/privacy',
      languages: ['en', 'ar', 'de'],
    });
    shop.set('/de', { lang: 'de' });
    shop.set('/ar', { lang: 'ar' });
  });
  afterAll(() => shop.stop());

  describe.each(Object.entries(EXTREMES))('at the %s of all values', (name, design) => {
    test.each(['box', 'bar', 'dialog'])(
      'in the layout %s, to accept and to refuse are alike, and all targets large enough',
      async (layout) => {
        await publish(design, { layout, position: layout === 'dialog' ? 'center' : 'bottom' });
        for (const [width, height] of [
          [1280, 800],
          [700, 800],
          [500, 800],
          [390, 844],
          [320, 640],
        ] as const) {
          const page = await shop.visit('/de', { viewport: { width, height } });
          for (const layer of ['dialog.first', 'dialog.second']) {
            await page.locator(layer).waitFor();
            // Not over a button, which underlines it.
            await page.mouse.move(0, 0);
            const [first, ...others] = await prominence(page, layer);
            expect(others).toEqual(Array(layer.endsWith('first') ? 1 : 2).fill(first));
            const targets = page.locator(`${layer} :is(button, a, input, summary)`);
            const small = await targets.evaluateAll((all) =>
              all
                .filter((one) => one.checkVisibility())
                .map((one) => one.getBoundingClientRect())
                .filter((box) => Math.min(box.width, box.height) < 24),
            );
            expect(small).toEqual([]);
            expect(await page.locator(layer).evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(
              true,
            );
            expect(await brokenWords(page, layer)).toEqual([]);
            await picture(page, `design-${name}-${layout}-${layer.slice(7)}-${width}.png`);
            if (layer === 'dialog.first') await page.locator('dialog .settings').click();
          }
          await page.context().close();
        }
      },
    );

    test.each(['box', 'bar', 'dialog'])(
      'the layout %s at 320 × 256 (400 %%) shows every button without scrolling',
      async (layout) => {
        await publish(design, { layout, position: layout === 'dialog' ? 'center' : 'bottom' });
        const page = await shop.visit('/', { viewport: { width: 320, height: 256 } });
        for (const selector of ['dialog.first', 'dialog.second']) {
          await page.locator(selector).waitFor();
          const boxes = await page
            .locator(`${selector} .actions button`)
            .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
          expect(boxes).toHaveLength(3);
          for (const { y, height } of boxes) {
            // Some text stays in view, too.
            expect(y).toBeGreaterThanOrEqual(40);
            expect(y + height).toBeLessThanOrEqual(256);
          }
          if (selector === 'dialog.first') await page.locator('.settings').click();
        }
        await page.context().close();
      },
    );

    test('nothing is found by axe, in light and dark, and from right to left', async () => {
      await publish(design, { layout: 'box', position: 'bottom_right', theme: 'auto' });
      for (const [path, colorScheme] of [
        ['/', 'light'],
        ['/', 'dark'],
        ['/ar', 'light'],
      ] as const) {
        const page = await shop.visit(path, { colorScheme, viewport: { width: 900, height: 700 } });
        await page.locator('dialog.first').waitFor();
        await page.addScriptTag({ path: AXE });
        expect((await violations(page)).filter((one) => one.includes('avow-banner'))).toEqual([]);
        await picture(page, `design-${name}${path === '/' ? '' : '-ar'}-${colorScheme}.png`);
        await page.locator('dialog .settings').click();
        await page.locator('dialog.second').waitFor();
        expect((await violations(page)).filter((one) => one.includes('avow-banner'))).toEqual([]);
        await picture(page, `design-${name}${path === '/' ? '' : '-ar'}-${colorScheme}-second.png`);
        await page.context().close();
      }
    });
  });

  test('the page’s font is that of its texts', async () => {
    await publish({ font: 'inherit', font_size: 18 });
    shop.set('/font', { head: '<style>body{font-family:"Shop Sans",Georgia}</style>' });
    const page = await shop.visit('/font');
    const title = page.locator('dialog h2');
    await title.waitFor();
    const font = (name: string) =>
      page
        .locator('dialog')
        .evaluate((one, property) => getComputedStyle(one).getPropertyValue(property), name);
    expect(await font('font-family')).toBe('"Shop Sans", Georgia');
    expect(await font('font-size')).toBe('18px');
    await page.context().close();
  });

  test('the control is where the design has it, unless the page places it; mirrored from right to left', async () => {
    await publish({ control_position: 'top_right' });
    shop.set('/placed', { head: '<style>:root{--avow-control-block:auto 100px}</style>' });
    const placeOf = async (path: string) => {
      const page = await shop.visit(path, { viewport: { width: 800, height: 600 } });
      await page.locator('dialog.first .answer').last().click();
      await page.locator('.control').waitFor();
      const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.floating').boundingBox()) ?? {};
      await page.context().close();
      return [
        x + width / 2 < 400 ? 'left' : 'right',
        y < 300 ? 'top' : 'bottom',
        Math.round(600 - y - height),
      ];
    };
    expect((await placeOf('/')).slice(0, 2)).toEqual(['right', 'top']);
    expect((await placeOf('/ar')).slice(0, 2)).toEqual(['left', 'top']);
    expect(await placeOf('/placed')).toEqual(['right', 'bottom', 100]);
  });

  describe('parts', () => {
    const HEAD = `<style>
      avow-banner::part(button) { text-transform: uppercase }
      avow-banner::part(button-answer) { background: rgb(0, 128, 0); letter-spacing: 1px }
      avow-banner::part(button-answer):first-child { background: red }
      avow-banner::part(button-answer):nth-child(2) { display: none }
      avow-banner::part(title) { color: rgb(0, 0, 200) }
      avow-banner::part(control) { border-radius: 4px; text-transform: none }
      avow-blocked::part(placeholder) { background: rgb(250, 240, 230) }
    </style>`;
    const FRAME =
      '<iframe data-category="marketing" data-src="/film" title="Film" width="480" height="270"></iframe>';

    test('without them, a page’s style sheet reaches nothing', async () => {
      await publish({ radius: 4 });
      shop.set('/parts', { head: HEAD, body: FRAME });
      const page = await shop.visit('/parts');
      await page.locator('dialog .answer').first().waitFor();
      expect(await page.locator('dialog [part], .floating [part]').count()).toBe(0);
      expect(JSON.stringify(await prominence(page, 'dialog'))).not.toContain('rgb(0, 128, 0)');
      await page.context().close();
    });

    test('with them, it styles the parts that the guide names, and cannot tell to accept from to refuse', async () => {
      await publish({ parts: true, logo: LOGO });
      const page = await shop.visit('/parts');
      await page.locator('dialog .answer').first().waitFor();
      const buttons = await prominence(page, 'dialog.first');
      expect(buttons[0]).toEqual(expect.arrayContaining(['rgb(0, 128, 0)', 'uppercase', '1px']));
      expect(buttons[1]).toEqual(buttons[0]);
      expect(await page.locator('dialog h2').evaluate((one) => getComputedStyle(one).color)).toBe(
        'rgb(0, 0, 200)',
      );
      await page.locator('avow-blocked .cover').waitFor();
      const placeholder = page.locator('avow-blocked .cover');
      expect(await placeholder.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe(
        'rgb(250, 240, 230)',
      );
      const seen = new Set<string>();
      const look = async () => {
        const parts = await page
          .locator('avow-banner [part], avow-blocked [part]')
          .evaluateAll((all) => all.flatMap((one) => [...one.part]));
        for (const part of parts) seen.add(part);
      };
      await look();
      await picture(page, 'design-parts.png');
      await page.locator('dialog .settings').click();
      await page.locator('dialog.second').waitFor();
      await look();
      expect(await prominence(page, 'dialog.second')).toEqual(
        Array(3).fill((await prominence(page, 'dialog.second'))[0]),
      );
      await page.locator('dialog .answer').nth(1).click();
      await page.locator('.control').waitFor();
      await look();
      expect(await page.locator('.control').evaluate((one) => getComputedStyle(one).borderRadius)).toBe(
        '4px',
      );
      expect([...seen].sort()).toEqual(
        [
          ...['panel', 'banner', 'settings', 'content', 'title', 'description', 'link', 'button', 'logo'],
          ...[
            'button-answer',
            'button-settings',
            'button-close',
            'category',
            'category-title',
            'switch',
            'control',
          ],
          'placeholder',
        ].sort(),
      );
      await page.context().close();
    });
  });

  describe('style sheets that would tell to accept from to refuse', () => {
    const ATTACKS = {
      'unequal columns': 'avow-banner::part(actions) { grid-template-columns: 6fr 1fr }',
      'one over the other':
        'avow-banner::part(button-answer) { grid-area: 1 / 1 / 2 / 3 !important; position: absolute !important }',
      'a mask': 'avow-banner::part(actions) { mask: linear-gradient(90deg, #000 50%, transparent 50%) }',
      'a mask of each, fixed to the window':
        'avow-banner::part(button-answer) { mask: linear-gradient(90deg, #000 50%, transparent 50%); background: fixed linear-gradient(90deg, green 50%, white 50%) }',
      'words that make a column wide':
        'avow-banner::part(button) { white-space: nowrap; letter-spacing: 12px; min-width: max-content }',
      'the settings over them':
        'avow-banner::part(button-settings) { position: absolute; inset: 0 50% 0 0; grid-row: 1; order: -1; background: white }',
    };
    /** What is seen at the middle of each answer, and what decides more than its box. */
    const seen = (page: Page) =>
      page.locator('dialog.first .actions .answer').evaluateAll((all) =>
        all.map((one) => {
          const { x, y, width, height } = one.getBoundingClientRect();
          const root = one.getRootNode() as ShadowRoot;
          const css = getComputedStyle(one);
          return [
            root.elementFromPoint(x + width / 2, y + height / 2) === one,
            ...['mask-image', 'background-attachment', 'clip-path', 'position', 'order'].map((name) =>
              css.getPropertyValue(name),
            ),
          ];
        }),
      );

    test.each(
      (['bar', 'box'] as const).flatMap((layout) =>
        Object.entries(ATTACKS).map(([name, rule]) => [layout, name, rule] as const),
      ),
    )('in the layout %s: %s', async (layout, _, rule) => {
      await publish({ parts: true }, { layout, position: 'bottom' });
      shop.set('/attack', { lang: 'de', head: `<style>${rule}</style>` });
      for (const width of [1280, 400]) {
        const page = await shop.visit('/attack', { viewport: { width, height: 800 } });
        await page.locator('dialog.first .answer').first().waitFor();
        await page.mouse.move(0, 0);
        const [first, second, ...more] = await prominence(page, 'dialog.first');
        expect(more).toEqual([]);
        expect(second).toEqual(first);
        expect(await seen(page)).toEqual(Array(2).fill([true, 'none', 'scroll', 'none', 'static', '0']));
        await page.context().close();
      }
    });
  });

  describe('a logo', () => {
    /** The colour in its middle row, near the beginning: blue around the marks. */
    const drawn = (page: Page) =>
      page.locator('dialog .logo').evaluate((one) => {
        const canvas = one as HTMLCanvasElement;
        const [red = 0, green = 0, blue = 0] = canvas.getContext('2d')?.getImageData(2, 16, 1, 1).data ?? [];
        return blue > 180 && red < 80 && green < 120;
      });

    test.each(Object.entries(LOGOS))('as %s is drawn in its size, and named', async (_, image) => {
      await publish({ logo: { ...LOGO, image } }, { layout: 'box', position: 'bottom_right' });
      const page = await shop.visit('/', { viewport: { width: 900, height: 700 } });
      await page.getByRole('img', { name: 'Example shop' }).waitFor();
      await until('it is drawn', () => drawn(page));
      const box = await page.locator('.logo').boundingBox();
      expect([box?.width, box?.height]).toEqual([120, 40]);
      await page.context().close();
    });

    test('needs no permission of a strict policy, and makes no request', async () => {
      const { hash, immutable_url } = await publish({ logo: LOGO });
      const policy = `default-src 'none'; script-src ${shop.host}; connect-src ${shop.host}`;
      shop.set('/strict', { headers: { 'Content-Security-Policy': policy } });
      const said: string[] = [];
      const context = await shop.browser.newContext();
      const page = await shop.visit('/', context);
      await page.close();
      const strict = await context.newPage();
      strict.on('console', (message) => void said.push(message.text()));
      const asked: string[] = [];
      strict.on('request', (request) => void asked.push(request.url()));
      await strict.goto(`${shop.origin}/strict`);
      await until('it is drawn', () => drawn(strict));
      expect(said.filter((text) => /policy|refused|violat/i.test(text))).toEqual([]);
      expect(asked.filter((url) => !/\/strict$|favicon/.test(url) && !url.startsWith(shop.host))).toEqual([]);
      expect(immutable_url).toContain(hash);
      await context.close();
    });

    test('that a browser cannot draw is left out, and the banner works', async () => {
      // Its size can be read, and its depth is none that there is.
      const broken = Buffer.from(LOGOS.png.split(',')[1] ?? '', 'base64');
      broken[24] = 99;
      await publish({ logo: { ...LOGO, image: `data:image/png;base64,${broken.toString('base64')}` } });
      const page = await shop.visit('/');
      const failed: Error[] = [];
      page.on('pageerror', (error) => void failed.push(error));
      await page.locator('dialog .answer').first().waitFor();
      await until('it is gone', async () => (await page.locator('.logo').count()) === 0);
      await page.locator('dialog .answer').last().click();
      await page.locator('.control').waitFor();
      expect(failed).toEqual([]);
      await page.context().close();
    });

    test('stands on the settings, too, and not where there is no room for it', async () => {
      await publish({ logo: LOGO });
      const page = await shop.visit('/', { viewport: { width: 800, height: 600 } });
      await page.locator('dialog .settings').click();
      await page.locator('dialog.second .logo').waitFor();
      await until('it is drawn', () => drawn(page));
      await page.setViewportSize({ width: 320, height: 256 });
      await page.locator('dialog.second .logo').waitFor({ state: 'hidden' });
      await page.context().close();
    });
  });
});
