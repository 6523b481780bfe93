import { createHash } from 'node:crypto';
import { useServer } from '../helpers/server';

describe('serving the page /verify', () => {
  const server = useServer();
  const ask = (init: RequestInit = {}) => fetch(`${server.url}/verify`, init);

  test('is one file that may run its own script, show its own style, and connect to nobody', async () => {
    const answer = await ask();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const html = await answer.text();
    const hash = (tag: string): string => {
      const parts = [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))];
      expect(parts).toHaveLength(1);
      return createHash('sha256')
        .update(parts[0]?.[1] as string)
        .digest('base64');
    };
    const own = `default-src 'none'; script-src 'sha256-${hash('script')}'; style-src 'sha256-${hash('style')}'; img-src data:; base-uri 'none'; form-action 'none'`;
    expect(answer.headers.get('content-security-policy')).toBe(`${own}; frame-ancestors 'none'`);
    expect(html).toContain(`<meta http-equiv="Content-Security-Policy" content="${own}">`);
    expect(html).not.toMatch(/\ssrc="(?!data:)|\sstyle=|\son\w+=|{{/);
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });

  test.each(['br', 'gzip'])('is compressed, and asked for again with its tag: %s', async (encoding) => {
    const headers = { 'Accept-Encoding': encoding };
    const answer = await ask({ headers });
    expect([answer.headers.get('content-encoding'), answer.headers.get('cache-control')]).toEqual([
      encoding,
      'no-cache',
    ]);
    expect((await answer.text()).startsWith('<!doctype html>')).toBe(true);
    const tag = answer.headers.get('etag') ?? '';
    const again = await ask({ headers: { ...headers, 'If-None-Match': tag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('HEAD has no body; other methods find nothing', async () => {
    const head = await ask({ method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await ask({ method: 'POST' })).status).toBe(404);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(/operation="verify"/);
  });
});
