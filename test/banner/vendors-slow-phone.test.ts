import { SlowPhone } from '../helpers/banner/slow-phone';
import { openVendorShop, type VendorShop } from '../helpers/banner/vendors';
import { describeInBrowser } from '../helpers/browser/browser';

jest.setTimeout(120_000);

const LONG_TASK = 50;
const SLOWER = 4;
const VISITS = 3;

interface Walk {
  /** Durations in milliseconds. */
  long: number[];
  steps: string[];
  /** Switches of vendors. */
  vendors: number;
}

/** In the head of the page: goes through both layers by itself; `walked` is what was seen meanwhile. */
const WALK = () => {
  const seen: Walk = { long: [], steps: [], vendors: 0 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.long.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const root = () => document.querySelector('avow-banner')?.shadowRoot;
  const STEPS = ['.first .settings', 'section:last-of-type h3', '.second .answer:last-child'];
  const vendors = (): number => root()?.querySelectorAll('.vendor input').length ?? 0;
  /** They are made by twenties; no visitor waits for more than these. */
  const wanted = location.pathname === '/200' ? 600 : 6;
  const walk = async (): Promise<Walk> => {
    for (const selector of STEPS) {
      let found: HTMLElement | null | undefined;
      while (!found) {
        await wait(100);
        found = root()?.querySelector<HTMLElement>(selector);
      }
      await wait(200);
      for (let tries = 0; seen.steps.length > 0 && vendors() < wanted && tries < 100; tries += 1)
        await wait(100);
      seen.steps.push(selector);
      seen.vendors = vendors();
      found.click();
    }
    await wait(500);
    return seen;
  };
  Object.assign(window, { walked: walk() });
};

describeInBrowser('a slow phone and a choice by vendor', () => {
  let shop: VendorShop;
  let phone: SlowPhone;
  beforeAll(async () => {
    shop = await openVendorShop();
    const body = `<main><h1>Shop</h1>${'<p>Fine things for a fine house.</p>'.repeat(40)}</main>`;
    const observed = `<script>(${WALK})()</script>`;
    for (const count of [6, 200]) {
      const each = count === 6 ? ['marketing'] : ['functional', 'analytics', 'marketing'];
      await shop.list(
        Array.from({ length: count }, (_, index) => ({
          ...{ id: index + 1, name: `Vendor ${index + 1}` },
          categories: each,
        })),
      );
      const { snippet_pinned } = await shop.publish({});
      shop.set(`/${count}`, { snippet: observed + snippet_pinned, body });
    }
    phone = new SlowPhone(SLOWER);
  });
  afterAll(async () => {
    await phone?.stop();
    await shop?.stop();
  });

  test.each([
    [6, 6],
    [200, 600],
  ])('%i vendors: all are there, and which tasks were long', async (count, switches) => {
    const long: string[] = [];
    for (let visit = 0; visit < VISITS; visit += 1) {
      const walk = await phone.visit<Walk>(`${shop.origin}/${count}`, 'walked');
      expect(walk.steps).toHaveLength(3);
      expect(walk.vendors).toBe(switches);
      long.push(walk.long.map((duration) => `${Math.round(duration)} ms`).join(', ') || 'none');
    }
    // Printed and not asserted: a busy machine's times say little.
    console.info(
      `FIGURE ${count} vendors at ${SLOWER}× slow-down: tasks over ${LONG_TASK} ms, by visit: ${long.join(' | ')}`,
    );
  });
});
