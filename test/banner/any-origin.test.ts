import { openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';

jest.setTimeout(60_000);

describeInBrowser('a page of another origin', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop.stop());

  test('makes a bundle with a bearer token and reads refusals; what else owners do stays closed to it', async () => {
    const { id } = await shop.client.getMe();
    const { token: bearer } = await shop.server.service.context.tokens.issue(id);
    const page = await shop.visit();
    const answers = await page.evaluate(
      async ({ base, bearer }) => {
        const call = async (path: string, headers: Record<string, string>, body?: string) => {
          try {
            const answer = await fetch(base + path, {
              ...(body === undefined ? {} : { method: 'POST', body }),
              headers: { 'Content-Type': 'application/json', ...headers },
            });
            const { status, data } = await answer.json();
            return [answer.status, status, data.code ?? data.url, answer.headers.has('X-Request-Id')];
          } catch (error) {
            return (error as Error).name;
          }
        };
        const Authorization = `Bearer ${bearer}`;
        return {
          made: await call('/generate-bundle', { Authorization, 'Idempotency-Key': 'elsewhere' }, '{}'),
          previewed: await call('/preview-bundle', { Authorization }, '{"layout":"bar"}'),
          broken: await call('/generate-bundle', { Authorization }, '{"unknown":1}'),
          anonymous: await call('/generate-bundle', {}, '{}'),
          records: await call('/consents', { Authorization }),
        };
      },
      { base: `${shop.host}/api/cookies/${shop.token}`, bearer },
    );
    expect(answers).toEqual({
      made: [201, 'success', `${shop.host}/api/bundles/${shop.token}.js`, true],
      previewed: [200, 'success', undefined, true],
      broken: [400, 'error', 'validation_failed', true],
      anonymous: [401, 'error', 'unauthorized', true],
      records: 'TypeError',
    });
  });
});
