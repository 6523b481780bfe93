import { refreshVendorList } from '../../server/src/jobs/vendor-list';
import { openShop, type Shop } from '../helpers/banner/shop';
import { SlowPhone } from '../helpers/banner/slow-phone';
import { describeInBrowser } from '../helpers/browser/browser';
import { type ListHost, listed, startListHost, vendorList, vendors } from '../helpers/tcf/list';

jest.setTimeout(120_000);

const LONG_TASK = 50;
const SLOWER = 4;
const VISITS = 3;

interface Walk {
  /** Durations in milliseconds. */
  long: number[];
  steps: string[];
  /** Vendors that were laid out. */
  vendors: number;
}

/** In the head of the page: goes through both layers and the vendors by itself; `walked` is what was seen meanwhile. */
const WALK = () => {
  const seen: Walk = { long: [], steps: [], vendors: 0 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.long.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const root = () => document.querySelector('avow-banner')?.shadowRoot;
  const STEPS = [
    '.first .settings',
    '.vendors > summary',
    '.vendors details:nth-child(3) summary',
    '.vendors button',
    '.second .answer:last-child',
  ];
  const walk = async (): Promise<Walk> => {
    for (const selector of location.pathname === '/bare' ? [] : STEPS) {
      let found: HTMLElement | null | undefined;
      while (!found) {
        await wait(100);
        found = root()?.querySelector<HTMLElement>(selector);
      }
      await wait(200);
      seen.steps.push(selector);
      seen.vendors = root()?.querySelectorAll('.vendors details').length ?? 0;
      found.click();
    }
    await wait(500);
    return seen;
  };
  Object.assign(window, { walked: walk() });
};

describeInBrowser('a slow phone and a thousand vendors', () => {
  let host: ListHost;
  let shop: Shop;
  let phone: SlowPhone;
  beforeAll(async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => listed(index + 1_000));
    host = await startListHost(vendorList({}, [...vendors(), ...many]));
    const variables = { TCF_CMP_ID: '300', TCF_LIST: host.place };
    shop = await openShop({ tcf: { publisher_country: 'DE' } }, variables, (server) =>
      refreshVendorList(server.service.context, new Date(), new AbortController().signal),
    );
    const { snippet_pinned } = await shop.publish();
    const body = `<main><h1>Shop</h1>${'<p>Fine things for a fine house.</p>'.repeat(40)}</main>`;
    const observed = `<script>(${WALK})()</script>`;
    shop.set('/bare', { snippet: observed, body });
    shop.set('/framework', { snippet: observed + snippet_pinned, body });
    phone = new SlowPhone(SLOWER);
  });
  afterAll(async () => {
    await phone?.stop();
    await shop?.stop();
    await host?.stop();
  });

  test.each([
    ['bare', 0, 0],
    ['framework', 5, 40],
  ])('%s: vendors are laid out by twenties, and which tasks were long', async (page, steps, laidOut) => {
    const long: string[] = [];
    for (let visit = 0; visit < VISITS; visit += 1) {
      const walk = await phone.visit<Walk>(`${shop.origin}/${page}`, 'walked');
      expect(walk.steps).toHaveLength(steps);
      expect(walk.vendors).toBe(laidOut);
      long.push(walk.long.map((duration) => `${Math.round(duration)} ms`).join(', ') || 'none');
    }
    // Printed and not asserted: a busy machine's times say little.
    console.info(
      `FIGURE ${page} at ${SLOWER}× slow-down: tasks over ${LONG_TASK} ms, by visit: ${long.join(' | ')}`,
    );
  });
});
