import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as sdk from '../../sdk/src/index';
import { readConfig } from '../../server/src/config';
import { loadContract } from '../../server/src/contract/operations';
import { createMetrics } from '../../server/src/observability/metrics';
import { guides, samplesIn } from './guide-files';

/** Variables of the samples, and of others than Avow. */
const OTHER_VARIABLES = [
  'NODE_ENV',
  'URL',
  'SITE',
  'TOKEN',
  'VKEY',
  'POST',
  'GET',
  'SIGTERM',
  'PM2_KILL_SIGNAL',
  'NODE_EXTRA_CA_CERTS',
  // Of a provider that the guide has named.
  ...['OIDC_ACME_ISSUER', 'OIDC_MY_IDP_ISSUER'],
];
/** Camel-case names that are no operation: options of the SDK, and what browsers call so. */
const OTHER_NAMES = [
  'isConsented',
  // Of the CMP API.
  ...['gdprApplies', 'addEventListener', 'removeEventListener', 'getTCData', 'postMessage', 'publisherCC'],
  'apiKey',
  'genTime',
  ...['policyVersion', 'lifetimeDays'],
  // Of web views on Android.
  'domStorageEnabled',
  ...['baseUrl', 'idempotencyKey', 'requestId', 'retryAfter', 'timedOut'],
  // Of the bindings of frameworks, and of Nuxt.
  ...['useConsent', 'openSettings', 'useHead', 'innerHTML'],
  ...['dataLayer', 'arrayBuffer', 'sendBeacon', 'localStorage', 'sessionStorage'],
];

const text = guides.map((guide) => guide.text).join('\n');
const names = guides.flatMap((guide) => guide.names);
const { operations } = loadContract();

describe.each(guides)('$file', ({ file, front, text, links }) => {
  test('says what it is, and stands where its number says', () => {
    expect(front).toEqual({
      title: expect.stringMatching(/^\S.{2,59}$/),
      description: expect.stringMatching(/^\S.{20,160}\.$/),
      order: Number.parseInt(file, 10),
      ...('also' in front && { also: expect.stringMatching(/^[\w ,]{3,100}$/) }),
    });
    expect(file).toMatch(/^\d{2}-[a-z-]+\.md$/);
    expect(text).not.toMatch(/^# /m);
  });

  test('every link within the guides leads somewhere', () => {
    for (const link of links.filter((target) => !/^(https:|\/)/.test(target))) {
      const [name = '', anchor] = link.split('#');
      const target = guides.find((guide) => guide.file === (name || file));
      expect([link, target?.file]).toEqual([link, name || file]);
      if (anchor !== undefined)
        expect([link, target?.anchors]).toEqual([link, expect.arrayContaining([anchor])]);
    }
  });
});

test('no two guides stand at the same place', () => {
  const orders = guides.map(({ front }) => front.order);
  expect(new Set(orders).size).toBe(guides.length);
});

test('every variable that is named exists, and every variable is documented', () => {
  const known = variables();
  const twins = known.map((name) => `${name}_FILE`);
  const named = names
    .map((name) => /^([A-Z][A-Z0-9_]{2,})(=|$)/.exec(name)?.[1])
    .filter((name) => name !== undefined);
  const assigned = samplesIn('sh')
    .filter(({ code }) => code.includes('npm '))
    .flatMap(({ code }) => Array.from(code.matchAll(/(?:^|\s)([A-Z][A-Z0-9_]+)=/g), ([, name = '']) => name));
  expect(
    [...named, ...assigned].filter((name) => ![...known, ...twins, ...OTHER_VARIABLES].includes(name)),
  ).toEqual([]);
  const documented = guides.find(({ file }) => file.endsWith('configuration.md'))?.names ?? [];
  expect(known.filter((name) => !documented.includes(name))).toEqual([]);
});

test('every operation that is named exists', () => {
  const exist = [...operations.map(({ id }) => id as string), ...Object.keys(sdk), ...OTHER_NAMES];
  const named = names.filter((name) => /^[a-z]+([A-Z][a-z]*)+$/.test(name));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !exist.includes(name))).toEqual([]);
});

test('every path of the API that is named exists', () => {
  const shapes = operations.map(({ path }) => path.replaceAll(/\{\w+\}/g, '*'));
  const named = Array.from(
    text.matchAll(/(?:\$URL|\$\{SERVER\}|…)(\/api\/[^\s"'`?)]*)/g),
    ([, path = '']) => path,
  );
  expect(named.length).toBeGreaterThan(5);
  const segment = /^(\$.*|\{.*\}|env_.*|[0-9a-f-]{36})$/;
  const shape = (path: string) =>
    path
      .split('/')
      .map((part) => (segment.test(part.replace(/\.js$/, '')) ? (part.endsWith('.js') ? '*.js' : '*') : part))
      .join('/');
  expect(named.map(shape).filter((path) => !shapes.includes(path))).toEqual([]);
});

const PLUGIN = join(__dirname, '../../sdk/integrations/wordpress/avow-consent/includes');
const plugin = readdirSync(PLUGIN)
  .map((name) => readFileSync(join(PLUGIN, name), 'utf8'))
  .join('\n');

test('every metric that is named exists, and every metric is documented', async () => {
  const exist = await metrics();
  const named = Array.from(
    text.matchAll(/\bavow_(?!migrations|restored|consent\b)[a-z_]+/g),
    ([name]) => name,
  );
  const base = named.map((name) => name.replace(/_(bucket|sum|count)$/, ''));
  // The plugin for WordPress has filters and shortcodes of its own.
  expect(base.filter((name) => !exist.includes(name) && !plugin.includes(`'${name}'`))).toEqual([]);
  expect(exist.filter((name) => !names.includes(name))).toEqual([]);
});

test('every command that is named exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8'));
  const named = Array.from(text.matchAll(/\bnpm run ([a-z:-]+)/g), ([, name = '']) => name);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

/** Every variable that the configuration reads. */
function variables(): string[] {
  const read = new Set<string>();
  const get = (_: object, name: string): undefined => void read.add(name);
  readConfig(new Proxy({}, { get }));
  return [...read].filter((name) => !name.endsWith('_FILE'));
}

async function metrics(): Promise<string[]> {
  const all = createMetrics(() => 0);
  all.backlog({ oldestPendingAt: undefined, held: 0, disabled: 0 });
  all.vouching.unvouched({ failing: 0, rolledBack: 0 });
  all.auditing.damaged(0);
  all.mail.backlog({ oldestAt: undefined, failed: 0 });
  const { registry } = all;
  return (await registry.getMetricsAsJSON())
    .map(({ name }) => name)
    .filter((name) => name.startsWith('avow_'));
}
