import { builtPages } from '../helpers/docs/site';
import { useServer } from '../helpers/server';

describe('serving the documentation', () => {
  const server = useServer();
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}${path}`, { redirect: 'manual', ...init });

  test('/docs leads to /docs/, and pages have no ending', async () => {
    const answer = await ask('/docs');
    expect([answer.status, answer.headers.get('location')]).toEqual([308, '/docs/']);
    for (const path of ['/docs/', '/docs/api', '/docs/api/visitor', '/docs/errors']) {
      const page = await ask(path);
      expect([path, page.status, page.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html;charset=utf-8',
      ]);
    }
  });

  test('an unknown page is a 404 that leads on; so are strange addresses', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs/%00',
      '/docs/%E0%A4%A',
      '/docs/..%2f..%2fpackage.json',
      '/docs/assets',
    ]) {
      const answer = await ask(path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(await answer.text()).toContain('There is no such page');
    }
    expect((await ask('/docs/api', { method: 'POST' })).status).toBe(404);
  });

  test('the policy allows this server alone, and no frame', async () => {
    for (const path of ['/docs/', '/docs/nothing', '/llms.txt']) {
      const policy = (await ask(path)).headers.get('content-security-policy') ?? '';
      expect(policy.split(';')).toEqual(
        expect.arrayContaining(["default-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]),
      );
      expect(policy).not.toContain('unsafe');
    }
  });

  test('files with a hash in their name are kept for good, pages are asked for again with their tag', async () => {
    const page = await ask('/docs/');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const again = await ask('/docs/', { headers: { 'If-None-Match': page.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
    const assets = [...(await page.text()).matchAll(/"(\/docs\/assets\/[^"]+)"/g)].map(
      ([, path]) => path as string,
    );
    expect(assets.length).toBeGreaterThanOrEqual(5);
    for (const path of assets) {
      const { status, headers } = await ask(path);
      expect([path, status, headers.get('cache-control')]).toEqual([
        path,
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
  });

  test.each(['br', 'gzip'])('what is sent is compressed before anyone asks: %s', async (encoding) => {
    for (const { path, html } of builtPages()) {
      if (path === '404') continue;
      const answer = await ask(`/docs/${path}`, { headers: { 'Accept-Encoding': encoding } });
      expect([path, answer.headers.get('content-encoding')]).toEqual([path, encoding]);
      expect(await answer.text()).toBe(html);
    }
  });

  test('logs and metrics know these requests as one operation, whatever the address', async () => {
    await ask('/docs/nothing-of-this-name');
    const metrics = await (await ask('/metrics')).text();
    expect(metrics).toMatch(/operation="docs"[^\n]*status="404"|status="404"[^\n]*operation="docs"/);
    expect(metrics).not.toContain('nothing-of-this-name');
  });

  test('HEAD has no body, and a range is answered whole', async () => {
    const head = await ask('/docs/api', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const part = await ask('/docs/api', { headers: { Range: 'bytes=9-2' } });
    expect([part.status, (await part.text()).startsWith('<!doctype html>')]).toEqual([200, true]);
  });

  test('programs find an index, everything in one file, and each page as Markdown', async () => {
    const index = await ask('/llms.txt');
    expect([index.status, index.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const text = await index.text();
    expect(text).toMatch(/^# Avow\n\n> /);
    const links = [...text.matchAll(/\]\((\/docs\/[^)]+)\)/g)].map(([, path]) => path as string);
    expect(links.length).toBeGreaterThan(12);
    for (const link of links) {
      const { status, headers } = await ask(link);
      expect([link, status, headers.get('content-type')]).toEqual([
        link,
        200,
        'text/markdown; charset=utf-8',
      ]);
    }
    const full = await (await ask('/docs/llms-full.txt')).text();
    for (const name of ['logConsent', 'dsar.created', 'validation_failed']) expect(full).toContain(name);
    expect((await ask('/docs/llms.txt')).status).toBe(200);
  });
});
