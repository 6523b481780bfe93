import { cookieClassifier } from '../../server/src/domain/cookies/classification';
import { listing } from '../../server/src/domain/cookies/listed-cookies';
import { loadsScript, readSource } from '../../server/src/scan/page-source';
import { VisitCookies } from '../../server/src/scan/set-cookie';
import { atOnce } from '../helpers/at-once';
import { countParses, watchParses } from '../helpers/parses';
import { costOf, growthOf, MAX_GROWTH } from './growth';

const BASE = 'https://shop.example.com/';
const numbers = (count: number) => Array.from({ length: Math.ceil(count) }, (_, index) => index);

/** A page of hosts in another script, whose conversion to ASCII takes time by the square of their length. */
function longHosts(size: number, length: number): string {
  const host = (first: number) =>
    String.fromCharCode(...numbers(length).map((n) => 0x4e00 + (((first * length + n) * 7_919) % 20_000)));
  return numbers(size / (length + 12))
    .map((n) => `<img src=//${host(n)}>`)
    .join('');
}

const PAGES: [string, (size: number) => string][] = [
  ['comments that never end', (size) => '<!--'.repeat(size / 4)],
  ['scripts that never end', (size) => '<script'.repeat(size / 7)],
  ['scripts in scripts', (size) => '<script>'.repeat(size / 8)],
  ['attributes without a name', (size) => '<a ='.repeat(size / 4)],
  [
    'many attributes',
    (size) =>
      `<a ${numbers(size / 8)
        .map((n) => `b${n}=c`)
        .join(' ')}>`,
  ],
  ['entities', (size) => `<a b="${'&amp'.repeat(size / 4)}">`],
  ['deep elements', (size) => '<div>'.repeat(size / 5)],
  ['a long rel', (size) => `<link rel="${'stylesheet '.repeat(size / 11)}" href=a>`],
  [
    'many hosts',
    (size) =>
      numbers(size / 20)
        .map((n) => `<img src=//h${n}.test>`)
        .join(''),
  ],
  ['long hosts', (size) => longHosts(size, 2_000)],
  ['hosts as long as may be', (size) => longHosts(size, 260)],
  [
    'hosts that are none',
    (size) =>
      numbers(size / 16)
        .map((n) => `<img src=//[${n}>`)
        .join(''),
  ],
  [
    'hosts in code',
    (size) =>
      `<script>${numbers(size / 16)
        .map((n) => `'//h${n}.test/'`)
        .join('')}`,
  ],
  ['a host that never ends', (size) => `<script>//${'a.'.repeat(size / 2)}`],
  ['nearly a banner', (size) => 'usercentrics-'.repeat(size / 13)],
];

test.each(PAGES)(
  'a page of %s costs no more than its length',
  async (_, make) => {
    expect(await growthOf((size) => readSource(make(size), BASE), 100_000)).toBeLessThan(MAX_GROWTH);
  },
  120_000,
);

/** What a page may cost at the most, measured by a plain one of its length. */
const HEAVIEST = 30;

test.each(PAGES)(
  'a page of %s costs no more than some plain ones',
  async (_, make) => {
    const size = 400_000;
    const plain = await costOf(() => readSource('<p>Plain text of a page.</p>\n'.repeat(size / 27), BASE));
    const hostile = await costOf(() => readSource(make(size), BASE));
    expect(hostile / Math.max(plain, 5)).toBeLessThan(HEAVIEST);
  },
  120_000,
);

const READERS: [string, (page: string, base: string) => Promise<unknown>][] = [
  ['hosts', readSource],
  ['scripts', (page, base) => loadsScript(page, base, () => false)],
];

test.each(READERS)(
  'the address of a page is not read again for each of its resources: %s',
  async (_, read) => {
    const page = '<script src=a></script>'.repeat(20_000);
    const usual = await costOf(() => read(page, BASE));
    const long = await costOf(() => read(page, `${BASE}${'a/'.repeat(50_000)}`));
    expect(long / Math.max(usual, 5)).toBeLessThan(3);
  },
  120_000,
);

test('a host is parsed once for a page, and no more than ten thousand of them are', async () => {
  const of = async (page: string): Promise<number> => {
    const { parses, end } = watchParses();
    await readSource(page, BASE).finally(end);
    return parses();
  };
  expect(await of('<img src=//one.test/a><img src=/b>'.repeat(1_000))).toBeLessThan(5);
  const many = await of(
    numbers(12_000)
      .map((n) => `<img src=//[${n}>`)
      .join(''),
  );
  expect(many).toBeGreaterThan(9_000);
  expect(many).toBeLessThan(10_010);
});

test('a script is found behind thousands of others, and the page is read no further', async () => {
  const tried: string[] = [];
  const isIt = ({ href, pathname }: URL): boolean => {
    tried.push(href);
    return pathname === '/it.js';
  };
  const page = `${'<script src=?></script>'.repeat(9_000)}<script src="b/../it.js?x"></script>${'<script src=/after.js></script>'.repeat(9)}`;
  expect(await loadsScript(page, `${BASE}long/path`, isIt)).toBe(true);
  expect(tried).toHaveLength(9_001);
  expect(tried.at(-1)).toBe(`${BASE}it.js?x`);
  expect(
    await loadsScript('<script type="text/plain" src="/it.js"></script><img src="/it.js">', BASE, isIt),
  ).toBe(false);
});

test('others have their turn while a page is read', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  await readSource('<img src=a>'.repeat(150_000), BASE);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(20);
});

test('comments and blocked scripts load nothing; what the page names, it contacts', async () => {
  const page = `<!-- <script src="https://no.test/x.js"></script> -->
    <SCRIPT SRC="https://a.test/x.js?a=1&amp;b=2"></SCRIPT><script type="text/plain" src=https://no.test/></script>
    <link rel=stylesheet href=//css.test/a><link rel=canonical href=//no.test><img src='data:image/gif,x'>
    <script>var s = "https://www.google-analytics.com/a.js", t = 'https://no.test/';</script><p title="<script src=//no.test>">`;
  expect(await readSource(page, BASE)).toEqual({
    hosts: ['a.test', 'css.test', 'www.google-analytics.com'],
    banner: false,
  });
  expect((await readSource('<div id="CybotCookiebotDialog">', BASE)).banner).toBe(true);
  expect((await readSource('<!-- CybotCookiebotDialog -->', BASE)).banner).toBe(false);
});

test('at most 200 hosts are kept', async () => {
  const page = numbers(1_000)
    .map((n) => `<img src=//h${n}.test>`)
    .join('');
  expect((await readSource(page, BASE)).hosts).toHaveLength(200);
});

const HEADERS: [string, (size: number) => string[]][] = [
  ['semicolons', (size) => [`a=b${';'.repeat(size)}`]],
  ['blanks', (size) => [`a=b${' '.repeat(size)}x`]],
  ['dates', (size) => [`a=b; Expires=${'Jan '.repeat(size / 4)}`]],
  ['many cookies', (size) => numbers(size / 8).map((n) => `c${n}=1; Path=/${n}`)],
];

test.each(HEADERS)('Set-Cookie headers of %s cost no more than their length', async (_, make) => {
  const work = (size: number) => {
    const cookies = new VisitCookies();
    cookies.keep(make(size), new URL(BASE));
    return cookies.seen();
  };
  expect(await growthOf(work, 2_000)).toBeLessThan(MAX_GROWTH);
});

test('the address of a page is not parsed again for each of its cookies', async () => {
  const cookies = new VisitCookies();
  const url = new URL(`${BASE}a/b`);
  const headers = numbers(500).map((n) => `c${n}=1`);
  expect(countParses(() => cookies.keep(headers, url))).toBe(0);
  expect(await cookies.seen()).toHaveLength(500);
  expect(cookies.headerFor(new URL(`${BASE}a/c`)).split('; ')).toHaveLength(500);
  expect(cookies.headerFor(new URL(BASE))).toBe('');
});

test('cookies are kept as browsers keep them', async () => {
  const cookies = new VisitCookies();
  const kept = [
    '_ga=1; Domain=.example.com; Max-Age=7776000; SameSite=lax',
    'sid=2; HttpOnly; Secure; Expires=Wed, 21 Oct 2099 07:28:00 GMT',
    'gone=3',
  ];
  const refused = [
    'a=1; Domain=com',
    'b=1; Domain=other.test',
    'c=1; Domain=co.uk',
    'gone=; Max-Age=0',
    'no name',
  ];
  cookies.keep([...kept, ...refused], new URL(BASE));
  const seen = await cookies.seen();
  expect(seen.map(({ name, domain }) => [name, domain])).toEqual([
    ['_ga', 'example.com'],
    ['sid', 'shop.example.com'],
  ]);
  expect(seen[0]).toMatchObject({
    sameSite: 'Lax',
    secure: false,
    httpOnly: false,
    maxAgeSeconds: 7_776_000,
  });
  expect(seen[1]).toMatchObject({
    sameSite: null,
    secure: true,
    httpOnly: true,
    maxAgeSeconds: 400 * 86_400,
  });
  expect(cookies.headerFor(new URL('https://example.com/'))).toBe('_ga=1');
  const plain = new VisitCookies();
  plain.keep(['s=1; Secure'], new URL('http://shop.example.com/'));
  expect(await plain.seen()).toEqual([]);
});

test("a site's long list and a page's many cookies cost their sum, not their product", async () => {
  const listOf = (size: number) => [
    {
      name: 'Own',
      cookies: numbers(size).map((n) => ({
        name: `a${n}*`,
        domain: `h${n}.test`,
        category: 'x',
        max_age_seconds: 0,
      })),
    },
  ];
  const work = (size: number) => {
    const classify = cookieClassifier(atOnce(listing(listOf(size) as never)));
    for (const n of numbers(size / 10)) classify(`b${n}`, 'shop.example.com');
  };
  expect(await growthOf(work, 3_000)).toBeLessThan(MAX_GROWTH);
});
