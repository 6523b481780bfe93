import type { BrowserContext, Page } from 'playwright-core';
import type { AvowBanner } from '../../../sdk/src/banner';
import { until } from '../until';
import { consentOf, memoryOf, openShop, type Shop } from './shop';

export interface LinkedShop extends Shop {
  /** The same web server on the site's other domain. */
  books: string;
  /** A visitor on the shop who has decided, and whose decision the server has. */
  decided(how?: 'accept' | 'reject', context?: BrowserContext | object): Promise<Page>;
  /** The records of a session, the latest first. */
  records(session: string): Promise<Awaited<ReturnType<Shop['client']['listConsents']>>['items']>;
}

/** A shop that stands on two domains. */
export async function openLinkedShop(settings: object = {}): Promise<LinkedShop> {
  const shop = await openShop();
  const { client, token } = shop;
  const domains = ['shop.localhost', 'books.localhost'];
  await client.updateEnvironment({ token, body: { domains } });
  await shop.publish({ linked_domains: domains, ...settings });
  const books = shop.origin.replace('shop', 'books');
  shop.set('/', { body: `<h1>Shop</h1><p><a id="out" href="${books}/">Books</a></p>` });
  return {
    ...shop,
    books,
    decided: async (how = 'accept', context = {}) => {
      const page = await shop.visit('/', context);
      await page.getByRole('dialog').waitFor();
      await decide(page, how);
      await confirmed(page, token);
      return page;
    },
    records: async (session_id) => (await client.listConsents({ token, session_id })).items,
  };
}

export const decide = (page: Page, how: 'accept' | 'reject'): Promise<void> =>
  page.evaluate((name) => (window.Avow as AvowBanner)[name](), how);

/** Waits until the server has what was decided on a page. */
export const confirmed = (page: Page, token: string) =>
  until('it is confirmed', async () => (await memoryOf(page, token))?.unsent.length === 0);

/** What waits until a test lets it go on. */
export function gate(): { open(): void; opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** An address with the token of the page's visitor. */
export const linkedTo = (page: Page, url: string): Promise<string> =>
  page.evaluate(async (to) => (await (window.Avow as AvowBanner).link?.(to)) ?? '', url);

/** Leads to an address, as a script of the page does. */
export async function lead(page: Page, url: string): Promise<void> {
  await page.evaluate((to) => {
    location.href = to;
  }, url);
  await page.waitForURL((now) => now.host === new URL(url).host);
  await page.waitForLoadState();
}

/** Waits until the page has a decision. */
export const taken = (page: Page) =>
  until('the decision', async () => (await consentOf(page).catch(() => null)) ?? undefined);

/** Waits until the page asks, and tells whether anything is decided there. */
export async function isAsked(page: Page): Promise<boolean> {
  await page.getByRole('dialog').waitFor();
  return (await consentOf(page)) === null;
}
