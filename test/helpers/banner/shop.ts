import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { AvowConsent } from '../../../sdk/src/banner';
import { openBrowser } from '../browser/browser';
import { type Pages, startPages } from '../browser/pages';
import { type Client, startServer, type TestServer } from '../server';

/** A page of the shop: what is in its head after the snippet, its body, and headers of its answer. */
export interface ShopPage {
  head?: string;
  body?: string;
  lang?: string;
  headers?: Record<string, string>;
  /** Instead of the usual snippet. */
  snippet?: string;
}

/** A site with the banner, on another origin than the server. */
export interface ShopSite {
  server: TestServer;
  client: Client;
  token: string;
  origin: string;
  /** Where scripts and decisions go: scheme and host of the server, as the bundle knows it. */
  host: string;
  /** The same web server under another name: what a third party would be. */
  elsewhere: string;
  /** Paths that the shop's web server was asked for. */
  asked: string[];
  set(path: string, page: ShopPage): void;
  /** Changes settings, publishes, and answers the bundle. */
  publish(settings?: object, options?: object): ReturnType<Client['generateBundle']>;
  stop(): Promise<void>;
}

/** The same with a browser that visits it. */
export interface Shop extends ShopSite {
  browser: Browser;
  /** A new visitor on the shop's first page, or another one. */
  visit(path?: string, context?: BrowserContext | object): Promise<Page>;
}

const BODY = '<h1>Shop</h1><p>Fine things.</p><a href="/next">Next</a>';

export async function openSite(
  settings: object = {},
  variables: Record<string, string> = {},
  prepare: (server: TestServer) => Promise<void> = async () => undefined,
): Promise<ShopSite> {
  const server = await startServer({ variables });
  await prepare(server);
  const { client, token } = await server.site();
  const pages = new Map<string, ShopPage>([['/', {}]]);
  let present = '';
  const web = await startPages((path, response) => {
    if (path === '/favicon.ico') return void response.writeHead(204).end();
    const page = pages.get(path.split('?')[0] as string);
    if (path.endsWith('.js'))
      return void response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(scriptAt(path));
    if (path.endsWith('.css'))
      return void response.writeHead(200, { 'Content-Type': 'text/css' }).end('h1{color:rgb(1,2,3)}');
    if (path.endsWith('.svg'))
      return void response.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end(IMAGE);
    const { head = '', body = BODY, lang = 'en', headers = {}, snippet } = page ?? {};
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers });
    response.end(
      `<!doctype html><html lang="${lang}"><head><title>Shop</title><meta name="viewport" content="width=device-width">
       ${snippet ?? `<script src="${present}"></script>`}${head}</head><body>${body}</body></html>`,
    );
  });
  const origin = `http://shop.localhost:${web.port}`;
  const publish: ShopSite['publish'] = async (changed, options) => {
    if (changed) await client.updateEnvironment({ token, body: { settings: changed } });
    const bundle = await client.generateBundle({ token, body: options ?? {} });
    // The moving address may be kept by the browser for a minute; this one is what it leads to.
    present = bundle.immutable_url;
    return bundle;
  };
  await publish(settings);
  return {
    server,
    client,
    token,
    origin,
    host: new URL(present).origin,
    elsewhere: `http://video.localhost:${web.port}`,
    asked: web.asked,
    set: (path, page) => void pages.set(path, page),
    publish,
    stop: async () => {
      await web.stop();
      await server.stop();
    },
  };
}

export async function openShop(...args: Parameters<typeof openSite>): Promise<Shop> {
  const site = await openSite(...args);
  const browser = await openBrowser();
  return {
    ...site,
    browser,
    visit: async (path = '/', context = {}) => {
      const own = 'newPage' in context ? (context as BrowserContext) : await browser.newContext(context);
      const page = await own.newPage();
      page.setDefaultTimeout(10_000);
      await page.goto(site.origin + path);
      return page;
    },
    stop: async () => {
      await browser.close();
      await site.stop();
    },
  };
}

const IMAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"></svg>';
/** Each script tells the page its name. */
const scriptAt = (path: string): string =>
  `(window.ran ??= []).push(${JSON.stringify(path)});${path.includes('cookie') ? 'document.cookie="_ga=1;path=/"' : ''}`;

/** The page's own view of the decision. */
export const consentOf = (page: Page): Promise<AvowConsent | null> =>
  page.evaluate(() => {
    const { Avow } = window;
    if (Avow === undefined || Array.isArray(Avow)) throw new Error('the banner has not run');
    return Avow.getConsent();
  });

/** What the script keeps in the visitor's browser. */
export const memoryOf = (page: Page, token: string) =>
  page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? 'null'), `avow:${token}`);

export type { Pages };
