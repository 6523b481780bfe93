import type { IncomingHttpHeaders } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '../helpers/browser/browser';
import { html, type Pages, passOn, startPages } from '../helpers/browser/pages';
import { type Client, startServer, type TestServer } from '../helpers/server';
import { until } from '../helpers/until';
import { samplesIn } from './guide-files';

// A page made of what the guide of the banner shows, with a real bundle, on another origin than the server's.
jest.setTimeout(120_000);

const GUIDE = '02-banner.md';
const EXAMPLE = /https:\/\/consent\.example\.com\/api\/bundles\/env_\w+\.js/g;
/** Guides show only the ends of the stub. */
const STUB = /<script>\(function\(e\)\{…\}\)\(true\)<\/script>/;

/** The sample of the guide that contains the text. */
const sample = (language: string, text: string, guide = GUIDE): string => {
  const found = samplesIn(language).filter(
    ({ place, code }) => place.startsWith(guide) && code.includes(text),
  );
  expect(found).toHaveLength(1);
  return found[0]?.code ?? '';
};

describeInBrowser('the page of the guide', () => {
  let server: TestServer;
  let browser: Browser;
  let pages: Pages;
  let client: Client;
  let token: string;
  let page: Page;
  let stub: string;
  const printed: string[] = [];
  /** The headers of what the page's host passed on. */
  const passed: IncomingHttpHeaders[] = [];

  beforeAll(async () => {
    server = await startServer();
    ({ client, token } = await server.site({ privacy_policy_url: 'https://shop.example.com/privacy' }));
    const bundle = await client.generateBundle({ token });
    const { snippet_pinned, snippet_csp_hash, immutable_url, url } = bundle;
    [stub = ''] = /^<script>.*?<\/script>/.exec(bundle.snippet) ?? [];
    const preview = sample('html', 'preview: true', '06-').replace(/https:[^"]*/, immutable_url);
    const policy = sample('text', 'Content-Security-Policy')
      .replaceAll('https://consent.example.com', new URL(url).origin)
      .replace(/sha256-[^']*/, snippet_csp_hash);
    const [name = '', value = ''] = policy.trim().split(': ');
    const own = sample('html', 'data-server').replace(/env_\w+/, token);
    const { origin } = new URL(url);
    const emptied = [...sample('nginx', 'proxy_pass').matchAll(/proxy_set_header (\S+) "";/g)];
    pages = await startPages((path, response, request) => {
      if (path.startsWith('/privacy/api/')) {
        for (const [, header = ''] of emptied) delete request.headers[header.toLowerCase()];
        passed.push(request.headers);
        passOn(request, response, origin + path.slice('/privacy'.length));
      } else if (path === '/own') html(response, stub + own);
      else if (path === '/') html(response, pageWith(url));
      else if (path === '/microsoft')
        html(response, `${stub}<script async src="${url}"></script>${sample('html', 'uetq', '34-')}`);
      else if (path === '/pinned') html(response, snippet_pinned, { [name]: `${value}; style-src 'self'` });
      else if (path === '/preview') html(response, preview);
      else if (path === '/embed/42') html(response, 'video');
      else response.writeHead(200, { 'Content-Type': typeOf(path) }).end('');
    });
    browser = await openBrowser();
    page = await browser.newPage();
    page.on('console', (message) => printed.push(message.text()));
    await page.goto(`http://127.0.0.1:${pages.port}/`);
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.stop();
    await server?.stop();
  });

  const pageWith = (url: string): string => {
    const here = (code: string): string =>
      code.replaceAll(/https:\/\/(stats|video|ads|fonts)\.example\.net/g, '');
    const scripts = ["'change'", 'privacy-settings', 'avow:consent']
      .map((text) => sample('js', text))
      .join('\n');
    return [
      sample('html', '<head>')
        .replace(STUB, () => stub)
        .replace(EXAMPLE, url),
      here(sample('html', 'text/plain')),
      here(sample('html', '<img')),
      sample('html', '<footer>'),
      `<script>${scripts}</script>`,
    ].join('\n');
  };

  const BLOCKED = ['/tag.js', '/js/both.js', '/embed/42', '/pixel.gif', '/css'];
  const asked = (): string[] => pages.asked.filter((path) => BLOCKED.includes(path));
  const signals = (): Promise<unknown[][]> =>
    page.evaluate(() =>
      (window as unknown as { dataLayer: ArrayLike<unknown>[] }).dataLayer
        .filter((item) => item[0] === 'consent')
        .map((item) => Array.from(item)),
    );

  test('snippets look as the server makes them', async () => {
    const bundle = await client.generateBundle({ token });
    const { snippet, snippet_pinned, snippet_blocking, url, immutable_url, integrity } = bundle;
    const whole = (code: string) => code.replace(STUB, () => stub).replace(EXAMPLE, url);
    expect(whole(sample('html', '<head>'))).toContain(snippet);
    expect(whole(sample('html', '<script src="https://consent')).trim()).toBe(snippet_blocking);
    const pinned = sample('html', 'integrity="')
      .trim()
      .replace(STUB, () => stub);
    const filled = pinned.replace(/src="[^"]*"/, `src="${immutable_url}"`).replace(/sha384-[^"]*/, integrity);
    expect(filled).toBe(snippet_pinned);
  });

  test('nothing that is blocked is asked for before a choice, and Google is told so first', async () => {
    await page.getByRole('button', { name: 'Accept all' }).waitFor();
    expect(asked()).toEqual([]);
    const [first] = await signals();
    expect(first).toEqual([
      'consent',
      'default',
      expect.objectContaining({ ad_storage: 'denied', wait_for_update: 2000 }),
    ]);
  });

  test('accepting releases everything, tells the page, and is recorded', async () => {
    await page.getByRole('button', { name: 'Accept all' }).click();
    await page.waitForFunction(() => document.querySelector('script[src="/js/both.js"]') !== null);
    for (const path of BLOCKED) await until(`${path} is asked for`, () => pages.asked.includes(path));
    expect(printed.some((line) => line.startsWith('may count'))).toBe(true);
    const [, command, states] = (await signals()).at(-1) ?? [];
    expect([command, states]).toEqual(['update', expect.objectContaining({ ad_storage: 'granted' })]);
    await until(
      'the decision is stored',
      async () => (await client.listConsents({ token })).items.length === 1,
    );
  });

  test('Microsoft’s tags are told that nothing is allowed, then what is, and a withdrawal', async () => {
    const visitor = await (await browser.newContext()).newPage();
    await visitor.goto(`http://127.0.0.1:${pages.port}/microsoft`);
    const told = () =>
      visitor.evaluate(() => {
        const { uetq, clarity } = window as unknown as { uetq: unknown[]; clarity: { q: IArguments[] } };
        return { uetq: [...uetq], clarity: clarity.q.map((call) => Array.from(call)) };
      });
    const denied = { ad_Storage: 'denied', analytics_Storage: 'denied' };
    const granted = { ad_Storage: 'granted', analytics_Storage: 'granted' };
    await visitor.getByRole('button', { name: 'Accept all' }).waitFor();
    expect(await told()).toEqual({
      uetq: ['consent', 'default', { ad_storage: 'denied' }],
      clarity: [['consentv2', denied]],
    });
    await visitor.getByRole('button', { name: 'Accept all' }).click();
    expect((await told()).clarity.at(-1)).toEqual(['consentv2', granted]);
    expect((await told()).uetq.slice(3)).toEqual(['consent', 'update', { ad_storage: 'granted' }]);
    // The next page view knows the decision, and then it is withdrawn.
    await visitor.reload();
    await until('it is told', async () => (await told()).clarity.length === 2);
    expect((await told()).clarity.at(-1)).toEqual(['consentv2', granted]);
    await visitor.evaluate(() => (window.Avow as unknown as { reject(): void }).reject());
    expect((await told()).clarity.at(-1)).toEqual(['consentv2', denied]);
    expect((await told()).uetq.at(-1)).toEqual({ ad_storage: 'denied' });
    await visitor.context().close();
  });

  test('the site’s own control opens the settings, and a withdrawal loads the page anew', async () => {
    await page.locator('#privacy-settings').click();
    await page.getByRole('button', { name: 'Reject all' }).last().waitFor();
    const before = pages.asked.filter((path) => path === '/').length;
    await page.getByRole('button', { name: 'Reject all' }).last().click();
    await until('the page is loaded anew', () => pages.asked.filter((path) => path === '/').length > before);
    const latest = async () => (await client.listConsents({ token })).items[0]?.decision;
    await until('the withdrawal is stored', async () => (await latest()) === 'reject_all');
  });

  test('the pinned snippet works under the policy that the guide names, and breaks no rule of it', async () => {
    const strict = await browser.newPage();
    const violations: string[] = [];
    strict.on('console', (message) => message.type() === 'error' && violations.push(message.text()));
    await strict.goto(`http://127.0.0.1:${pages.port}/pinned`);
    await strict.getByRole('button', { name: 'Reject all' }).click();
    await until('the decision is stored', async () => {
      const { items } = await client.listConsents({ token });
      return items.some(({ page_url }) => page_url?.endsWith('/pinned'));
    });
    expect(violations).toEqual([]);
    await strict.close();
  });

  test('by a path of the page’s own host, the script and the decision take that path, and no other host is asked', async () => {
    const context = await browser.newContext();
    const url = `http://127.0.0.1:${pages.port}`;
    await context.addCookies([{ name: 'login', value: 'of-the-shop', url }]);
    const own = await context.newPage();
    const hosts = new Set<string>();
    context.on('request', (request) => hosts.add(new URL(request.url()).host));
    await own.goto(`http://127.0.0.1:${pages.port}/own`);
    await own.getByRole('button', { name: 'Reject all' }).click();
    await until('the decision is stored', async () => {
      const { items } = await client.listConsents({ token });
      return items.some(({ page_url }) => page_url?.endsWith('/own'));
    });
    await own.goto('about:blank');
    await until('the interactions are sent', () => pages.asked.includes(`/privacy/api/v/${token}/e`));
    expect([...hosts]).toEqual([`127.0.0.1:${pages.port}`]);
    expect(passed.length).toBeGreaterThan(2);
    expect(passed.filter(({ cookie }) => cookie !== undefined)).toEqual([]);
    await context.close();
  });

  test('a preview shows an old banner, and leaves no trace', async () => {
    const before = (await client.listConsents({ token })).items.length;
    const shown = await browser.newPage();
    const sent: string[] = [];
    shown.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await shown.goto(`http://127.0.0.1:${pages.port}/preview`);
    await shown.getByRole('button', { name: 'Accept all' }).click();
    expect(await shown.evaluate(() => localStorage.length)).toBe(0);
    await shown.close();
    expect(sent).toEqual([]);
    expect((await client.listConsents({ token })).items).toHaveLength(before);
  });
});

const typeOf = (path: string): string =>
  path.endsWith('.js') ? 'text/javascript' : path.endsWith('.gif') ? 'image/gif' : 'text/css';
