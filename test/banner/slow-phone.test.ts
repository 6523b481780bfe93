import { openShop, type Shop } from '../helpers/banner/shop';
import { SlowPhone } from '../helpers/banner/slow-phone';
import { describeInBrowser } from '../helpers/browser/browser';

jest.setTimeout(120_000);

/**
 * A task that keeps the page from answering, in milliseconds (Long Tasks API), and how much slower than ours
 * a phone is.
 */
const LONG_TASK = 50;
const SLOWER = 4;
/** The first visit of a browser pays for what it has never loaded: it is told apart. */
const VISITS = 2;

interface Walk {
  /** Durations in milliseconds. */
  long: number[];
  shift: number;
  steps: string[];
}

/**
 * In the head of the page: goes through the banner by itself, and `walked` resolves to what was seen
 * meanwhile.
 */
const WALK = () => {
  const seen: Walk = { long: [], shift: 0, steps: [] };
  const observe = (type: string, take: (entry: PerformanceEntry & { value: number }) => void): void =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry as PerformanceEntry & { value: number });
    }).observe({ type, buffered: true });
  observe('longtask', ({ duration }) => seen.long.push(duration));
  observe('layout-shift', ({ value }) => {
    seen.shift += value;
  });
  const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const STEPS = [
    '.first .settings',
    'section:last-of-type input',
    '.second .answer:last-child',
    '.control',
    '.second .answer:nth-child(2)',
    '.control',
  ];
  const walk = async (): Promise<Walk> => {
    for (const selector of location.pathname === '/bare' ? [] : STEPS) {
      let found: HTMLElement | null | undefined;
      while (!found) {
        await wait(100);
        found = document.querySelector('avow-banner')?.shadowRoot?.querySelector<HTMLElement>(selector);
      }
      // Everything that the step before has begun is over.
      await wait(200);
      if (seen.steps.push(selector) < STEPS.length) found.click();
    }
    await wait(500);
    return seen;
  };
  Object.assign(window, { walked: walk() });
};

describeInBrowser('a slow phone', () => {
  let shop: Shop;
  let phone: SlowPhone;
  beforeAll(async () => {
    shop = await openShop({
      privacy_policy_url: 'https://shop.example.com/privacy',
      imprint_url: 'https://shop.example.com/imprint',
    });
    const film =
      '<iframe title="Film" data-category="marketing" data-src="/film" width="480" height="270"></iframe>';
    const body = `<main><h1>Shop</h1>${film}${'<p>Fine things for a fine house.</p>'.repeat(40)}</main>`;
    const observed = `<script>(${WALK})()</script>`;
    shop.set('/bare', { snippet: observed, body });
    for (const layout of ['box', 'bar', 'dialog']) {
      const { immutable_url } = await shop.publish(undefined, { layout });
      shop.set(`/${layout}`, { snippet: `${observed}<script src="${immutable_url}"></script>`, body });
    }
    const { snippet_pinned } = await shop.publish();
    shop.set('/async', { snippet: observed + snippet_pinned, body });
    shop.set('/film', { snippet: '', body: 'A film' });
    phone = new SlowPhone(SLOWER);
  });
  afterAll(async () => {
    await phone?.stop();
    await shop.stop();
  });

  test.each([
    ['bare', 0],
    ['box', 6],
    ['bar', 6],
    ['dialog', 6],
    ['async', 6],
  ])(
    '%s: no layout shift from load through settings to withdrawal, and which tasks were long',
    async (page, steps) => {
      const long: string[] = [];
      for (let visit = 0; visit < VISITS; visit += 1) {
        const walk = await phone.visit<Walk>(`${shop.origin}/${page}`, 'walked');
        expect(walk.steps).toHaveLength(steps);
        expect(walk.shift).toBe(0);
        long.push(walk.long.map((duration) => `${Math.round(duration)} ms`).join(', ') || 'none');
      }
      // Printed and not asserted: a busy machine's times say little.
      console.info(
        `FIGURE ${page} at ${SLOWER}× slow-down: tasks over ${LONG_TASK} ms, by visit: ${long.join(' | ')}`,
      );
    },
  );
});
