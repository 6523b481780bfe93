import type { Page } from 'playwright-core';
import type { AvowBanner } from '../../sdk/src/banner';
import { consentOf, openShop, type Shop } from '../helpers/banner/shop';
import { openVendorShop } from '../helpers/banner/vendors';
import { describeInBrowser } from '../helpers/browser/browser';
import { engine } from '../helpers/browser/engine';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

type Point = [x: number, y: number];
interface Film {
  /** What events say about their time: a slow machine makes no difference. */
  now?: number;
  /** Where the film is, or will be: the document, or a root that only its component knows. */
  place: ParentNode;
}

const CLOCK = `<script>
  for (const name of ['pointerdown', 'pointerup', 'pointercancel', 'click'])
    addEventListener(name, (event) => {
      if ('now' in window) Object.defineProperty(event, 'timeStamp', { value: window.now });
    }, true);
</script>`;
const STYLE = '<style>body { margin: 0 } #play, iframe { width: 480px; height: 270px; border: 0 }</style>';
const WAITS = `f.dataset.category = 'marketing'; f.dataset.src = '/film';`;
/** A component whose root has a button that is replaced by a film with this source. */
const film = (source: string, { mode = '', event = 'click', besides = '' } = {}): string => `
  <x-film></x-film><button id="other" style="position:absolute;left:600px">Other</button>
  <script>const define = () => customElements.define('x-film', class extends HTMLElement {
    connectedCallback() {
      const root = ${mode ? `this.attachShadow({ mode: '${mode}' })` : 'this'};
      root.innerHTML = '${STYLE}<button id="play">Play</button>';
      const play = root.querySelector('#play');
      play.addEventListener('${event}', () => {
        const f = document.createElement('iframe'); f.title = 'Film'; ${source}
        play.replaceWith(f); ${besides}
      });
      window.place = root;
    }
  });
  // A closed root is seen into where it is made after the banner.
  ${mode === 'closed' ? `document.addEventListener('avow:ready', define)` : 'define()'};</script>`;

const reject = (page: Page) => page.evaluate(() => (window.Avow as AvowBanner).reject());
/** The middle of a placeholder's button, once it is there. */
const pointOf = (page: Page, label: string): Promise<Point> =>
  until(`the button ${label}`, () =>
    page.evaluate((name) => {
      const cover = (window as unknown as Film).place.querySelector('avow-blocked')?.shadowRoot;
      const button = [...(cover?.querySelectorAll('button') ?? [])].find((one) => one.textContent === name);
      const { x, y, width, height } = button?.getBoundingClientRect() ?? new DOMRect();
      return width ? ([x + width / 2, y + height / 2] as [number, number]) : undefined;
    }, label),
  );
/** How many milliseconds a button of a mouse is down: what comes meanwhile can be covered. */
const DOWN = 80;
const pressAt = async (page: Page, [x, y]: Point, now: number, isTouch = false): Promise<void> => {
  await page.evaluate((time) => {
    (window as unknown as Film).now = time;
  }, now);
  await (isTouch ? page.touchscreen.tap(x, y) : page.mouse.click(x, y, { delay: DOWN }));
};

// Firefox has no touch screen for tests.
const withTouch = engine === 'chromium' ? test : test.skip;

describeInBrowser('the second press of a double press', () => {
  let shop: Shop;
  let vendors: Shop;
  beforeAll(async () => {
    shop = await openShop();
    const rules = [{ place: 'film.localhost', category: 'marketing' }];
    await publish(shop, { auto_blocking: { enabled: true, unclassified: null, rules } });
    vendors = await openVendorShop();
    await publish(vendors);
  });
  afterAll(async () => {
    await shop?.stop();
    await vendors?.stop();
  });

  const snippets = new Map<Shop, string>();
  const publish = async (site: Shop, settings?: object): Promise<void> => {
    snippets.set(site, (await site.publish(settings)).snippet_pinned);
    site.set('/film', { snippet: '', body: 'A film' });
  };
  const begin = async (site: Shop, body: string, context?: object): Promise<Page> => {
    site.set('/page', { snippet: snippets.get(site) as string, head: CLOCK, body });
    const page = await site.visit('/page', context);
    await page.getByRole('dialog').waitFor();
    return page;
  };
  /** Where a film has its button, as one visitor sees it: the next one presses there. */
  const find = async (page: Page, label: string, isTouch = false): Promise<Point> => {
    await reject(page);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await (isTouch ? page.touchscreen.tap(20, 20) : page.mouse.click(20, 20));
    const point = await pointOf(page, label);
    await page.reload();
    await page.locator('avow-banner .floating').waitFor();
    return point;
  };

  type Way = [how: string, body: (film: string) => string, context?: object];
  const FILMS: Way[] = [
    ['in the markup’s own words', () => film(WAITS)],
    ['that knows nothing of the banner', (from) => film(`f.src = '${from}'`)],
    ['in an open root', (from) => film(`f.src = '${from}'`, { mode: 'open' })],
    ['in a closed root', (from) => film(`f.src = '${from}'`, { mode: 'closed' })],
    ['that comes when the pointer goes down', () => film(WAITS, { event: 'pointerdown' })],
    ['whose page clicks something itself', () => film(WAITS, { besides: 'other.click();' })],
  ];
  const TAPPED: Way[] = [['tapped', () => film(WAITS), { hasTouch: true }]];
  const allowsNone = async (_: string, body: Way[1], context: Way[2] = {}) => {
    const page = await begin(shop, body(`http://film.localhost:${new URL(shop.origin).port}/film`), context);
    const isTouch = 'hasTouch' in context;
    const point = await find(page, 'Allow', isTouch);
    const press = (now: number) => pressAt(page, point, now, isTouch);
    await press(1000);
    await pointOf(page, 'Allow');
    await press(1450);
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all', categories: { marketing: false } });
    // The placeholder has been there for a while: the visitor means it.
    await press(2200);
    expect(await consentOf(page)).toMatchObject({ method: 'placeholder', categories: { marketing: true } });
    await page.context().close();
  };
  test.each(FILMS)('allows no film %s', (how, body, context = {}) => allowsNone(how, body, context));
  withTouch.each(TAPPED)('allows no film %s', (how, body, context = {}) => allowsNone(how, body, context));

  // Browsers give the click of a press to what lies there when it ends.
  const SWAPS = ['pointerdown', 'touchstart', 'pointerup', 'touchend'];
  withTouch.each(SWAPS)('is not needed: one tap allows nothing that comes upon its %s', async (event) => {
    const page = await begin(shop, film(WAITS, { event }), { hasTouch: true });
    const point = await find(page, 'Allow', true);
    // Kept texts are there at once: the button is, too.
    await pressAt(page, point, 1000, true);
    await pointOf(page, 'Allow');
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all' });
    await pressAt(page, point, 2000, true);
    expect(await consentOf(page)).toMatchObject({ method: 'placeholder' });
    await page.context().close();
  });

  test.each(['Load once', 'Always allow Film Ltd', 'Allow: Marketing'])('is not “%s”', async (label) => {
    const page = await begin(vendors, film(`${WAITS} f.dataset.vendor = 755;`));
    const point = await find(page, label);
    await pressAt(page, point, 1000);
    await pointOf(page, label);
    await pressAt(page, point, 1300);
    expect(await page.locator('iframe[src]').count()).toBe(0);
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all' });
    await pressAt(page, point, 2000);
    await page.locator('iframe[src]').waitFor();
    await page.context().close();
  });

  test('allows nothing that lies under “Reject all”', async () => {
    const frame = `<iframe title="Film" data-category="marketing" data-src="/film"`;
    const body = (left: number, top: number) =>
      `${STYLE}${frame} style="position:absolute;left:${left}px;top:${top}px"></iframe><script>place = document</script>`;
    const first = await begin(shop, body(0, 0));
    const [left, top] = await pointOf(first, 'Allow');
    const box = await first.getByRole('button', { name: 'Reject all', exact: true }).boundingBox();
    const { x, y, width, height } = box as NonNullable<typeof box>;
    const point: Point = [x + width / 2, y + height / 2];
    await first.context().close();
    const page = await begin(shop, body(point[0] - left, point[1] - top));
    await pointOf(page, 'Allow');
    await pressAt(page, point, 1000);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await pressAt(page, point, 1250);
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all' });
    await pressAt(page, point, 2000);
    expect(await consentOf(page)).toMatchObject({ method: 'placeholder' });
    await page.context().close();
  });

  const AT_ONCE: [how: string, press: (page: Page) => Promise<unknown>][] = [
    ['Enter', (page) => page.keyboard.press('Enter')],
    ['the space bar', (page) => page.keyboard.press('Space')],
    // What software for disabled people sends: a click without a pointer, with or without a count.
    ...[0, 1].map((detail): [string, (page: Page) => Promise<unknown>] => [
      `a click of other software, with the count ${detail}`,
      (page) =>
        page.evaluate((count) => {
          const button = document.querySelector('avow-blocked')?.shadowRoot?.querySelector('button');
          const { x, y } = button?.getBoundingClientRect() ?? new DOMRect();
          // A count without a position, or the button's position without a count.
          const at = count ? {} : { clientX: x + 5, clientY: y + 5 };
          const options = { bubbles: true, composed: true, detail: count, ...at };
          button?.dispatchEvent(new MouseEvent('click', options));
        }, detail),
    ]),
  ];
  test.each(AT_ONCE)('may be meant at once: %s', async (_, press) => {
    const page = await begin(shop, film(WAITS));
    await reject(page);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await pressAt(page, [200, 200], 1000);
    const point = await pointOf(page, 'Allow');
    await pressAt(page, point, 1300);
    await page.evaluate(() =>
      document.querySelector('avow-blocked')?.shadowRoot?.querySelector('button')?.focus(),
    );
    await press(page);
    expect(await consentOf(page)).toMatchObject({ method: 'placeholder', categories: { marketing: true } });
    await page.context().close();
  });

  const PLACES: [where: string, style: string][] = [
    ['where it is', ''],
    ['at the other edge', 'avow-banner { --avow-control-inline: auto 1rem }'],
  ];
  withTouch.each(PLACES)(
    'is not the first on the control %s, which shows its label then',
    async (_, style) => {
      const page = await begin(shop, `<style>${style}</style>`, { hasTouch: true });
      await reject(page);
      const control = page.locator('avow-banner .control');
      for (const [step, share] of [0.1, 0.5, 0.8, 0.95].entries()) {
        const { x, y, width, height } = (await control.boundingBox()) as DOMRect;
        await pressAt(page, [x + share * width, y + height / 2], 1000 * (step + 1), true);
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press('Escape');
        await control.waitFor();
        // Else the finger would still be on it.
        await pressAt(page, [200, 20], 1000 * (step + 1) + 500, true);
      }
      await page.context().close();
    },
  );

  test('is no other press where a page keeps what is pressed from others', async () => {
    const stop = '<script>addEventListener("pointerdown", (event) => event.stopPropagation(), true)</script>';
    const page = await begin(shop, `${stop}${film(WAITS)}`);
    const box = await page.getByRole('button', { name: 'Reject all', exact: true }).boundingBox();
    const { x, y } = box as NonNullable<typeof box>;
    await pressAt(page, [x + 9, y + 9], 1000);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const point = await find(page, 'Allow');
    await pressAt(page, point, 2000);
    await pointOf(page, 'Allow');
    await pressAt(page, point, 2450);
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all' });
    await pressAt(page, point, 3200);
    expect(await consentOf(page)).toMatchObject({ method: 'placeholder' });
    await page.context().close();
  });

  test('is no press that begins beside its button: touch screens give it the click', async () => {
    const page = await begin(shop, '<h1>Shop</h1>');
    await page.evaluate(() => {
      const root = document.querySelector('avow-banner')?.shadowRoot;
      const button = [...(root?.querySelectorAll('button') ?? [])].find(
        (one) => one.textContent === 'Reject all',
      );
      const { x, y } = button?.getBoundingClientRect() ?? new DOMRect();
      const at = { bubbles: true, composed: true, clientX: x - 3, clientY: y - 3 };
      root?.querySelector('dialog')?.dispatchEvent(new PointerEvent('pointerdown', at));
      root?.querySelector('dialog')?.dispatchEvent(new PointerEvent('pointerup', at));
      button?.dispatchEvent(new MouseEvent('click', { ...at, detail: 1 }));
    });
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all' });
    await page.context().close();
  });
});
