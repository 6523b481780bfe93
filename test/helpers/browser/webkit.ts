import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { Builder, By, Capabilities, Key, type WebDriver, type WebElement } from 'selenium-webdriver';
import { freePort } from '../processes/child';
import { until } from '../until';

const DRIVER = '/usr/bin/WebKitWebDriver';
const BROWSERS = ['x86_64', 'aarch64'].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1/MiniBrowser`,
);
const browserPath = BROWSERS.find((path) => existsSync(path));
const isThere = browserPath !== undefined && existsSync(DRIVER) && existsSync('/usr/bin/Xvfb');

/** `describe` where there is WebKitGTK with its driver; elsewhere the suite is skipped, and says so. */
export const describeInWebKit: jest.Describe = (() => {
  if (isThere) return describe;
  console.warn('SKIPPED: no WebKitGTK found; on Debian apt-get install webkit2gtk-driver xvfb');
  return describe.skip as jest.Describe;
})();

/** WebKitGTK's driver with a screen of its own. */
export interface WebKit {
  /** A browser of a new visitor. */
  visitor(): Promise<Visitor>;
  stop(): Promise<void>;
}

/** @param variables of its processes, such as `TZ` */
export async function startWebKit(variables: Record<string, string> = {}): Promise<WebKit> {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [line] = (await once(screen.stdio[3] as Readable, 'data')) as [Buffer];
  const port = await freePort();
  const driver = spawn(DRIVER, ['--host=127.0.0.1', `--port=${port}`], {
    stdio: 'ignore',
    // Where nobody may make namespaces, as in containers, its sandbox does not start; there is no card for graphics.
    env: {
      ...process.env,
      DISPLAY: `:${String(line).trim()}`,
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      ...variables,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await until('the driver answers', async () => (await fetch(`${url}/status`).catch(() => undefined))?.ok);
  const open = new Set<Visitor>();
  return {
    visitor: async () => {
      const capabilities = new Capabilities({
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: browserPath, args: ['--automation'] },
      });
      const visitor = new Visitor(
        await new Builder().usingServer(url).withCapabilities(capabilities).build(),
      );
      open.add(visitor);
      return visitor;
    },
    stop: async () => {
      for (const visitor of open) await visitor.close();
      await ended(driver);
      await ended(screen);
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  const end = once(child, 'exit');
  child.kill();
  await end;
}

/** Calls `found` for each element of a page, also in its open shadow roots. */
const EVERYWHERE = `
  const within = (root) => [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? within(one.shadowRoot) : [])]);
  const labelOf = (one) => one.labels?.[0]?.textContent ?? one.getRootNode().getElementById?.(one.getAttribute('aria-labelledby')?.split(' ')[0] ?? '')?.textContent;
  const nameOf = (one) => (one.getAttribute('aria-label') ?? labelOf(one) ?? one.textContent ?? '').trim();
  const isShown = (one) => one.getClientRects().length > 0 && getComputedStyle(one).visibility !== 'hidden';`;

/** A visitor of a page in WebKitGTK, who sees into open shadow roots. */
export class Visitor {
  private isOpen = true;

  constructor(private readonly driver: WebDriver) {}

  async go(url: string): Promise<void> {
    await this.driver.get(url);
  }

  async reload(): Promise<void> {
    await this.driver.navigate().refresh();
  }

  /** What the body of a function returns in the page. */
  run<Value>(body: string, ...args: unknown[]): Promise<Value> {
    return this.driver.executeScript<Value>(body, ...args);
  }

  /** The first element that is shown and has this name, of those that a selector finds; null: there is none. */
  find(selector: string, name?: string): Promise<WebElement | null> {
    const body = `${EVERYWHERE}
      const [selector, name] = arguments;
      return within(document).find((one) => one.matches(selector) && isShown(one) && (name === null || nameOf(one) === name)) ?? null;`;
    return this.driver.executeScript<WebElement | null>(body, selector, name ?? null);
  }

  /** The same as soon as there is one. */
  async see(selector: string, name?: string): Promise<WebElement> {
    return until(`${name ?? selector} is shown`, async () => (await this.find(selector, name)) ?? false);
  }

  /** Waits until it is gone. */
  async miss(selector: string, name?: string): Promise<void> {
    await until(`${name ?? selector} is gone`, async () => (await this.find(selector, name)) === null);
  }

  async press(name: string): Promise<void> {
    await (await this.see('button,[role=button],[role=switch],input', name)).click();
  }

  /** Presses keys, such as `Key.TAB`, where the focus is. */
  async keys(...keys: string[]): Promise<void> {
    await this.driver
      .actions()
      .sendKeys(...keys)
      .perform();
  }

  /** The name of what has the focus, in shadow roots too. */
  focus(): Promise<string> {
    return this.run(`${EVERYWHERE}
      let one = document.activeElement;
      while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
      return one?.matches('body,dialog') ? one.localName : nameOf(one);`);
  }

  async size(width: number, height: number): Promise<void> {
    await this.driver.manage().window().setRect({ width, height });
  }

  /** Runs a function while it is inside of a frame. */
  async inFrame<Value>(selector: string, work: () => Promise<Value>): Promise<Value> {
    await this.driver.switchTo().frame(await this.driver.findElement(By.css(selector)));
    try {
      return await work();
    } finally {
      await this.driver.switchTo().defaultContent();
    }
  }

  async close(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    await this.driver.quit();
  }
}

export { Key };
