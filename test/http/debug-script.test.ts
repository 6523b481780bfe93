import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useServer } from '../helpers/server';

const BUILT = join(__dirname, '..', '..', 'dist', 'banner', 'debug.js');

describe('serving the diagnostics view', () => {
  const server = useServer();
  const ask = (init: RequestInit = {}) => fetch(`${server.url}/debug.js`, init);

  test('is a script that any page may load, also as a module', async () => {
    const answer = await ask({ headers: { Origin: 'https://shop.example.com' } });
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
    });
    expect(await answer.text()).toBe(readFileSync(BUILT, 'utf8'));
  });

  test.each(['br', 'gzip'])('is compressed, and asked for again with its tag: %s', async (encoding) => {
    const headers = { 'Accept-Encoding': encoding };
    const answer = await ask({ headers });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(await answer.text()).toContain('avowDebug');
    const again = await ask({ headers: { ...headers, 'If-None-Match': answer.headers.get('etag') ?? '' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('HEAD has no body; other methods find nothing; it is counted under its name', async () => {
    const head = await ask({ method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await ask({ method: 'POST' })).status).toBe(404);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(/operation="debug"/);
  });
});
