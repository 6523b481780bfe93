/** @jest-environment node */
import fc from 'fast-check';
import { originBelongs } from '../../server/src/domain/addresses';
import { upToHost, webUrl } from '../../server/src/domain/web-address';
import { countParses } from '../helpers/parses';

const BASE = 'https://shop.example/a/b?c';
const LONG = '\u4e16'.repeat(261);

test.each([
  ['https://a.test/b', 'https://a.test/b'],
  ['//a.test', 'https://a.test/'],
  ['\\\\a.test\\b', 'https://a.test/b'],
  ['///\\a.test', 'https://a.test/'],
  [' \n/\t/a.\rtest/b ', 'https://a.test/b'],
  ['HTTP:a.test', 'http://a.test/'],
  ['https:b', 'https://shop.example/a/b'],
  ['b', 'https://shop.example/a/b'],
  ['?', 'https://shop.example/a/b?'],
  ['//user:p@ss@a.test:81', 'https://user:p%40ss@a.test:81/'],
  [`//${'u'.repeat(900)}@a.test/`, `https://${'u'.repeat(900)}@a.test/`],
  [`/${'p'.repeat(900)}`, `https://shop.example/${'p'.repeat(900)}`],
  ['//\u4e16.test', 'https://xn--rhq.test/'],
  ['//[::1]/', 'https://[::1]/'],
  [`//${'a.'.repeat(126)}b`, `https://${'a.'.repeat(126)}b/`],
])('an address of the web is read as browsers read it: %j', (address, href) => {
  expect(webUrl(address, BASE)?.href).toBe(href);
});

test.each([
  'data:text/html,x',
  'file://a.test/',
  'ftp://a.test/',
  'java\nscript:1',
  '//',
  '//[',
  'https://',
  `//${'a.'.repeat(127)}b`,
])('what leads to no page of the web is none: %j', (address) => {
  expect(webUrl(address, BASE)).toBeUndefined();
});

test('no host that is longer than any of the web is parsed, however it is written', () => {
  const pieces = [
    '/',
    '\\',
    ' ',
    '\t',
    '\n',
    ':',
    '@',
    '?',
    '#',
    'http:',
    'HTTPS:',
    'ftp:',
    'file:',
    'a',
    '\0',
    LONG,
  ];
  const addresses = fc.array(fc.constantFrom(...pieces), { maxLength: 9 }).map((all) => all.join(''));
  fc.assert(
    fc.property(addresses, (address) => {
      // As ASCII it is longer still, and a name that cannot be converted is no host at all.
      const url = URL.canParse(address, BASE) ? new URL(address, BASE) : undefined;
      const isLong = url !== undefined && url.hostname.length > 260;
      if (isLong) expect([address, upToHost(address)]).toEqual([address, undefined]);
      // What counts as no more than its host names the same one.
      const own = upToHost(address);
      if (own !== undefined && own !== '' && url !== undefined)
        expect([address, new URL(own, BASE).hostname]).toEqual([address, url.hostname]);
    }),
    { numRuns: 20_000 },
  );
});

test.each([`http://${LONG}`, ` \t//${LONG}/`, `\\/\\u@${LONG}:80`, `file://${LONG}`, `https:${LONG}`])(
  'a long host is not given to the parser: %j',
  (address) => {
    const parses = countParses(() => void webUrl(address, BASE));
    expect(parses).toBe(0);
  },
);

test('an address is parsed once', () => {
  expect(countParses(() => void webUrl('//a.test/', BASE))).toBe(1);
});

test('an origin of the length of a header is not parsed', () => {
  const domains = new Set(['shop.example']);
  const origin = `https://${'\u00e9'.repeat(15_000)}`;
  let belongs: boolean | undefined;
  const parses = countParses(() => {
    belongs = originBelongs(origin, domains);
  });
  expect([belongs, parses]).toEqual([false, 0]);
  for (const own of ['https://shop.example', 'http://www.shop.example:8080'])
    expect(originBelongs(own, domains)).toBe(true);
  for (const other of [
    'null',
    '',
    'ftp://shop.example',
    'chrome-extension://shop.example',
    'https://shop.example.test',
  ])
    expect(originBelongs(other, domains)).toBe(false);
});
