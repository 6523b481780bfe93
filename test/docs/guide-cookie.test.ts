import { execFileSync, spawnSync } from 'node:child_process';
import { type CookieOptions, readConsentCookie } from '../../sdk/src/cookie';
import { samplesIn } from './guide-files';

// The reader of the cookie in another language is held to the SDK's.
const python = spawnSync('python3', ['--version']).status === 0;
if (!python) console.warn('SKIPPED: no python3 found; the reader of the cookie in Python is not run');

const code = samplesIn('python').find((sample) => sample.code.includes('avow_consent='))?.code ?? '';

type Options = Partial<Record<'policyVersion' | 'lifetimeDays' | 'categories', unknown>>;

const SITE = 'env_0123456789abcdefghijAB';
const SESSION = '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11';
const NOW = Date.now();
const DAY = 86_400_000;
const [EARLIER, LATER] = [`${NOW - 9 * DAY}`, `${NOW - 8 * DAY}`];

const cookie = (changed: Record<string, string> = {}): string =>
  `avow_consent=${new URLSearchParams({
    ...{ v: '1', site: SITE, session_id: SESSION, decision: 'save_preferences', method: 'settings' },
    ...{ policy_version: '2026-10', at: EARLIER, allowed: 'functional analytics', refused: 'marketing' },
    ...changed,
  })}`;

const unversioned = cookie().replace('&policy_version=2026-10', '');
const undecided = cookie().replace('&decision=save_preferences', '');
const ALL = ['functional', 'analytics'];

/** Of two cookies either may stand first. */
const both = (one: Record<string, string>, other: Record<string, string>): string[] => [
  `${cookie(one)}; ${cookie(other)}`,
  `${cookie(other)}; ${cookie(one)}`,
];

/** Asks the sample about each header, and the SDK. */
function readAll(headers: readonly string[], more: Options = {}) {
  const options = { policyVersion: '2026-10', lifetimeDays: 180, categories: ['marketing'], ...more };
  const given = [SITE, options.policyVersion ?? null, options.lifetimeDays ?? null, options.categories];
  const asked = JSON.stringify(JSON.stringify({ headers, given }));
  const call = `import json\nasked = json.loads(${asked})\nfor one in asked["headers"]:\n    print(json.dumps(allowed_categories(one, *asked["given"])))\n`;
  const said: string[][] = execFileSync('python3', ['-c', `${code}\n${call}`], {
    encoding: 'utf8',
    timeout: 20_000,
  })
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const bySdk = headers.map((header) => {
    const read = readConsentCookie(header, { site: SITE, ...options } as CookieOptions);
    return Object.keys(read?.categories ?? {}).filter((key) => read?.categories[key]);
  });
  return { said, bySdk };
}

(python ? describe : describe.skip)('the reader of the cookie in Python', () => {
  test.each<[what: string, headers: string[], allowed: string[], options?: Options]>([
    ['a decision', [`a=1; ${cookie()}; b=2`, cookie()], ALL],
    ['none', ['', 'avow_consent=', 'avow_consent=%E0%A4%A', cookie({ v: '2' })], []],
    ['one of another site', [cookie({ site: 'env_9999999999999999999999' })], []],
    ['no time', ['', 'now', '0', '-1'].map((at) => cookie({ at })), []],
    ['what stands in both lists', [cookie({ allowed: 'marketing' })], []],
    ['one of long ago', [cookie({ at: `${NOW - 181 * DAY}` })], []],
    ['one by a clock that is days ahead', [cookie({ at: `${NOW + 2 * DAY}` })], []],
    ['one by a clock that is a little ahead', [cookie({ at: `${NOW + DAY / 2}` })], ALL],
    ['a word for a decision that is none', [cookie({ decision: 'accept' }), undecided], []],
    ['another policy', [cookie({ policy_version: '2026-09' }), unversioned], []],
    ['no policy given', [cookie(), unversioned], [], { policyVersion: undefined }],
    ['no policy in both', [unversioned, cookie({ policy_version: '' })], [], { policyVersion: '' }],
    ...[undefined, 0].map((lifetimeDays): [string, string[], string[], Options] => [
      `${lifetimeDays} days given`,
      [cookie(), cookie({ at: `${NOW + DAY / 2}` })],
      [],
      { lifetimeDays },
    ]),
    ['every category named', [cookie()], ALL, { categories: ['marketing', ...ALL] }],
    ['no category asked for', [cookie({ refused: '' })], ALL, { categories: [] }],
    ['a category that was added', [cookie()], [], { categories: ['marketing', 'maps'] }],
    ['an empty place', [cookie({ order: '' }), cookie({ order: '0' })], ALL],
    ['a refusal after it', both({}, { at: LATER, decision: 'reject_all', allowed: '' }), []],
    ['a consent after a refusal', both({ at: LATER }, { decision: 'reject_all', allowed: '' }), ALL],
    [
      'a refusal of an earlier place and a later time',
      both({ order: `${NOW}` }, { at: LATER, decision: 'reject_all', allowed: '' }),
      [],
    ],
    [
      'less of an earlier place and a later time',
      both({ order: `${NOW}` }, { at: LATER, allowed: 'functional', refused: 'marketing analytics' }),
      ['functional'],
    ],
    [
      'something else of an earlier place and a later time',
      both({ order: `${NOW}` }, { at: LATER, allowed: 'maps' }),
      ALL,
    ],
    [
      'less, by a clock that was days ahead',
      both({ order: `${NOW + 9 * DAY}` }, { at: `${NOW + 8 * DAY}`, decision: 'reject_all', allowed: '' }),
      ALL,
    ],
    [
      'less, but with another string of the framework',
      both({ order: `${NOW}` }, { at: LATER, allowed: 'functional', tc: 'A~1' }),
      ALL,
    ],
    [
      'fewer vendors of an earlier place and a later time',
      both(
        { order: `${NOW}`, allowed_vendors: '755', refused_vendors: '' },
        { at: LATER, allowed_vendors: '', refused_vendors: '755', allowed: 'analytics' },
      ),
      ['analytics'],
    ],
  ])('says what the SDK says of %s', (_what, headers, allowed, ...[options]) => {
    const { said, bySdk } = readAll(headers, options);
    expect(said).toEqual(bySdk);
    expect(said).toEqual(headers.map(() => allowed));
  });

  test('a place that is no number ends the cookie, which is on the safe side of the SDK', () => {
    const { said, bySdk } = readAll([cookie({ order: 'x' })]);
    expect([said, bySdk]).toEqual([[[]], [ALL]]);
  });
});
