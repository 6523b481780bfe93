import type { Page } from 'playwright-core';
import type { AvowBanner } from '../../../sdk/src/banner';
import { until } from '../until';
import { openShop, type Shop } from './shop';

/** Vendors of the shop's list: one of each kind of category, one of two, one that nobody is asked about. */
const LIST = [
  { id: 755, name: 'Film Ltd', categories: ['marketing'] },
  { id: 801, name: 'Counter Ltd', categories: ['analytics'] },
  { id: 802, name: 'Meter Ltd', categories: ['analytics', 'marketing'] },
  { id: 900, name: 'Host Ltd', categories: ['necessary'] },
];

export interface VendorShop extends Shop {
  /** Replaces the shop's list of vendors, without publishing. */
  list(vendors: { id: number; name: string; categories: string[] }[]): Promise<unknown>;
}

/** A shop whose visitors choose by vendor. */
export async function openVendorShop(settings: object = {}): Promise<VendorShop> {
  const shop = await openShop();
  const list: VendorShop['list'] = (vendors) =>
    shop.client.replaceVendors({
      token: shop.token,
      body: {
        vendors: vendors.map((one) => ({
          ...one,
          purposes: [],
          leg_int_purposes: [],
          urls: [],
          cookies: [],
        })),
      },
    });
  await list(LIST);
  await shop.publish({ choice_by_vendor: true, ...settings });
  return { ...shop, list };
}

export { LIST as VENDORS };

/** An element that waits for a vendor, or for its categories alone. */
export const blocked = (name: string, categories: string, vendor?: number | string): string =>
  `<script type="text/plain" data-category="${categories}"${vendor === undefined ? '' : ` data-vendor="${vendor}"`}>(window.ran ??= []).push('${name}')</script>`;

/** What ran, sorted. */
export const ran = async (page: Page): Promise<string[]> =>
  (await page.evaluate(() => (window as unknown as { ran?: string[] }).ran ?? [])).sort();

/** Waits until exactly this has run. */
export const runs = (page: Page, names: string[]) =>
  until(`${names} to run`, async () => JSON.stringify(await ran(page)) === JSON.stringify([...names].sort()));

export const avow = <Value>(page: Page, call: (banner: AvowBanner) => Value): Promise<Value> =>
  page.evaluate(`(${call})(window.Avow)`) as Promise<Value>;

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const toggle = (page: Page, name: string) => page.getByRole('switch', { name, exact: true });

/** The record of the page's session, once the server has one of this decision. */
export const recordOf = (shop: Shop, session: string) =>
  until('the record', async () => {
    const { items } = await shop.client.listConsents({ token: shop.token, session_id: session });
    return items[0];
  });
