import { openShop, type Shop } from '../helpers/banner/shop';
import { openUnwatched } from '../helpers/banner/unwatched';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

interface Seen {
  prerendering: boolean;
  layer: boolean;
  impressions: number;
  decision: string | undefined;
}

/**
 * In the prerendered page: what there is of the banner while nobody looks at it, and after it was activated.
 */
const SECOND = `<script>
  const tasks = async () => { for (let task = 0; task < 20; task += 1) await new Promise((resolve) => setTimeout(resolve)); };
  const look = () => ({
    prerendering: document.prerendering,
    layer: Boolean(document.querySelector('avow-banner')?.shadowRoot.querySelector('dialog')),
    impressions: performance.getEntriesByType('resource').filter(({ name }) => name.includes('/impressions/')).length,
    decision: Avow.getConsent()?.decision,
  });
  addEventListener('load', async () => {
    await tasks();
    const before = look();
    document.addEventListener('prerenderingchange', async () => {
      let after;
      do {
        await new Promise(requestAnimationFrame);
        await tasks();
        after = look();
      } while (after.impressions === 0 && !after.decision);
      fetch('/report?' + encodeURIComponent(JSON.stringify([before, after])));
    });
    localStorage.setItem('prerendered', 'yes');
  });
</script>`;
/** In the page that has it prerendered: goes there once it is. */
const first = (before: string): string => `<script type="speculationrules">
  {"prerender":[{"urls":["/second"],"eagerness":"immediate"}]}
</script><script>
  addEventListener('storage', ({ key }) => {
    if (key !== 'prerendered') return;
    ${before}
    location.href = '/second';
  });
</script>`;

describeInBrowser('a prerendered page', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
    shop.set('/second', { head: SECOND });
  });
  afterAll(() => shop.stop());

  const walk = async (path: string): Promise<Seen[]> => {
    const reports = () => shop.asked.filter((asked) => asked.startsWith('/report?'));
    const known = reports().length;
    const close = openUnwatched(shop.origin + path);
    try {
      await until('the page has reported', async () => reports().length > known, 90_000);
    } finally {
      await close();
    }
    return JSON.parse(decodeURIComponent((reports().at(-1) as string).slice('/report?'.length)));
  };

  test('shows nothing and counts nothing before it is looked at; then the banner, once', async () => {
    shop.set('/bare', { snippet: '', head: first('') });
    const impressions = async () =>
      (await shop.client.getAnalytics({ token: shop.token })).totals.impressions;
    const earlier = await impressions();
    const [before, after] = await walk('/bare');
    expect(before).toEqual({ prerendering: true, layer: false, impressions: 0 });
    expect(after).toEqual({ prerendering: false, layer: true, impressions: 1 });
    expect((await impressions()) - earlier).toBe(1);
  });

  test('obeys a decision that was made while it waited, and shows no banner', async () => {
    shop.set('/first', { head: first('Avow.reject();') });
    const [before, after] = await walk('/first');
    expect(before).toMatchObject({ prerendering: true, layer: false });
    expect(after).toEqual({ prerendering: false, layer: false, impressions: 0, decision: 'reject_all' });
  });
});
