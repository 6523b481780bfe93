import type { Browser, BrowserContext, Page } from 'playwright-core';
import { keep, keptSession } from './kept-session';
import { watch } from './watch';

export type Theme = 'light' | 'dark';

/** What a tab begins with. */
export interface Beginning {
  width: number;
  theme: Theme;
  /** As if somebody had logged in; undefined: nobody has. */
  session: { user: { id: number } } | undefined;
}

/** What a test calls leaves something in the tab, or in its browser context, that no later test may meet. */
const LEAVES_TRACES: ReadonlySet<PropertyKey> = new Set([
  ...['addInitScript', 'addListener', 'clock', 'close', 'context', 'exposeBinding', 'exposeFunction'],
  ...['on', 'once', 'setExtraHTTPHeaders'],
]);
const WAIT = 20_000;
/** Has no script, and the console's headers: without the same opener policy, each way to it is a new process. */
const PLAIN_PAGE = '/console/icon.svg';

/** A tab in a browser context of its own. */
interface Tab {
  context: BrowserContext;
  page: Page;
  inUse: boolean;
  isSpent: boolean;
  /** Somebody has said that the server will be gone. */
  isOutage: boolean;
}

/**
 * Tabs for the tests of one suite. A tab that a test has used in ordinary ways is emptied and given to the next
 * test, because starting a tab's process and compiling the console in it takes five times as long as showing
 * the console once more. Every other tab is closed.
 */
export class Tabs {
  /** What tabs in use have reported since the last `clear`. */
  problems: string[] = [];
  private tabs: Tab[] = [];
  private readonly given = new Map<Page, Tab>();

  constructor(
    private readonly browser: Browser,
    private readonly server: string,
    private readonly isElsewhere: (url: string) => boolean,
  ) {}

  async open(path: string, { width, theme, session }: Beginning): Promise<Page> {
    const tab = this.tabs.find(({ inUse }) => !inUse) ?? (await this.create());
    Object.assign(tab, { inUse: true, isSpent: false, isOutage: false });
    const { page } = tab;
    page.setDefaultTimeout(WAIT);
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({
      ...{ colorScheme: theme, reducedMotion: 'reduce' },
      ...{ media: null, contrast: null, forcedColors: null },
    });
    if (session !== undefined) await page.evaluate(keep, keptSession(session));
    const shown = this.noting(tab);
    this.given.set(shown, tab);
    await page.goto(`${this.server}/console${path}`);
    return shown;
  }

  /** From now on this tab may report network failures. */
  expectOutage(page: Page): void {
    const tab = this.given.get(page);
    if (tab !== undefined) tab.isOutage = true;
  }

  /** After each test: no tab shows anything any more. Answers what tabs have reported. */
  async clear(): Promise<string[]> {
    const used = this.tabs.filter(({ inUse }) => inUse);
    const found = this.problems;
    for (const tab of used) tab.inUse = false;
    this.given.clear();
    this.tabs = this.tabs.filter((tab) => !used.includes(tab));
    await Promise.all(used.map((tab) => this.giveBack(tab)));
    this.problems = [];
    return found;
  }

  private async giveBack(tab: Tab): Promise<void> {
    if (tab.isSpent || tab.isOutage || tab.context.pages().length !== 1) return tab.context.close();
    try {
      await this.empty(tab);
      this.tabs.push(tab);
    } catch {
      await tab.context.close();
    }
  }

  private async create(): Promise<Tab> {
    const context = await this.browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin' });
    const page = await context.newPage();
    const tab: Tab = { context, page, inUse: true, isSpent: false, isOutage: false };
    this.tabs.push(tab);
    await watch(
      page,
      this.server,
      (problem) => void (tab.inUse && this.problems.push(problem)),
      () => tab.isOutage,
      this.isElsewhere,
    );
    await page.goto(`${this.server}${PLAIN_PAGE}`);
    return tab;
  }

  /** Leaves the console for a page of the same process that has no script. */
  private async empty({ context, page }: Tab): Promise<void> {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto(`${this.server}${PLAIN_PAGE}`);
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
      window.name = '';
    });
    await page.mouse.move(0, 0);
    await context.clearCookies();
    const debug = await context.newCDPSession(page);
    await debug.send('Page.resetNavigationHistory');
    await debug.detach();
  }

  /** The tab's page, which notes when something is called that leaves traces. */
  private noting(tab: Tab): Page {
    return new Proxy(tab.page, {
      get: (page, name) => {
        if (LEAVES_TRACES.has(name)) tab.isSpent = true;
        const value = Reflect.get(page, name, page);
        return typeof value === 'function' ? value.bind(page) : value;
      },
    });
  }
}
