import { randomUUID } from 'node:crypto';
import { countScans } from '../../server/src/jobs/scans';
import { sendForm } from '../helpers/public-pages/form';
import { useServer } from '../helpers/server';
import { prove } from '../helpers/site/proofs';
import { vendor } from '../helpers/site/vendors';

const server = useServer();

const KINDS = ['request', 'preferences', 'cookies'] as const;
const get = (path: string, headers: Record<string, string> = {}) => fetch(server.url + path, { headers });
const read = async (path: string, headers: Record<string, string> = {}) => (await get(path, headers)).text();

/** Stores a scan of a page that is done. */
async function scan(token: string, cookies: object[], more: object = {}, path = '/') {
  const { db, log } = server.service.context;
  const { id: environment_id } = await db('environments').where({ token }).first('id');
  const result = {
    ...{ cookies, requests: [], banner_detected: true, findings: [], conclusive: true },
    ...more,
  };
  await db('cookie_scans').insert({
    ...{ scan_id: randomUUID(), environment_id, url: `https://shop.example.com${path}`, runs: 1 },
    ...{ domain: 'shop.example.com', state: 'done', created_at: new Date(), finished_at: new Date() },
    result: JSON.stringify(result),
  });
  await countScans(db, log);
}
const seen = (name: string, category: string, more: object = {}) => ({
  ...{ name, domain: 'shop.example.com', category, max_age_seconds: 86_400, secure: true, http_only: false },
  ...{ same_site: null, set_before_consent: true, first_party: true, ...more },
});

test('every page is for nobody to track or frame: no script, no cookie, nothing from elsewhere', async () => {
  const { token } = await server.site();
  for (const kind of KINDS) {
    const page = await get(`/pages/${token}/${kind}`);
    expect([kind, page.status, page.headers.get('set-cookie')]).toEqual([kind, 200, null]);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    const text = await page.text();
    expect(text).not.toMatch(/<script|<img|<link|<iframe| on[a-z]+=|url\(|@import/i);
  }
});

test('only pages of proven domains may frame, and what is no domain gets into no header', async () => {
  const { client, token } = await server.site();
  await client.updateEnvironment({
    token,
    body: { domains: ['shop.example.com', 'www.shop.example', 'other.example.com'] },
  });
  await prove(server, token, ['shop.example.com', 'www.shop.example', 'gone.example.com']);
  await prove(server, token, ['other.example.com'], Date.now() - 40 * 86_400_000);
  for (const kind of KINDS) {
    const { headers } = await get(`/pages/${token}/${kind}`);
    expect(headers.get('content-security-policy')).toMatch(
      / frame-ancestors shop\.example\.com:\* www\.shop\.example\.com:\* www\.shop\.example:\*$/,
    );
    expect(headers.get('x-frame-options')).toBeNull();
  }
  const { db } = server.service.context;
  await db('environments')
    .where({ token })
    .update({ domains: ["x.example; script-src 'unsafe-inline'"] });
  await prove(server, token, ["x.example; script-src 'unsafe-inline'"]);
  const { headers } = await get(`/pages/${token}/preferences`);
  expect(headers.get('content-security-policy')).toMatch(/ frame-ancestors 'none'$/);
});

test('the language is the one asked for, then the browser, then the default, always of the site', async () => {
  const { token } = await server.site({ languages: ['en', 'de', 'ar', 'zh-Hant'], default_language: 'de' });
  const shown = async (query: string, accept?: string) => {
    const text = await read(`/pages/${token}/request${query}`, accept ? { 'Accept-Language': accept } : {});
    return /<html lang="([\w-]+)" dir="(\w+)"/.exec(text)?.slice(1).join(' ');
  };
  expect(await shown('?lang=ar', 'en')).toBe('ar rtl');
  expect(await shown('?lang=fr', 'en-US,en;q=0.9')).toBe('en ltr');
  expect(await shown('', 'fr;q=0.9, zh-TW;q=0.8, en;q=0.1')).toBe('zh-Hant ltr');
  expect(await shown('', 'fr')).toBe('de ltr');
  expect(await shown('?lang=%00', '*')).toBe('de ltr');
  expect(await shown('?lang=en&lang=ar', 'x'.repeat(5_000))).toBe('de ltr');
});

test('what owners and strangers write stays text', async () => {
  const evil = '"><script>alert(1)</script>';
  const { client, token } = await server.site({
    languages: ['en'],
    privacy_policy_url: "https://shop.example.com/'onmouseover='alert(1)",
    categories: [{ key: 'analytics', name: evil, description: evil, required: false }],
  });
  const cookie = { name: evil, category: 'analytics', max_age_seconds: 60, description: evil };
  const urls = [{ lang_id: 'en', privacy: "https://a.example/'onmouseover='alert(1)" }];
  await client.replaceVendors({ token, body: { vendors: [vendor(1, evil, { cookies: [cookie], urls })] } });
  await client.updateEnvironment({ token, body: { name: evil } });
  await scan(token, [seen(evil, 'analytics', { vendor: evil }), seen(evil, evil, { domain: evil })]);
  for (const path of [
    'request',
    'preferences',
    'preferences/fragment',
    'cookies',
    'cookies/fragment',
    `request?lang=${evil}`,
  ]) {
    const response = await get(`/pages/${token}/${encodeURI(path)}`);
    const text = await response.text();
    expect([path, response.status]).toEqual([path, 200]);
    expect(text).not.toMatch(/<script/i);
    // Every quote that is not of our own attributes is written as an entity.
    expect(text).not.toMatch(/alert\(1\)<\/script>|'onmouse/);
    expect(text).toContain('&lt;script&gt;');
  }
});

test('the declaration has vendors, their cookies, and what scans found besides, as JSON, page and fragment', async () => {
  const { client, token } = await server.site({ languages: ['en', 'de'] });
  const { settings } = await client.getEnvironment({ token });
  const cookie = { domain: 'example.com', days: 30 };
  await client.updateEnvironment({ token, body: { settings: { banner: { ...settings.banner, cookie } } } });
  await client.generateBundle({ token });
  const urls = [
    { lang_id: 'en', privacy: 'https://ads.example/privacy' },
    { lang_id: 'de', privacy: 'https://ads.example/datenschutz' },
  ];
  const cookies = [
    { name: '_ad_*', category: 'marketing', max_age_seconds: 31_536_000, description: 'Advertising.' },
    { name: 'state', storage: 'local_storage' as const, category: 'functional', max_age_seconds: 0 },
  ];
  await client.replaceVendors({
    token,
    body: { vendors: [vendor(7, 'Ads Inc', { urls, cookies, country: 'FR', categories: ['marketing'] })] },
  });
  const about = [seen('_old', 'analytics'), seen('_ad_0', 'marketing')];
  await scan(token, about, {}, '/about');
  const items = [
    { name: 'draft', storage: 'local_storage', host: 'shop.example.com', category: 'functional' },
  ];
  await scan(token, [seen('_ad_1', 'marketing'), seen('mystery', 'unclassified')], { stored_items: items });
  const declared = await server.visitor.getCookieDeclaration({ token, lang: 'de' });
  expect(declared).toMatchObject({
    language: 'de',
    vendor_list_version: 1,
    vendors: [
      { id: 7, name: 'Ads Inc', country: 'FR', privacy_url: 'https://ads.example/datenschutz', cookies },
    ],
  });
  expect(declared.categories.map(({ key, name }) => [key, name])).toContainEqual(['marketing', 'Marketing']);
  expect(
    declared.other_cookies.map(({ name, category, storage, domain, max_age_seconds }) => [
      ...[name, category, storage, domain, max_age_seconds],
    ]),
  ).toEqual([
    [`avow:${token}`, 'necessary', 'local_storage', null, 0],
    ['avow_consent', 'necessary', 'cookie', 'example.com', 2_592_000],
    ['mystery', 'unclassified', 'cookie', 'shop.example.com', 86_400],
    ['draft', 'functional', 'local_storage', 'shop.example.com', 0],
    ['_old', 'analytics', 'cookie', null, null],
  ]);
  expect(Date.parse(declared.scanned_at ?? '')).toBeLessThanOrEqual(Date.parse(declared.updated_at));
  const text = await read(`/pages/${token}/cookies/fragment?lang=de`);
  expect(text).toMatch(/^<section class="avow-cookies" lang="de" dir="ltr">/);
  for (const words of [
    '_ad_*',
    '1 Jahr',
    'Ads Inc',
    'Frankreich',
    'mystery',
    'Noch nicht eingeordnet',
    'localStorage',
  ])
    expect(text).toContain(words);
  expect(await read(`/pages/${token}/cookies?lang=de`)).toContain(text);
});

test('a fragment can be read by any page, is cached with the languages, and is renewed with the list', async () => {
  const { client, token } = await server.site();
  const path = `/pages/${token}/cookies/fragment`;
  const first = await get(path);
  expect(first.headers.get('access-control-allow-origin')).toBe('*');
  expect(first.headers.get('vary')).toBe('Accept-Encoding, Accept-Language');
  expect(first.headers.get('content-security-policy')).toContain('sandbox');
  const etag = first.headers.get('etag') ?? '';
  expect((await get(path, { 'If-None-Match': etag })).status).toBe(304);
  const cookie = { name: 'fresh', category: 'analytics', max_age_seconds: 60 };
  await client.replaceVendors({ token, body: { vendors: [vendor(1, 'A', { cookies: [cookie] })] } });
  const next = await get(path, { 'If-None-Match': etag });
  expect([next.status, (await next.text()).includes('fresh')]).toEqual([200, true]);
  const page = await get(`/pages/${token}/cookies`);
  const again = await get(`/pages/${token}/cookies`, { 'If-None-Match': page.headers.get('etag') ?? '' });
  expect(again.status).toBe(304);
});

test('a list of any length makes a page of bounded length, which says that there is more', async () => {
  const { client, token } = await server.site();
  const name = '<'.repeat(190);
  const cookies = Array.from({ length: 400 }, (_, at) => ({
    ...{ name: `${name}${at}`, category: 'analytics', max_age_seconds: 60, description: '&'.repeat(1_000) },
  }));
  await client.replaceVendors({ token, body: { vendors: [vendor(1, 'A', { cookies })] } });
  const one = await read(`/pages/${token}/cookies/fragment`);
  expect(one.length).toBeLessThan(2.2 * 1024 * 1024);
  expect(one).toContain('The list is longer than this page can show.');
  expect(one.match(/<table/g)?.length).toBe(one.match(/<\/table>/g)?.length);
  const { vendors } = await server.visitor.getCookieDeclaration({ token });
  expect(vendors[0]?.cookies).toHaveLength(400);
});

test('a paused site has no pages, an unknown one neither, and both say so in the language of the browser', async () => {
  const { client, token } = await server.site();
  await client.updateEnvironment({ token, body: { status: 'paused' } });
  const german = { 'Accept-Language': 'de-AT' };
  for (const kind of [...KINDS, 'cookies/fragment', 'cookies/embed.js']) {
    const paused = await get(`/pages/${token}/${kind}`, german);
    expect([kind, paused.status]).toEqual([kind, 403]);
    expect(await paused.text()).toContain('Diese Seite ist zurzeit nicht verfügbar.');
    expect((await get(`/pages/env_${'0'.repeat(22)}/${kind}`)).status).toBe(404);
    expect((await get(`/pages/nonsense/${kind}`)).status).toBe(404);
  }
  expect((await sendForm(server, token, {})).status).toBe(403);
  await expect(server.visitor.getCookieDeclaration({ token })).rejects.toMatchObject({ status: 403 });
});

test('an address that is no UTF-8 is not found, and never 5xx', async () => {
  const { token } = await server.site();
  for (const path of [
    '/pages/%ff/request',
    `/pages/${token}/status/%E0%A4%A/x`,
    `/mail/verify/${token}/%ff/x`,
    '/api/public/cookie-declaration/%ff',
  ]) {
    const answer = await get(path);
    expect([path, answer.status]).toEqual([path, path.startsWith('/api') ? 400 : 404]);
    expect(await answer.json()).toMatchObject({ status: 'error' });
  }
});

test('pages are on no domain of the site: enforce_origin does not refuse them', async () => {
  const { token } = await server.site({ enforce_origin: true });
  expect((await sendForm(server, token, {})).status).toBe(422);
  expect((await get(`/pages/${token}/request`, { Origin: 'null' })).status).toBe(200);
});
