import { CLIPBOARD, openPanel, panel, reportOf } from '../helpers/banner/diagnostics';
import { openVendorShop, type VendorShop } from '../helpers/banner/vendors';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const waits = (name: string, category: string, vendor: number): string =>
  `<script type="text/plain" data-category="${category}" data-vendor="${vendor}" src="https://${name}.example/tag.js"></script>`;

describeInBrowser('the diagnostics view where visitors choose by vendor', () => {
  let shop: VendorShop;
  beforeAll(async () => {
    shop = await openVendorShop();
    shop.set('/', {
      head:
        waits('film', 'marketing', 755) +
        waits('counter', 'analytics', 801) +
        waits('meter', 'analytics', 802),
    });
  });
  afterAll(() => shop?.stop());

  test.each(['open', 'opened late'])('judges by vendor, %s', async (when) => {
    const context = await shop.browser.newContext();
    await context.addInitScript(CLIPBOARD);
    await context.route(/^https:\/\//, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    );
    const page = await shop.visit('/', context);
    await page.locator('dialog.first').waitFor();
    if (when === 'open') await openPanel(page, shop.host);
    await page.evaluate('Avow.save({ analytics: true }, { 755: true, 801: false, 802: false })');
    if (when !== 'open') await openPanel(page, shop.host);
    // A page that does not wait for the refused vendor.
    await page.evaluate(() =>
      document.head.append(
        Object.assign(document.createElement('script'), { src: 'https://meter.example/tag.js' }),
      ),
    );
    const found = async () => {
      const { loads, held, states } = await reportOf(page);
      return { loads: Object.fromEntries(loads.map(({ url, verdict }) => [url, verdict])), held, states };
    };
    await until('both are seen', async () => Object.keys((await found()).loads).length === 2);
    const { loads, held, states } = await found();
    expect(loads).toEqual({
      'https://film.example/tag.js': 'allowed',
      'https://meter.example/tag.js': 'refused',
    });
    expect(held.map(({ url }) => url)).toContain('https://counter.example/tag.js');
    expect(states.at(-1)?.vendors).toEqual({ 755: true, 801: false, 802: false });
    await until('the panel names the vendors', async () =>
      (await panel(page).textContent())?.includes('vendors: 755'),
    );
    await context.close();
  });
});
