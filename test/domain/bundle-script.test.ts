import { createContext, Script } from 'node:vm';
import fc from 'fast-check';
import { defaultSettings } from '../../server/src/domain/settings';
import type { BannerTexts, BundleConfig, Settings, Vendor } from '../../server/src/domain/types';
import { makeBundle, PROGRAM } from '../helpers/banner/program';

const NASTY = [
  '</script>',
  '</SCRIPT ><img src=x onerror=alert(1)>',
  '<!-- <script>',
  '-->',
  ']]>',
  '\u2028alert(1)\u2029',
  '"; alert(1); "',
  "'; alert(1); '",
  '\\',
  '\\"',
  `\`\${globalThis.broken = true}\``,
  '*/ alert(1) /*',
  '// x',
  '\r\n',
  '\ufeff',
  '\u202e',
  '😀',
  '$&$`$1',
  '__proto__',
  '{category}',
];

/** What the script hands to its program, and the script. */
function run(settings: Partial<Settings>, vendors: Vendor[] = []) {
  const made = makeBundle(
    {
      token: 'env_0123456789012345678901',
      server: 'https://consent.example.com',
      settings: { ...defaultSettings(), ...settings },
      settingsVersion: 1,
      options: { texts: 'all' },
      vendors,
      scanned: [],
      domains: [],
    },
    PROGRAM,
  );
  const page: { seen?: { config: BundleConfig; hash: string }; broken?: boolean } = createContext({});
  new Script(made.script).runInContext(page);
  return { ...made, page };
}

/**
 * As it is written into a page, a script ends at the first of these, wherever they stand (HTML, script data
 * state).
 */
const BREAKS_OUT = /<\/script|<!--|<script|\u2028|\u2029/i;

const withText = (text: string, description: string): Partial<Settings> => {
  const texts: BannerTexts = {
    title: text,
    blocked: text,
    categories: { analytics: { name: text, description } },
  };
  return {
    languages: ['en', 'de'],
    banner: { ...defaultSettings().banner, texts: { en: texts, de: texts } },
    categories: [...defaultSettings().categories, { key: 'own', name: text, description, required: false }],
    privacy_policy_url: `https://example.com/'${encodeURIComponent(text)}`,
  };
};

test.each(NASTY)('a text %j arrives as it was written and breaks nothing', (text) => {
  const { script, config, hash, page } = run(withText(text, text));
  expect(script).not.toMatch(BREAKS_OUT);
  expect(page.broken).toBeUndefined();
  expect(JSON.parse(JSON.stringify(page.seen))).toEqual({ config, hash });
  expect(page.seen?.config.texts.en?.title).toBe(text);
});

test('whatever a text holds, the program is called once with exactly the settings', () => {
  const part = fc.oneof(
    fc.constantFrom(...NASTY),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
  const text = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('').toWellFormed());
  fc.assert(
    fc.property(text, text, (one, two) => {
      const { script, config, hash, page } = run(withText(one, two));
      expect(script).not.toMatch(BREAKS_OUT);
      expect(JSON.parse(JSON.stringify(page.seen))).toEqual({ config, hash });
      expect(page.seen?.config.texts.de?.categories.own).toEqual({ name: one, description: two });
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});

test('names of cookies come from other people’s servers and break nothing either', () => {
  const cookies = NASTY.filter((name) => name !== '').map((name) => ({
    ...{ name, category: 'analytics', max_age_seconds: 0 },
  }));
  const vendor = { id: 1, name: 'V', purposes: [], leg_int_purposes: [], categories: [], urls: [], cookies };
  const { script, page } = run({}, [vendor]);
  expect(script).not.toMatch(BREAKS_OUT);
  const listed = page.seen?.config.categories.find(({ key }) => key === 'analytics')?.cookies;
  expect(new Set(listed)).toEqual(new Set(cookies.map(({ name }) => name)));
});
