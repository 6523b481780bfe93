import { refreshVendorList } from '../../server/src/jobs/vendor-list';
import { LOGOS } from '../helpers/banner/logos';
import { picture } from '../helpers/banner/looks';
import { openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { vendor } from '../helpers/site/vendors';
import { type ListHost, startListHost } from '../helpers/tcf/list';

jest.setTimeout(90_000);

const DESIGN = {
  ...{ font_size: 18, radius: 4, button_radius: 20, parts: true },
  logo: { image: LOGOS.webp, width: 120, height: 40, alt: 'Example shop' },
};

/** Both layers have the design, whatever program shows them. */
async function look(shop: Shop, name: string): Promise<void> {
  const { settings } = await shop.client.getEnvironment({ token: shop.token });
  await shop.publish({ banner: { ...settings.banner, design: DESIGN } });
  const page = await shop.visit('/', { viewport: { width: 900, height: 800 } });
  for (const layer of ['dialog.first', 'dialog.second']) {
    await page.locator(layer).waitFor();
    await page.locator(layer).getByRole('img', { name: 'Example shop' }).waitFor();
    // On top of everything else.
    expect(await page.locator(`${layer} .words > :first-child`).getAttribute('class')).toBe('logo');
    expect(await page.locator(layer).evaluate((one) => getComputedStyle(one).borderRadius)).toBe('4px');
    const parts = await page
      .locator(`${layer} .actions .answer`)
      .evaluateAll((all) => all.map((one) => one.part.value));
    expect(parts).toEqual(Array(layer.endsWith('first') ? 2 : 3).fill('button button-answer'));
    await page.mouse.move(0, 0);
    const sizes = await page.locator(`${layer} .actions .answer`).evaluateAll((all) =>
      all.map((one) => {
        const { width, height } = one.getBoundingClientRect();
        return [
          Math.round(width),
          Math.round(height),
          getComputedStyle(one).fontSize,
          getComputedStyle(one).borderRadius,
        ];
      }),
    );
    expect(sizes).toEqual(Array(sizes.length).fill(sizes[0]));
    await picture(page, `design-${name}-${layer.slice(7)}.png`);
    if (layer === 'dialog.first') await page.locator('dialog .actions .settings').click();
  }
  expect(await page.locator('dialog.second [part~=switch]').count()).toBeGreaterThanOrEqual(3);
  await page.context().close();
}

describeInBrowser('a design in the other programs', () => {
  let host: ListHost | undefined;
  let shop: Shop | undefined;
  afterEach(async () => {
    await shop?.stop();
    await host?.stop();
    host = undefined;
  });

  test('by vendor, with rules by region and a cookie', async () => {
    shop = await openShop();
    const { client, token } = shop;
    await client.replaceVendors({ token, body: { vendors: [vendor(1, 'Counter'), vendor(2, 'Films')] } });
    const { settings } = await client.getEnvironment({ token });
    await shop.publish({
      ...{ choice_by_vendor: true, regions: { rules: 'law' } },
      banner: { ...settings.banner, cookie: {} },
    });
    await look(shop, 'by-vendor');
  });

  test('with rules by region', async () => {
    shop = await openShop({ regions: { rules: 'law' } });
    await look(shop, 'regions');
  });

  test('by IAB Europe’s framework', async () => {
    host = await startListHost();
    const variables = { TCF_CMP_ID: '300', TCF_LIST: host.place };
    shop = await openShop({ tcf: { publisher_country: 'DE' } }, variables, (server) =>
      refreshVendorList(server.service.context, new Date(Date.UTC(2027, 0, 1)), new AbortController().signal),
    );
    await look(shop, 'tcf');
  });
});
