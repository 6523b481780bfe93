import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { loadProgram } from '../../server/src/bundles/load-program';
import type { Weighed } from '../../server/src/domain/banner/assemble';
import { addressesOf } from '../../server/src/domain/banner/snippet';
import { type BundleSources, stubsFor } from '../../server/src/domain/banner/sources';
import { defaultSettings } from '../../server/src/domain/settings';
import type { Settings, Vendor } from '../../server/src/domain/types';
import { makeBundle, PROGRAM } from '../helpers/banner/program';

const VENDOR: Vendor = {
  id: 7,
  name: 'Example Analytics',
  purposes: [1],
  leg_int_purposes: [],
  categories: ['analytics'],
  urls: [],
  cookies: [{ name: '_ea', category: 'analytics', max_age_seconds: 60 }],
};

const sources = (changed: Partial<BundleSources> = {}, settings: Partial<Settings> = {}): BundleSources => ({
  token: 'env_0123456789012345678901',
  server: 'https://consent.example.com',
  settings: { ...defaultSettings(), ...settings },
  settingsVersion: 3,
  options: {},
  vendors: [],
  scanned: [],
  domains: ['shop.example.com'],
  ...changed,
});
const make = (changed: Partial<BundleSources> = {}, settings: Partial<Settings> = {}): Weighed =>
  makeBundle(sources(changed, settings), PROGRAM);

test('a bundle is a comment, the program, and its call with the settings and the hash', () => {
  const { script, hash, config } = make();
  expect(hash).toMatch(/^[A-Za-z0-9_-]{24}$/);
  const [first, second] = script.split('\n') as [string, string];
  expect(first).toBe(`/*! Avow ${hash} */`);
  expect(second.startsWith(`(${PROGRAM.runtime})({`)).toBe(true);
  expect(second.endsWith(`,"${hash}");`)).toBe(true);
  const json = second.slice(PROGRAM.runtime.length + 3, -`,"${hash}");`.length);
  expect(JSON.parse(json)).toEqual(config);
});

test('a site with a cookie gets the program that knows cookies, and its hash; others have no byte of it', () => {
  const { banner } = defaultSettings();
  const plain = make();
  const made = (cookie: object, more: Partial<Settings> = {}) =>
    make({}, { banner: { ...banner, cookie }, ...more });
  const { script, config, hash } = made({ domain: 'Bücher.example', name: 'choice', days: 30 });
  expect(config.cookie).toEqual({
    name: 'choice',
    domain: 'xn--bcher-kva.example',
    max_age_seconds: 30 * 86_400,
  });
  expect(script.includes(`(${PROGRAM.sharing})(`)).toBe(true);
  expect(hash).not.toBe(plain.hash);
  expect('cookie' in plain.config).toBe(false);
  // As long as a decision, and as long as browsers keep any.
  const ages = [180, 3650].map(
    (consent_lifetime_days) => made({}, { consent_lifetime_days }).config.cookie?.max_age_seconds,
  );
  expect(ages).toEqual([180 * 86_400, 400 * 86_400]);
  expect(made({}).config.cookie).toMatchObject({ name: 'avow_consent', domain: null });
});

test('integrity and sizes are those of the bytes', () => {
  const { script, integrity, bytes, gzipBytes } = make();
  expect(integrity).toBe(`sha384-${createHash('sha384').update(script, 'utf8').digest('base64')}`);
  expect(bytes).toBe(Buffer.from(script).length);
  const zipped = gzipSync(script, { level: 9 });
  expect([gzipBytes, gunzipSync(zipped).toString()]).toEqual([zipped.length, script]);
});

test('the order in which keys were written does not matter', () => {
  const backwards = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(backwards);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, one]) => [key, backwards(one)]),
    );
  };
  const given = sources({ vendors: [VENDOR] });
  const turned = backwards(given) as BundleSources;
  expect(makeBundle(turned, PROGRAM)).toMatchObject({ script: makeBundle(given, PROGRAM).script });
});

const CHANGES: [string, Partial<BundleSources>, Partial<Settings>][] = [
  ['the site', { token: 'env_9999999999999999999999' }, {}],
  ['the server', { server: 'https://other.example.com' }, {}],
  ['the settings version', { settingsVersion: 4 }, {}],
  ['the vendors', { vendors: [VENDOR] }, {}],
  ['a vendor', { vendors: [{ ...VENDOR, name: 'Other' }] }, {}],
  ['the layout', { options: { layout: 'bar' } }, {}],
  ['the position', { options: { position: 'top' } }, {}],
  ['the theme', { options: { theme: 'dark' } }, {}],
  ['the control', { options: { control: 'custom' } }, {}],
  ['the policy version', {}, { policy_version: '2' }],
  ['the lifetime', {}, { consent_lifetime_days: 90 }],
  ['the privacy policy', {}, { privacy_policy_url: 'https://shop.example.com/privacy' }],
  ['the imprint', {}, { imprint_url: 'https://shop.example.com/imprint' }],
  ['the categories', {}, { categories: defaultSettings().categories.slice(0, 3) }],
  ['the languages', {}, { languages: ['en', 'de'] }],
  ['a text', {}, { banner: { ...defaultSettings().banner, texts: { en: { title: 'Hello' } } } }],
  [
    'a colour',
    {},
    { banner: { ...defaultSettings().banner, dark_colours: defaultSettings().banner.colours } },
  ],
  ['the buttons', {}, { banner: { ...defaultSettings().banner, first_layer_buttons: ['settings'] } }],
  ['the consent mode', {}, { banner: { ...defaultSettings().banner, google_consent_mode: false } }],
  [
    'a cookie that a scan found',
    {
      scanned: [
        {
          ...{ name: '_x', domain: 'shop.example.com', category: 'analytics', max_age_seconds: 0 },
          storage: 'cookie',
          ...{
            secure: false,
            http_only: false,
            same_site: null,
            set_before_consent: true,
            first_party: true,
          },
        },
      ],
    },
    {},
  ],
];

test.each(CHANGES)('%s changes the hash', (_, changed, settings) => {
  const [before, after] = [make(), make(changed, settings)];
  expect(after.hash).not.toBe(before.hash);
  expect(after.script).not.toBe(before.script);
});

test('each change leads to a hash of its own, and so does another program', () => {
  const hashes = CHANGES.map(([, changed, settings]) => make(changed, settings).hash);
  const other = makeBundle(sources(), { ...PROGRAM, runtime: 'function(config,hash){}' });
  expect(new Set([...hashes, make().hash, other.hash]).size).toBe(CHANGES.length + 2);
});

test('texts that the script does not hold count for its hash all the same', () => {
  const banner = (title: string) => ({ ...defaultSettings().banner, texts: { de: { title } } });
  const [one, two] = ['A', 'B'].map((title) => make({}, { languages: ['en', 'de'], banner: banner(title) }));
  expect(Object.keys(one?.config.texts ?? {})).toEqual(['en']);
  expect(one?.config).toEqual(two?.config);
  expect(one?.hash).not.toBe(two?.hash);
});

const SERVER = 'https://consent.example.com';
const TOKEN = 'env_0123456789012345678901';
const snippets = (google_consent_mode: boolean, server = SERVER) => {
  const { hash, integrity } = make();
  return addressesOf(server, TOKEN, { hash, integrity }, stubsFor(PROGRAM, { google_consent_mode }));
};

test.each([true, false])(
  'the snippet has the stub, whose hash is told, before the script; consent mode: %s',
  (mode) => {
    const { hash, integrity } = make();
    const base = `${SERVER}/api/bundles/${TOKEN}`;
    const inline = `(${PROGRAM.stub})(${mode})`;
    const pinned = `src="${base}/${hash}.js" integrity="${integrity}" crossorigin="anonymous"`;
    expect(snippets(mode)).toEqual({
      url: `${base}.js`,
      immutable_url: `${base}/${hash}.js`,
      snippet: `<script>${inline}</script><script async src="${base}.js"></script>`,
      snippet_pinned: `<script>${inline}</script><script async ${pinned}></script>`,
      snippet_blocking: `<script src="${base}.js"></script>`,
      snippet_csp_hash: `sha256-${createHash('sha256').update(inline).digest('base64')}`,
    });
  },
);

test('with auto-blocking the stub that holds follows with the rules, which cannot end the script', () => {
  const rules = [{ category: 'marketing', hosts: ['a.example/</script><!--'] }];
  const inline = stubsFor(PROGRAM, { google_consent_mode: true, auto_blocking: { rules } });
  expect(inline).toBe(
    `(${PROGRAM.stub})(true);(${PROGRAM.holdStub})([{"category":"marketing","hosts":["a.example/\\u003c/script\\u003e\\u003c!--"]}])`,
  );
  // What is built has signs that HTML knows, but none of these.
  expect(loadProgram().holdStub).not.toMatch(/<!--|<\/?script|-->|\n/i);
});

test('the stub that is built can stand in HTML, and compressed takes at most 1.5 KB', () => {
  const { stub } = loadProgram();
  expect(stub).not.toMatch(/[<\n]|-->/);
  expect(gzipSync(`(${stub})(false)`, { level: 9 }).length).toBeLessThanOrEqual(1536);
});

test('an address with an ampersand or quotes stays inside of its attribute', () => {
  const { snippet_blocking, snippet } = snippets(true, 'https://x.example/a"b&c');
  const source = `src="https://x.example/a&quot;b&amp;c/api/bundles/${TOKEN}.js"></script>`;
  expect(snippet_blocking).toBe(`<script ${source}`);
  expect(snippet).toContain(`<script async ${source}`);
});
