import type { Browser, CDPSession } from 'playwright-core';

/** What a visitor with an empty cache sees; times in milliseconds after the navigation began. */
export interface Visit {
  /** First and largest contentful paint (w3.org/TR/paint-timing, w3.org/TR/largest-contentful-paint). */
  fcp: number;
  lcp: number;
  /** When a button to accept could first be seen; 0 on a page without a banner. */
  banner: number;
  /** The longest task over 50 ms; 0 if there was none. */
  task: number;
  /** Cumulative layout shift. */
  cls: number;
  /** Over the network, everything included. */
  bytes: number;
}

/** A network, as Chromium makes it slow. */
export interface Network {
  /** Milliseconds from a request to its answer. */
  latency: number;
  /** Bytes a second. */
  download: number;
  upload: number;
}

/** How many times slower than this machine the visitor's is. */
export const SLOWER = 4;

/** Runs in the page, before everything else of it. */
const WATCH = `(() => {
  const seen = { fcp: 0, lcp: 0, banner: 0, task: 0, cls: 0 };
  window.seen = seen;
  const watch = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch('paint', ({ name, startTime }) => { if (name === 'first-contentful-paint') seen.fcp = startTime; });
  watch('largest-contentful-paint', ({ startTime }) => { seen.lcp = startTime; });
  watch('longtask', ({ duration }) => { seen.task = Math.max(seen.task, duration); });
  watch('layout-shift', ({ value }) => { seen.cls += value; });
  const accept = (root) => {
    for (const one of root.querySelectorAll('button,avow-banner')) {
      if (one.shadowRoot) { if (accept(one.shadowRoot)) return true; }
      else if (/accept|that.s ok/i.test(one.textContent) && one.checkVisibility({ visibilityProperty: true })) {
        const { top, bottom, height } = one.getBoundingClientRect();
        if (height && top >= 0 && bottom <= innerHeight) return true;
      }
    }
  };
  const look = () => {
    if (document.body && accept(document)) seen.banner = performance.now();
    else requestAnimationFrame(look);
  };
  look();
})()`;

/** Visits a page in a profile of its own; waits for the banner if the page has one. */
export async function visit(
  browser: Browser,
  url: string,
  network: Network,
  hasBanner: boolean,
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(WATCH);
    const session = await context.newCDPSession(page);
    const bytes = await countBytes(session);
    const { latency, download: downloadThroughput, upload: uploadThroughput } = network;
    const conditions = { offline: false, latency, downloadThroughput, uploadThroughput };
    await session.send('Network.emulateNetworkConditions', conditions);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.goto(url, { waitUntil: 'load', timeout: 60_000 });
    if (hasBanner) await page.waitForFunction('seen.banner > 0', undefined, { timeout: 60_000 });
    // Shifts and tasks that the banner causes come right after it, and a larger paint, too.
    await page.waitForTimeout(1_000);
    return { ...(await page.evaluate<Omit<Visit, 'bytes'>>('seen')), bytes: bytes() };
  } finally {
    await context.close();
  }
}

async function countBytes(session: CDPSession): Promise<() => number> {
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  return () => bytes;
}
