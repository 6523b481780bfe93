import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { assembleBundle } from '../../server/src/domain/banner/assemble';
import { inScript } from '../../server/src/domain/banner/canonical';
import { bytesInScript } from '../../server/src/domain/banner/text-size';
import { defaultSettings } from '../../server/src/domain/settings';
import { PROGRAM } from '../helpers/banner/program';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';

const server = useServer({ program: PROGRAM });

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** English, and others of which none has texts of its own. */
const languagesOf = (count: number): string[] => [
  'en',
  ...Array.from({ length: count - 1 }, (_, n) => `q${LETTERS[n % 26]}${LETTERS[Math.floor(n / 26)]}`),
];
const categoriesOf = (count: number, text: string, length: number) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ key: `category_${n}`, required: n === 0 },
    ...{ name: text.repeat(40), description: text.repeat(length) },
  }));
const settingsOf = (languages: number, count: number, text: string, length: number) => ({
  languages: languagesOf(languages),
  categories: categoriesOf(count, text, length),
});

test.each([
  ['plain', 'a'],
  ['escaped in scripts', '<'],
  ['escaped in JSON', '\u0001'],
])(
  'texts that are %s are refused before a bundle is made, however few bytes brought them',
  async (_, text) => {
    const { client, token } = await server.site();
    const settings = settingsOf(60, 30, text, 1_000);
    for (const texts of ['all', 'default'] as const) {
      const error = await refusal(client.previewBundle({ token, body: { settings, texts } }));
      expect([error.status, pathsOf(error), error.errors[0]?.code]).toEqual([
        400,
        ['body.settings'],
        'too_large',
      ]);
      expect(error.errors[0]?.message).toMatch(
        /more than 1024 KiB of texts in its 60 languages .*: leave languages out/,
      );
    }
    // Saved settings can still be read, judged and made smaller.
    await client.updateEnvironment({ token, body: { settings } });
    expect((await refusal(client.generateBundle({ token }))).errors[0]?.code).toBe('too_large');
    expect((await client.getComplianceScore({ token })).checks.length).toBeGreaterThan(10);
    expect((await client.generateBundle({ token, body: { languages: ['en'] } })).languages).toEqual(['en']);
  },
);

test('nothing is made of texts that are refused', () => {
  const task = assembleBundle(
    {
      ...{ token: 'env_0123456789012345678901', server: 'https://consent.example.com' },
      settings: { ...defaultSettings(), ...settingsOf(60, 30, '<', 1_000) },
      ...{ settingsVersion: 1, options: {}, vendors: [], scanned: [], remembered: {}, domains: [] },
    },
    PROGRAM,
  );
  let steps = 0;
  const all = (): void => {
    for (let step = task.next(); !step.done; step = task.next()) steps += 1;
  };
  expect(all).toThrow('The request breaks the contract');
  // Sixty languages and thirty categories were looked at, and six languages counted.
  expect(steps).toBeLessThan(100);
});

test.each([
  ['60 languages with ten categories of 300 characters of three bytes', 60, 10, '\u4e00', 300],
  ['60 languages with thirty categories of 300 letters', 60, 30, 'a', 300],
])('%s are published', async (_, languages, count, text, length) => {
  const { client, token } = await server.site();
  await client.updateEnvironment({ token, body: { settings: settingsOf(languages, count, text, length) } });
  const made = await client.generateBundle({ token, body: { texts: 'all' } });
  expect(made.languages).toHaveLength(languages);
});

test('a text is counted as a script holds it', () => {
  const part = fc.constantFrom(
    'a',
    '"',
    '\\',
    '<',
    '>',
    '&',
    '\0',
    '\t',
    '\v',
    '\x7f',
    'é',
    '一',
    '\u2028',
    '\u{1f600}',
    '\ud83d',
    '\ude00',
  );
  fc.assert(
    fc.property(
      fc.array(part).map((parts) => parts.join('')),
      (text) => {
        expect(bytesInScript(text)).toBe(Buffer.byteLength(inScript(JSON.stringify(text))) - 2);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a receipt reads the texts of its language, not those of all', async () => {
  const { client, token } = await server.site({ languages: ['en', 'de', 'fr', 'qaa'] });
  const { hash } = await client.generateBundle({ token });
  const { db } = server.service.context;
  const read: object[] = [];
  const note = (rows: unknown): void => {
    for (const { texts } of Array.isArray(rows) ? rows : []) if (texts != null) read.push(texts);
  };
  for (const [language, title] of [
    ['de', 'de title'],
    // Not in the bundle.
    ['ar', 'ar title'],
  ] as const) {
    const session_id = randomUUID();
    const body = { session_id, decision: 'accept_all' as const, bundle_hash: hash, language };
    const { consent_id } = await server.visitor.logConsent({ token, body });
    read.length = 0;
    db.on('query-response', note);
    const { notice } = await server.visitor
      .getConsentReceipt({ token, consent_id, session_id })
      .finally(() => db.removeListener('query-response', note));
    expect([notice.title, notice.bundle_url]).toEqual([title, expect.stringContaining(hash)]);
    expect(read).toEqual(language === 'de' ? [expect.objectContaining({ title })] : []);
  }
});
