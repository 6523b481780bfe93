import type { Locator, Page } from 'playwright-core';
import { consentOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

const frame = (name: string, path = '/film') =>
  `<iframe title="${name}" data-category="marketing" data-src="${path}" width="300" height="150"></iframe>`;
const frames = (count: number) =>
  Array.from({ length: count }, (_, index) => frame(`Film ${index}`)).join('');
const script = (rest: string) => `<script type="text/plain" data-category="marketing" ${rest}</script>`;

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const ran = (page: Page) => page.evaluate(() => (window as unknown as { ran?: string[] }).ran ?? []);
/** What a visitor sees of the page's frames. */
const seen = (page: Page) =>
  page.evaluate(() => ({
    loaded: document.querySelectorAll('iframe[src]').length,
    hidden: [...document.querySelectorAll('iframe')].filter(({ style }) => style.visibility === 'hidden')
      .length,
    covers: document.querySelectorAll('avow-blocked').length,
  }));
const api = (page: Page, name: 'accept' | 'reject') =>
  page.evaluate((call) => (window.Avow as unknown as Record<string, () => void>)[call]?.(), name);

describeInBrowser('decisions in quick succession', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
    shop.set('/film', { snippet: '', body: 'A film' });
  });
  afterAll(() => shop.stop());

  const records = async (page: Page) => {
    const session_id = (await consentOf(page))?.session_id as string;
    return (await shop.client.listConsents({ token: shop.token, session_id })).items.map(
      ({ decision }) => decision,
    );
  };

  test.each(['box', 'bar', 'dialog'])(
    '%s: the second of two presses on Settings is no answer',
    async (layout) => {
      await shop.publish(undefined, { layout });
      const page = await shop.visit('/', { viewport: { width: 320, height: 568 } });
      const settings = page.getByRole('button', { name: 'Settings', exact: true });
      const { x, y, width, height } = (await settings.boundingBox()) as Box;
      const devtools = await page.context().newCDPSession(page);
      /**
       * Presses the spot of the button at a time of our own, in seconds after the first: this machine may be
       * slow.
       */
      const began = Date.now() / 1000;
      const pressAt = async (seconds: number): Promise<void> => {
        for (const type of ['mousePressed', 'mouseReleased'] as const) {
          await devtools.send('Input.dispatchMouseEvent', {
            type,
            x: x + width / 2,
            y: y + height / 2,
            button: 'left',
            clickCount: 1,
            timestamp: began + seconds,
          });
        }
      };
      await pressAt(0);
      await page.getByRole('dialog', { name: 'Privacy settings' }).waitFor();
      const under = await page.evaluate(
        ([left, top]) =>
          document.querySelector('avow-banner')?.shadowRoot?.elementFromPoint(left, top)?.className,
        [x + width / 2, y + height / 2] as const,
      );
      await pressAt(0.3);
      expect(await consentOf(page)).toBeNull();
      // Not only because nothing was there; and a moment later it is an answer.
      expect(under).toContain('answer');
      await pressAt(1.3);
      await until('there is a decision', async () => (await consentOf(page)) !== null);
      await page.context().close();
      await shop.publish(undefined, { layout: 'box' });
    },
  );

  test('withdrawn and given again at once, every frame is there and uncovered', async () => {
    shop.set('/frames', { body: frames(30) });
    const page = await shop.visit('/frames');
    await press(page, 'Accept all');
    await until('all are loaded', async () => (await seen(page)).loaded === 30);
    for (const wait of [0, 20, 200]) {
      await page.evaluate(
        (milliseconds) =>
          new Promise<void>((resolve) => {
            const { reject, accept } = window.Avow as unknown as Record<'reject' | 'accept', () => void>;
            reject();
            setTimeout(() => resolve(accept()), milliseconds);
          }),
        wait,
      );
      await until('all are loaded and seen', async () => {
        const { loaded, hidden, covers } = await seen(page);
        return loaded === 30 && hidden === 0 && covers === 0;
      });
    }
    await api(page, 'reject');
    await until('all are covered', async () => {
      const { loaded, hidden, covers } = await seen(page);
      return loaded === 0 && hidden === 30 && covers === 30;
    });
    await page.context().close();
  });

  test('cookies that frames write until they are emptied are deleted, too', async () => {
    const writes = `<script>setInterval(() => { document.cookie = '_fr=1;path=/'; });
      addEventListener('pagehide', () => { document.cookie = '_fr=2;path=/'; });</script>`;
    shop.set('/writes', { snippet: '', body: writes });
    const vendor = {
      id: 1,
      name: 'Films',
      purposes: [],
      leg_int_purposes: [],
      categories: ['marketing'],
      urls: [],
      cookies: [{ name: '_fr', category: 'marketing', max_age_seconds: 3600 }],
    };
    await shop.client.replaceVendors({ token: shop.token, body: { vendors: [vendor] } });
    await shop.publish();
    shop.set('/writers', { body: Array.from({ length: 10 }, () => frame('W', '/writes')).join('') });
    const page = await shop.visit('/writers');
    await press(page, 'Accept all');
    const cookies = () => page.evaluate(() => document.cookie);
    await until('they write', async () => (await cookies()).includes('_fr'));
    await until('all are loaded', async () => (await seen(page)).loaded === 10);
    await api(page, 'reject');
    await until('all are emptied', async () => (await seen(page)).loaded === 0);
    await until('the cookie is gone', async () => !(await cookies()).includes('_fr'));
    await page.context().close();
  });

  test('a script finds what the frames ahead of it show', async () => {
    const look = script('>window.found = document.querySelectorAll("iframe[src]").length;');
    shop.set('/order', { body: `${frames(20)}${look}` });
    const page = await shop.visit('/order');
    await press(page, 'Accept all');
    const found = () => page.evaluate(() => (window as unknown as { found?: number }).found);
    await until('the script ran', async () => (await found()) !== undefined);
    expect(await found()).toBe(20);
    await page.reload();
    await until('the script ran again', async () => (await found()) !== undefined);
    expect(await found()).toBe(20);
    await page.context().close();
  });

  test.each([
    ['nomodule', 'nomodule src="/legacy.js">'],
    ['a template with a source', 'data-type="text/template" src="/template.js">'],
  ])('%s, which browsers skip, does not hold up those after it', async (_name, skipped) => {
    shop.set('/skipped', { body: script(skipped) + script('src="/after.js">') });
    const page = await shop.visit('/skipped');
    await press(page, 'Accept all');
    await until('the next ran', async () => (await ran(page)).includes('/after.js'));
    expect(await ran(page)).toEqual(['/after.js']);
    await page.context().close();
  });

  test('a frame that the page takes out stays empty when it is put in after a withdrawal', async () => {
    shop.set('/taken', { body: `<div id="box">${frame('Film')}</div>` });
    const page = await shop.visit('/taken');
    await press(page, 'Accept all');
    await page.frameLocator('iframe').getByText('A film').waitFor();
    await page.evaluate(() => {
      const box = document.getElementById('box') as HTMLElement;
      Object.assign(window, { box });
      box.remove();
    });
    await api(page, 'reject');
    const before = shop.asked.length;
    await page.evaluate(() => document.body.append((window as unknown as { box: HTMLElement }).box));
    await until('it is covered', async () => (await seen(page)).covers === 1);
    expect(await seen(page)).toEqual({ loaded: 0, hidden: 1, covers: 1 });
    expect(shop.asked.slice(before)).toEqual([]);
    await page.context().close();
  });

  test('Allow of one of many frames loads that one first, and is recorded once', async () => {
    shop.set('/many', { body: frames(30) });
    const page = await shop.visit('/many');
    await press(page, 'Reject all');
    await until('all are covered', async () => (await seen(page)).covers === 30);
    await page.getByRole('group', { name: 'Film 29' }).getByRole('button').dblclick();
    await until('all are loaded', async () => (await seen(page)).loaded === 30);
    await until('it is recorded', async () => (await records(page)).length >= 2);
    expect(await records(page)).toEqual(['save_preferences', 'reject_all']);
    await page.context().close();
  });

  test('open settings stay open when another tab confirms what was decided before', async () => {
    const context = await shop.browser.newContext();
    await context.route('**/api/v/*/ce', (route) => route.abort());
    const page = await shop.visit('/', context);
    await press(page, 'Accept all');
    await press(page, 'Privacy settings');
    await page.getByRole('dialog').waitFor();
    await context.unroute('**/api/v/*/ce');
    await shop.visit('/', context);
    const unsent = () =>
      page.evaluate(
        (key) => JSON.parse(localStorage.getItem(key) ?? '{}').unsent?.length,
        `avow:${shop.token}`,
      );
    await until('it is confirmed', async () => (await unsent()) === 0);
    expect(await page.getByRole('dialog').count()).toBe(1);
    await context.close();
  });

  test('a decision stays in force in a page that is open while another tab empties the storage', async () => {
    const context = await shop.browser.newContext();
    const page = await shop.visit('/', context);
    await press(page, 'Accept all');
    const heard = page.evaluate(
      () => new Promise((resolve) => addEventListener('storage', ({ key }) => resolve(key))),
    );
    const other = await shop.visit('/', context);
    await other.evaluate(() => localStorage.clear());
    expect(await heard).toBeNull();
    expect(await consentOf(page)).toMatchObject({ decision: 'accept_all' });
    await context.close();
  });

  test('the last event tells the decision in force, also when a listener decides', async () => {
    const page = await shop.visit('/');
    const told = await page.evaluate(() => {
      const avow = window.Avow as unknown as {
        on(name: string, listener: (detail: { decision: string }) => void): void;
        accept(): void;
        reject(): void;
      };
      const heard: string[] = [];
      avow.on('change', ({ decision }) => heard.push(decision));
      avow.on('consent', ({ decision }) => {
        heard.push(decision);
        if (decision === 'accept_all') avow.reject();
      });
      avow.accept();
      return heard;
    });
    expect(told.at(-1)).toBe('reject_all');
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all' });
    await page.context().close();
  });

  test('the page’s mistakes are its own: a function in the queue, a data layer that throws', async () => {
    const { immutable_url } = await shop.publish();
    shop.set('/mistakes', {
      snippet: `<script>
          window.dataLayer = []; dataLayer.push = () => { throw new Error('layer'); };
          window.Avow = []; Avow.push(function () {}, ['on', 'consent', () => { window.heard = true; }]);
        </script><script src="${immutable_url}"></script>`,
      body: script('src="/after.js">'),
    });
    const page = await shop.visit('/mistakes');
    await press(page, 'Accept all');
    await until('the script ran', async () => (await ran(page)).length === 1);
    expect(await page.evaluate(() => (window as unknown as { heard?: boolean }).heard)).toBe(true);
    await until('it is recorded', async () => (await records(page)).length === 1);
    await page.context().close();
  });

  test('texts that hang are waited for once', async () => {
    await shop.publish({ languages: ['en', 'de'], default_language: 'en' });
    shop.set('/hang', { lang: 'de' });
    const context = await shop.browser.newContext();
    let asked = 0;
    await context.route('**/texts/**', () => {
      asked += 1;
    });
    const page = await shop.visit('/hang', context);
    await press(page, 'Settings');
    await press(page, 'Reject all');
    await page.getByRole('button', { name: 'Privacy settings' }).waitFor();
    expect(asked).toBe(1);
    await context.close();
  });

  test('a placeholder moves with the part of the page that its frame is in', async () => {
    shop.set('/scrolls', {
      body: `<div id="box" style="height:200px;overflow:auto">${frame('Film')}<p style="height:900px"></p></div>`,
    });
    const page = await shop.visit('/scrolls');
    await until('it is covered', async () => (await seen(page)).covers === 1);
    const gap = () =>
      page.evaluate(() => {
        const top = (selector: string) =>
          (document.querySelector(selector) as HTMLElement).getBoundingClientRect().top;
        return Math.abs(top('iframe') - top('avow-blocked'));
      });
    await until('it is placed', async () => (await gap()) < 1);
    await page.evaluate(() => (document.getElementById('box') as HTMLElement).scrollTo(0, 100));
    await until('it is placed again', async () => (await gap()) < 1);
    const { top } = (await page.evaluate(() =>
      (document.querySelector('iframe') as HTMLElement).getBoundingClientRect().toJSON(),
    )) as { top: number };
    expect(top).toBeLessThan(0);
    await page.context().close();
  });
});
