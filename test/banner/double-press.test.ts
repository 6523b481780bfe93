import { consentOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

describeInBrowser('a double press on the page', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop.stop());

  test('is no answer when its second press meets a layer that has just appeared', async () => {
    const page = await shop.visit();
    const box = await page.getByRole('button', { name: 'Accept all', exact: true }).boundingBox();
    const { x, y, width, height } = box as NonNullable<typeof box>;
    await page.evaluate(() => {
      const { hide, show } = window.Avow as unknown as Record<'hide' | 'show', (layer?: string) => void>;
      hide();
      addEventListener('click', () => show('banner'), { once: true });
    });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const devtools = await page.context().newCDPSession(page);
    const began = Date.now() / 1000;
    const pressAt = async (seconds: number): Promise<void> => {
      for (const type of ['mousePressed', 'mouseReleased'] as const)
        await devtools.send('Input.dispatchMouseEvent', {
          ...{ type, x: x + width / 2, y: y + height / 2, button: 'left', clickCount: 1 },
          timestamp: began + seconds,
        });
    };
    await pressAt(0);
    await page.getByRole('dialog').waitFor();
    await pressAt(0.3);
    expect(await consentOf(page)).toBeNull();
    await pressAt(1.3);
    await until('there is a decision', async () => (await consentOf(page)) !== null);
    await page.context().close();
  });

  test('reaches an answer of the page itself', async () => {
    const page = await shop.visit();
    const presses = await page.evaluate(async () => {
      const quiz = document.createElement('button');
      quiz.className = 'answer';
      document.body.append(quiz);
      let heard = 0;
      quiz.onclick = () => {
        heard += 1;
      };
      for (let n = 0; n < 3; n += 1)
        quiz.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, detail: 1 }));
      return heard;
    });
    expect(presses).toBe(3);
    await page.context().close();
  });
});
