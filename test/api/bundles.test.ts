import { randomUUID } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import { BundleRow } from '../../server/src/db/models';
import { countScans } from '../../server/src/jobs/scans';
import { checkedFetch } from '../helpers/contract';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { startServer, useServer } from '../helpers/server';

const ADDRESS = { PUBLIC_URL: 'https://consent.example.com' };
const server = useServer({
  variables: { ...ADDRESS, JWT_SECRET: 'a secret of at least 32 characters!' },
});

const rowsOf = (token: string) =>
  server.service.context
    .db('bundles')
    .join('environments', 'environments.id', 'bundles.environment_id')
    .where({ token })
    .select<{ hash: string; script: string }[]>('hash', 'script');

test('a generated bundle says where it is, what it weighs and how it is put into a page', async () => {
  const { client, token } = await server.site();
  const bundle = await client.generateBundle({ token });
  const base = `${ADDRESS.PUBLIC_URL}/api/bundles/${token}`;
  expect(bundle).toMatchObject({
    url: `${base}.js`,
    immutable_url: `${base}/${bundle.hash}.js`,
    snippet: expect.stringMatching(
      /^<script>\(function.*\)\(true\)<\/script><script async src="[^"]*"><\/script>$/,
    ),
    snippet_blocking: `<script src="${base}.js"></script>`,
    version: 1,
    languages: ['en'],
    current: true,
  });
  expect(bundle.warnings.map(({ code }) => code)).toEqual(['no_policy_url']);
  const [row] = await rowsOf(token);
  expect(bundle.bytes).toBe(Buffer.byteLength(row?.script ?? ''));
  expect(bundle.gzip_bytes).toBeLessThan(bundle.bytes);
});

test('the record holds everything that it was made of', async () => {
  const { client, token } = await server.site({ privacy_policy_url: 'https://shop.example.com/privacy' });
  const bundle = await client.generateBundle({ token });
  const record = await client.getBundleRecord({ token, hash: bundle.hash });
  expect(record).toMatchObject(bundle);
  expect(record.config).toMatchObject({
    token,
    server: ADDRESS.PUBLIC_URL,
    settings_version: 1,
    privacy_policy_url: 'https://shop.example.com/privacy',
    vendors: 0,
  });
  const [row] = await rowsOf(token);
  expect(row?.script).toContain(`,"${bundle.hash}");`);
});

test('cookies that vendors list and that the last scan found are known to the script', async () => {
  const { client, token } = await server.site();
  const cookie = { name: '_va_*', category: 'analytics', max_age_seconds: 60 };
  const vendor = {
    id: 1,
    name: 'V',
    purposes: [],
    leg_int_purposes: [],
    categories: ['analytics'],
    urls: [],
  };
  await client.replaceVendors({ token, body: { vendors: [{ ...vendor, cookies: [cookie] }] } });
  const { db } = server.service.context;
  const { id: environment_id } = await db('environments').where({ token }).first('id');
  const seen = (name: string, category: string) => ({
    ...{ name, domain: 'shop.example.com', category, max_age_seconds: 0, secure: false, http_only: false },
    ...{ same_site: null, set_before_consent: true, first_party: true },
  });
  const scan = (day: number, state: string, ...cookies: object[]) => ({
    ...{
      scan_id: randomUUID(),
      environment_id,
      url: 'https://shop.example.com/',
      domain: 'shop.example.com',
    },
    ...{ state, runs: 1, created_at: new Date(), finished_at: new Date(Date.now() - day * 86_400_000) },
    result: JSON.stringify({ cookies, requests: [], banner_detected: true, findings: [], conclusive: true }),
  });
  await db('cookie_scans').insert([
    scan(2, 'done', seen('older', 'analytics')),
    scan(1, 'done', seen('_sa', 'analytics'), seen('_ad', 'marketing'), seen('sid', 'necessary')),
    scan(0, 'failed', seen('failed', 'analytics')),
  ]);
  const { hash } = await client.generateBundle({ token });
  const { config } = await client.getBundleRecord({ token, hash });
  expect(config.vendors).toBe(1);
  expect(config.categories.map(({ key, cookies }) => [key, cookies])).toEqual([
    ['necessary', []],
    ['functional', []],
    ['analytics', ['_sa', '_va_*']],
    ['marketing', ['_ad']],
  ]);
  // Scans are kept for 30 days; what they found stays known, and the bundle the same.
  await db('cookie_scans').where({ environment_id }).delete();
  expect((await client.generateBundle({ token })).hash).toBe(hash);
  await db('cookie_scans').insert([scan(0, 'done', seen('_sb', 'analytics'))]);
  const renewed = await client.getBundleRecord(
    await client.generateBundle({ token }).then((made) => ({ token, hash: made.hash })),
  );
  expect(renewed.config.categories.map(({ cookies }) => cookies)).toEqual([[], [], ['_sb', '_va_*'], []]);
});

test('the scan of a page without cookies takes none away that another page keeps', async () => {
  const { client, token } = await server.site();
  const { db, log } = server.service.context;
  const { id: environment_id } = await db('environments').where({ token }).first('id');
  const seen = (name: string, category: string, more: object = {}) => ({
    ...{ name, domain: 'shop.example.com', category, max_age_seconds: 0, secure: false, http_only: false },
    ...{ same_site: null, set_before_consent: true, first_party: true, ...more },
  });
  const scan = async (path: string, ...cookies: object[]) => {
    const result = { cookies, requests: [], banner_detected: true, findings: [], conclusive: true };
    const url = `https://shop.example.com${path}`;
    await db('cookie_scans').insert({
      ...{ scan_id: randomUUID(), environment_id, url, domain: 'shop.example.com', state: 'done', runs: 1 },
      ...{ created_at: new Date(), finished_at: new Date(), result: JSON.stringify(result) },
    });
    await countScans(db, log);
  };
  const known = async () => {
    const { hash } = await client.generateBundle({ token });
    const { config } = await client.getBundleRecord({ token, hash });
    return config.categories.flatMap(({ cookies }) => cookies);
  };
  const others = [
    seen('far', 'analytics', { first_party: false }),
    seen('hidden', 'analytics', { http_only: true }),
  ];
  await scan('/shop', seen('_sa', 'analytics'), seen('sid', 'necessary'), ...others);
  await scan('/clean');
  expect(await known()).toEqual(['_sa']);
  await scan('/shop', seen('_sb', 'marketing'));
  await scan('/clean');
  expect(await known()).toEqual(['_sb']);
});

test('the same settings give the same bundle: one row, whose publication is newer', async () => {
  const { client, token } = await server.site();
  const first = await client.generateBundle({ token });
  const second = await client.generateBundle({ token, body: {} });
  expect(second).toEqual({ ...first, published_at: second.published_at });
  expect(second.published_at >= first.published_at).toBe(true);
  expect(await rowsOf(token)).toHaveLength(1);
});

test('two processes make the same bytes of the same settings', async () => {
  const other = await startServer({
    databaseUrl: server.databaseUrl,
    variables: { ...ADDRESS, JWT_SECRET: 'a secret of at least 32 characters!' },
  });
  try {
    const { userId, client, token } = await server.site({ languages: ['en', 'de'] });
    const bearer = (await other.service.context.tokens.issue(userId)).token;
    const there = createAvow({ baseUrl: other.url, token: bearer, fetch: checkedFetch, retries: 0 });
    const options = { layout: 'bar', texts: 'all' } as const;
    const [one, two] = [
      await client.previewBundle({ token, body: options }),
      await there.previewBundle({ token, body: options }),
    ];
    expect(two.script).toBe(one.script);
    const [mine, theirs] = await Promise.all([
      client.generateBundle({ token, body: options }),
      there.generateBundle({ token, body: options }),
    ]);
    expect(theirs.hash).toBe(mine.hash);
    expect(await rowsOf(token)).toEqual([{ hash: mine.hash, script: one.script }]);
  } finally {
    await other.stop();
  }
});

test('twenty at once, of two kinds, make two bundles, and the last one is present', async () => {
  const { client, token } = await server.site();
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      client.generateBundle({ token, body: { layout: i % 2 === 0 ? 'bar' : 'dialog' } }),
    ),
  );
  expect(new Set(made.map(({ hash }) => hash)).size).toBe(2);
  const { items } = await client.listBundles({ token });
  expect(items).toHaveLength(2);
  expect(items.filter(({ current }) => current)).toHaveLength(1);
  const [latest] = [...items].sort((a, b) => (a.published_at < b.published_at ? 1 : -1));
  expect(items.find(({ current }) => current)?.published_at).toBe(latest?.published_at);
});

test('one key makes one publication', async () => {
  const { client, token } = await server.site();
  const options = { idempotencyKey: randomUUID() };
  const first = await client.generateBundle({ token, body: { layout: 'bar' } }, options);
  expect(await client.generateBundle({ token, body: { layout: 'bar' } }, options)).toEqual(first);
  const other = await refusal(client.generateBundle({ token, body: { layout: 'box' } }, options));
  expect(other.status).toBe(409);
});

test('the list holds every bundle, newest first, page by page', async () => {
  const { client, token } = await server.site();
  const made: string[] = [];
  for (const layout of ['box', 'bar', 'dialog'] as const)
    made.unshift((await client.generateBundle({ token, body: { layout } })).hash);
  const seen = [];
  for await (const bundle of client.listBundles.each({ token, limit: 2 })) seen.push(bundle);
  expect(seen.map(({ hash }) => hash)).toEqual(made);
  expect(seen.map(({ current }) => current)).toEqual([true, false, false]);
  for (const bundle of seen)
    expect(await client.getBundleRecord({ token, hash: bundle.hash })).toMatchObject(bundle);
});

test('an older bundle becomes the present one again, and stays what it was', async () => {
  const { client, token } = await server.site();
  const first = await client.generateBundle({ token, body: { layout: 'bar' } });
  const second = await client.generateBundle({ token });
  const again = await client.generateBundle({ token, body: { layout: 'bar' } });
  expect(again).toMatchObject({ hash: first.hash, created_at: first.created_at, current: true });
  expect(await client.getBundleRecord({ token, hash: second.hash })).toMatchObject({ current: false });
});

test('no statement can change what a bundle was made of', async () => {
  const { client, token } = await server.site();
  await client.generateBundle({ token });
  const { db } = server.service.context;
  await expect(BundleRow.query(db).patch({ script: 'x' }).where({ hash: 'none' })).rejects.toThrow(
    'A bundle is evidence: script must not change.',
  );
});

test('languages that the site does not have, or twice, are refused with their place', async () => {
  const { client, token } = await server.site({ languages: ['en', 'de'] });
  const body = { languages: ['de', 'fr', 'de', 'it'] };
  const expected = ['body.languages.1', 'body.languages.2', 'body.languages.3'];
  expect(pathsOf(await refusal(client.generateBundle({ token, body })))).toEqual(expected);
  expect(pathsOf(await refusal(client.previewBundle({ token, body })))).toEqual(expected);
  expect(await rowsOf(token)).toEqual([]);
});

test('unknown layouts, positions, themes, languages and options are refused with their place', async () => {
  const { client, token } = await server.site();
  const generate = (body: object) => refusal(client.generateBundle({ token, body } as never)).then(pathsOf);
  expect(await generate({ layout: 'popup' })).toEqual(['body.layout']);
  expect(await generate({ position: 'left', theme: 'blue', control: 'none', texts: 'some' })).toEqual([
    ...['body.control', 'body.position', 'body.texts', 'body.theme'],
  ]);
  expect(await generate({ languages: ['English'] })).toEqual(['body.languages.0']);
  expect(await generate({ languages: [] })).toEqual(['body.languages']);
  expect(await generate({ color: '#fff' })).toEqual(['body.color']);
  expect(await rowsOf(token)).toEqual([]);
});

test('the SDK gives the script as a file, and texts and vendors as data', async () => {
  const { client, token } = await server.site({ languages: ['en', 'de'] });
  const error = await refusal(server.visitor.getBundle({ token }));
  expect([error.status, error.code]).toEqual([404, 'not_found']);
  const { hash } = await client.generateBundle({ token });
  const [row] = await rowsOf(token);
  expect(await (await server.visitor.getBundle({ token })).text()).toBe(row?.script);
  expect(await (await server.visitor.getBundleVersion({ token, hash })).text()).toBe(row?.script);
  const german = await server.visitor.getBundleTexts({ token, hash, language: 'de' });
  expect([german.language, typeof german.texts.title]).toEqual(['de', 'string']);
  expect(await server.visitor.getBundleVendors({ token, hash })).toEqual({ vendors: [] });
});

describe('a preview', () => {
  test('is made of settings that are not saved, and is kept nowhere', async () => {
    const { client, token } = await server.site();
    const { settings } = await client.getEnvironment({ token });
    const banner = { ...settings.banner, layout: 'dialog' as const, texts: { en: { title: 'Unsaved' } } };
    const preview = await client.previewBundle({ token, body: { settings: { banner }, theme: 'dark' } });
    expect(preview.config).toMatchObject({ layout: 'dialog', theme: 'dark' });
    expect(preview.config.texts.en?.title).toBe('Unsaved');
    expect(preview.script).toContain('Unsaved');
    expect(preview.bytes).toBe(Buffer.byteLength(preview.script));
    expect(await rowsOf(token)).toEqual([]);
    expect((await client.getEnvironment({ token })).settings).toEqual(settings);
  });

  test('of the saved settings is what would be generated', async () => {
    const { client, token } = await server.site();
    const { script, warnings } = await client.previewBundle({ token });
    const bundle = await client.generateBundle({ token });
    expect(bundle.warnings).toEqual(warnings);
    expect((await rowsOf(token))[0]).toEqual({ hash: bundle.hash, script });
  });

  test('of settings that cannot be is refused with their place', async () => {
    const { client, token } = await server.site();
    const settings = { languages: ['de'], time_zone: 'Mars/Olympus' };
    const error = await refusal(client.previewBundle({ token, body: { settings } }));
    expect(pathsOf(error)).toEqual(['body.settings.languages', 'body.settings.time_zone']);
  });
});
