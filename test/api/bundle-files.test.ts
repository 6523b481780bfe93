import { createHash } from 'node:crypto';
import { type LoadedFile, load } from '../helpers/http/files';
import { startServer, type TestServer, useServer } from '../helpers/server';
import { eventually } from '../helpers/until';

const UNKNOWN = 'env_0000000000000000000000';
const NO_HASH = 'AAAAAAAAAAAAAAAAAAAAAAAA';

/** Both hosts must give the same: the one ahead of Express, and Express. */
describe.each([
  ['the visitor host', true],
  ['Express', false],
])('by %s', (_, visitorHost) => {
  const server = useServer({ visitorHost, variables: { ROLE: 'api' } });

  async function published() {
    const site = await server.site({ languages: ['en', 'de'] });
    const bundle = await site.client.generateBundle({ token: site.token });
    const base = `${server.url}/api/bundles/${site.token}`;
    return {
      ...site,
      bundle,
      moving: `${base}.js`,
      pinned: `${base}/${bundle.hash}.js`,
      base: `${base}/${bundle.hash}`,
    };
  }

  test('a page of any origin may load the script, and nothing takes it for something else', async () => {
    const { moving, pinned } = await published();
    for (const url of [moving, pinned]) {
      const { status, headers } = await load(url, { Origin: 'https://anywhere.example' });
      expect([url, status]).toEqual([url, 200]);
      expect(headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
        vary: 'Accept-Encoding',
      });
      expect(headers['access-control-allow-credentials']).toBeUndefined();
      expect(headers['set-cookie']).toBeUndefined();
    }
  });

  test('the moving address is kept for a minute, the other ones for good', async () => {
    const { moving, pinned, base } = await published();
    const control = async (url: string) => (await load(url)).headers['cache-control'];
    expect(await control(moving)).toMatch(/^public, max-age=60, stale-while-revalidate=60\b/);
    for (const url of [pinned, `${base}/texts/de`, `${base}/vendors`])
      expect(await control(url)).toBe('public, max-age=31536000, immutable');
  });

  test('the bytes are those that the integrity was computed of', async () => {
    const { moving, pinned, bundle } = await published();
    for (const url of [moving, pinned]) {
      const { bytes } = await load(url);
      expect(`sha384-${createHash('sha384').update(bytes).digest('base64')}`).toBe(bundle.integrity);
      expect(bytes.length).toBe(bundle.bytes);
    }
  });

  test.each([
    [undefined, undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0.5, br;q=0.1', 'br'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['deflate', undefined],
    ['GZIP', 'gzip'],
  ])('Accept-Encoding %s gets %s, and the same text', async (accepted, expected) => {
    const { pinned, base } = await published();
    for (const url of [pinned, `${base}/texts/de`, `${base}/vendors`]) {
      const plain = await load(url);
      const answer = await load(url, accepted === undefined ? {} : { 'Accept-Encoding': accepted });
      expect(answer.headers['content-encoding']).toBe(expected);
      expect(answer.text).toBe(plain.text);
      expect(Number(answer.headers['content-length'])).toBe(answer.bytes.length);
    }
  });

  test('what travels is as small as was said, and smaller with Brotli', async () => {
    const { pinned, bundle } = await published();
    const [gzip, br] = [
      await load(pinned, { 'Accept-Encoding': 'gzip' }),
      await load(pinned, { 'Accept-Encoding': 'br' }),
    ];
    expect(gzip.bytes.length).toBe(bundle.gzip_bytes);
    expect(br.bytes.length).toBeLessThan(gzip.bytes.length);
  });

  test('a cache that has it is told so, for each encoding and address', async () => {
    const { moving, pinned, base } = await published();
    const urls = [moving, pinned, `${base}/texts/de`, `${base}/vendors`];
    // Each is compressed quickly first, and soon after well, under another tag.
    for (const url of urls)
      await eventually(
        () => load(url, { 'Accept-Encoding': 'br' }),
        ({ headers }) => headers.etag?.endsWith('-br"') === true,
      );
    const tags = new Set<string>();
    for (const accepted of ['identity', 'gzip', 'br']) {
      for (const url of urls) {
        const headers = { 'Accept-Encoding': accepted };
        const first = await load(url, headers);
        const etag = first.headers.etag as string;
        tags.add(etag);
        for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
          const again = await load(url, { ...headers, 'If-None-Match': condition });
          expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag]);
          expect(again.headers['cache-control']).toBe(first.headers['cache-control']);
          expect(again.headers.vary).toBe('Accept-Encoding');
        }
        expect((await load(url, { ...headers, 'If-None-Match': '"other"' })).status).toBe(200);
      }
    }
    // One for each encoding, because their bytes differ.
    expect(tags.size).toBe(3);
  });

  test('HEAD tells the same without the body', async () => {
    const { moving, pinned, base } = await published();
    for (const url of [moving, pinned, `${base}/texts/en`, `${base}/vendors`]) {
      const strip = ({ status, headers }: LoadedFile) => ({
        status,
        ...Object.fromEntries(
          Object.entries(headers).filter(([name]) => !/^(date|x-request-id)$/.test(name)),
        ),
      });
      const [get, head] = [await load(url), await load(url, {}, 'HEAD')];
      expect(strip(head)).toEqual(strip(get));
      expect(head.bytes.length).toBe(0);
    }
  });

  test('scripts are the same whatever query content systems and optimisers add, and other files take none', async () => {
    const { moving, pinned, base } = await published();
    const queries = ['v=1', 'ver=6.8.1', 'ver=1&x=2', 'v=1&v=2', '%', '', `t=${'1'.repeat(1000)}`, 'a%00b?c'];
    for (const url of [moving, pinned]) {
      const plain = await load(url);
      for (const query of queries) {
        const file = await load(`${url}?${query}`);
        expect([query, file.status, file.headers.etag]).toEqual([query, 200, plain.headers.etag]);
        expect(file.bytes.equals(plain.bytes)).toBe(true);
        expect((await load(`${url}?${query}`, {}, 'HEAD')).status).toBe(200);
      }
    }
    expect((await load(`${base}/vendors?v=1`)).status).toBe(400);
    expect((await load(`${base}/texts/en?v=1`)).status).toBe(400);
  });

  test('older bundles stay where they are when a new one is published', async () => {
    const { client, token, pinned, moving, bundle } = await published();
    const before = await load(pinned);
    const next = await client.generateBundle({ token, body: { layout: 'bar' } });
    expect(next.hash).not.toBe(bundle.hash);
    expect((await load(moving)).text).toContain(next.hash);
    const after = await load(pinned);
    expect([after.status, after.text, after.headers.etag]).toEqual([200, before.text, before.headers.etag]);
  });

  test('the texts of each language and the vendors are those of the bundle, not of today', async () => {
    const { client, token, base } = await published();
    const vendor = {
      id: 1,
      name: 'V',
      purposes: [],
      leg_int_purposes: [],
      categories: [],
      urls: [],
      cookies: [],
    };
    const record = await client.getBundleRecord({ token, hash: base.split('/').at(-1) as string });
    await client.replaceVendors({ token, body: { vendors: [vendor] } });
    const { settings } = await client.getEnvironment({ token });
    const banner = { ...settings.banner, texts: { en: { title: 'Later' } } };
    await client.updateEnvironment({ token, body: { settings: { banner } } });
    const data = async (path: string) => JSON.parse((await load(`${base}/${path}`)).text).data;
    expect(await data('texts/en')).toEqual({ language: 'en', texts: record.config.texts.en });
    expect((await data('texts/de')).language).toBe('de');
    expect(await data('vendors')).toEqual({ vendors: [] });
    const next = await client.generateBundle({ token });
    const newer = base.replace(/[^/]+$/, next.hash);
    expect(JSON.parse((await load(`${newer}/vendors`)).text).data.vendors).toMatchObject([vendor]);
    expect(JSON.parse((await load(`${newer}/texts/en`)).text).data.texts.title).toBe('Later');
  });

  test('what does not exist is 404 in the envelope, and no cache keeps it', async () => {
    const bare = await server.site();
    const { token, base } = await published();
    const other = await published();
    const paths = [
      `/api/bundles/${UNKNOWN}.js`,
      `/api/bundles/${bare.token}.js`,
      `/api/bundles/${bare.token}/${NO_HASH}.js`,
      `/api/bundles/${token}/${other.bundle.hash}.js`,
      `/api/bundles/${token}/${NO_HASH}/vendors`,
      `${base.slice(server.url.length)}/texts/fr`,
      `${base.slice(server.url.length)}/texts/ar`,
      '/api/bundles/.js',
      `/api/bundles/${token}`,
    ];
    for (const path of paths) {
      const { status, text, headers } = await load(server.url + path);
      expect([path, status, JSON.parse(text).data.code]).toEqual([path, 404, 'not_found']);
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  test('bad hashes and languages are refused with their place', async () => {
    const { base } = await published();
    const places = async (url: string) => {
      const { status, text } = await load(url);
      return [status, JSON.parse(text).data.errors.map(({ path }: { path: string }) => path)];
    };
    expect(await places(base.replace(/[^/]+$/, 'short.js'))).toEqual([400, ['path.hash']]);
    expect(await places(`${base.replace(/[^/]+$/, 'no%20hash%20at%20all')}/vendors`)).toEqual([
      400,
      ['path.hash'],
    ]);
    expect(await places(`${base}/texts/English`)).toEqual([400, ['path.language']]);
  });

  test('a paused site gets no script, so that nothing is asked that cannot be recorded', async () => {
    const { client, token, moving, pinned, base } = await published();
    await client.updateEnvironment({ token, body: { status: 'paused' } });
    for (const url of [moving, pinned, `${base}/texts/de`, `${base}/vendors`]) {
      const { status, text } = await load(url);
      expect([url, status, JSON.parse(text).data.code]).toEqual([url, 403, 'forbidden']);
    }
    await client.updateEnvironment({ token, body: { status: 'active' } });
    expect((await load(moving)).status).toBe(200);
  });

  test('a site that takes requests from its own pages only still serves its script: a script element names no origin', async () => {
    const { client, token, moving } = await published();
    await client.updateEnvironment({ token, body: { settings: { enforce_origin: true } } });
    expect((await load(moving)).status).toBe(200);
    expect((await load(moving, { Origin: 'https://anywhere.example' })).status).toBe(200);
  });
});

describe('several processes', () => {
  let one: TestServer;
  let two: TestServer;
  beforeAll(async () => {
    const variables = { ROLE: 'api', PUBLIC_URL: 'https://consent.example.com' };
    one = await startServer({ variables });
    two = await startServer({ variables, databaseUrl: one.databaseUrl });
  });
  afterAll(async () => {
    await two.stop();
    await one.stop();
  });

  test('a new bundle on one is what the other serves, a while later', async () => {
    const { client, token } = await one.site();
    const first = await client.generateBundle({ token });
    const there = `${two.url}/api/bundles/${token}.js`;
    expect((await load(there)).text).toContain(first.hash);
    const second = await client.generateBundle({ token, body: { layout: 'bar' } });
    await eventually(
      () => load(there),
      ({ text }) => text.includes(second.hash),
    );
    const [here, elsewhere] = [await load(`${one.url}/api/bundles/${token}.js`), await load(there)];
    expect(elsewhere.text).toBe(here.text);
    expect(elsewhere.headers.etag).toBe(here.headers.etag);
  });
});
