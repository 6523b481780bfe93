import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import type { ServiceOptions } from '../../../server/src/service';
import { openBrowser } from '../browser/browser';
import { launchBrowser } from '../browser/chromium';
import { LEAN } from '../docs/axe';
import { type Client, PASSWORD, startServer, type TestServer } from '../server';
import { Tabs } from './tabs';

const ROOT = join(__dirname, '..', '..', '..');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const SHOTS = join(ROOT, 'screenshots', 'console');
/** Where nobody looks at them, pictures only cost time. */
const PICTURES = process.env.SCREENSHOTS !== 'off';
const CONTRAST = 'color-contrast';

/**
 * The ways in which a page is looked at, each with the rules that it adds: rules other than contrast know no
 * colours, and a narrow page has the colours of a wide one.
 */
const VIEWS: readonly (readonly [number, 'light' | 'dark', axe.RunOptions])[] = [
  [1440, 'light', {}],
  [1440, 'dark', { runOnly: [CONTRAST] }],
  [360, 'light', { rules: { [CONTRAST]: { enabled: false } } }],
];

/** Somebody who uses the console. */
export interface Someone {
  client: Client;
  userId: number;
  email: string;
}

export interface OpenOptions {
  /** Logged in as this person; default: nobody. */
  as?: Someone;
  /** Default 1440. */
  width?: number;
  theme?: 'light' | 'dark';
}

export interface ConsoleKit {
  readonly server: TestServer;
  /** A new tab at an address below `/console`. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /**
   * The page as it is, wide in light and dark and narrow: axe finds nothing, nothing is cut, and a picture is
   * kept.
   */
  look(page: Page, name: string): Promise<void>;
  /** From now on this tab may report network failures: for tests in which the server is gone. */
  expectOutage(page: Page): void;
}

/**
 * A server and a real browser for the tests of one file. After each test every tab is closed, and the test
 * fails if one of them reported an error, broke the page's policy, or asked another host for anything.
 */
export function useConsole({
  wholeBrowser = false,
  isElsewhere = () => false,
  ...options
}: ServiceOptions & {
  variables?: Record<string, string>;
  /** A browser of the suite's own with all that a person's has: the shared one loads no frame just to print it. */
  wholeBrowser?: boolean;
  /** Addresses of another server that a page is meant to go to. */
  isElsewhere?: (url: string) => boolean;
} = {}): ConsoleKit {
  let server: TestServer;
  let browser: Browser;
  let tabs: Tabs;

  beforeAll(async () => {
    if (!existsSync(join(ROOT, 'dist', 'console', 'index.html'))) {
      throw new Error('dist/console is missing: npm test builds it, and so does npm run build');
    }
    mkdirSync(SHOTS, { recursive: true });
    server = await startServer(options);
    browser = await (wholeBrowser ? launchBrowser() : openBrowser());
    tabs = new Tabs(browser, server.url, isElsewhere);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  afterEach(async () => expect(await tabs.clear()).toEqual([]));

  return {
    get server() {
      return server;
    },

    async open(path, { as, width = 1440, theme = 'light' } = {}) {
      const session = as === undefined ? undefined : await logIn(server, as);
      return tabs.open(path, { width, theme, session });
    },

    async look(page, name) {
      const size = page.viewportSize() ?? { width: 1440, height: 900 };
      for (const [width, theme, rules] of VIEWS) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate(settled);
        if (PICTURES)
          await page.screenshot({ path: join(SHOTS, `${name}-${width}-${theme}.png`), fullPage: true });
        expect([name, width, theme, await overflow(page)]).toEqual([name, width, theme, []]);
        expect([name, width, theme, await violations(page, rules)]).toEqual([name, width, theme, []]);
      }
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    },

    expectOutage: (page) => tabs.expectOutage(page),
  };
}

/** Logging in by the form is a test of its own. */
const logIn = (server: TestServer, { email }: Someone) =>
  server.visitor.login({ body: { email, password: PASSWORD } });

/** At the top, and drawn. */
const settled = (): Promise<unknown> => {
  scrollTo(0, 0);
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
};

/** Elements that stand out of the window at the right. */
const overflow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > width + 1)
      .map((element) => `${element.tagName}.${element.className} ${element.textContent?.slice(0, 40)}`)
      .slice(-5);
  });

/** What axe finds against WCAG 2.2 A and AA and its best practices. */
async function violations(page: Page, options: axe.RunOptions): Promise<string[]> {
  // Evaluated by the debugger, as the page's policy would refuse a script element.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(
    async ({ lean, given }) => {
      // The library's hidden buttons that close a popover stand outside of every landmark.
      const region = { enabled: document.querySelector('.popover') === null };
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
        // React Aria's announcer may for a moment name a button that is gone.
        { exclude: [['[data-live-announcer]']] },
        {
          ...lean,
          resultTypes: ['violations'],
          ...given,
          ...(!given.runOnly && { rules: { region, ...given.rules } }),
        },
      );
      return violations.map(
        ({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
      );
    },
    { lean: LEAN, given: options },
  );
}
