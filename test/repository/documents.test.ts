import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readMarkdown } from '../helpers/docs/markdown';

const ROOT = join(__dirname, '..', '..');
const DECISIONS = 'server/docs/decisions';
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const decisions = readdirSync(join(ROOT, DECISIONS)).filter((name) => /^\d/.test(name));

const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, '.github'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `.github/${name}`),
  ...['README.md', ...decisions].map((name) => `${DECISIONS}/${name}`),
];

describe.each(PAGES)('%s', (path) => {
  const page = readMarkdown(read(path));

  test('its links lead somewhere', () => {
    for (const link of page.links.filter((one) => !one.includes('://'))) {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      expect([link, existsSync(join(ROOT, target))]).toEqual([link, true]);
      if (anchor !== undefined && target.endsWith('.md'))
        expect([link, readMarkdown(read(target)).anchors]).toEqual([link, expect.arrayContaining([anchor])]);
    }
  });

  test('the npm scripts that it names exist', () => {
    const text = [...page.names, ...page.samples.map(({ code }) => code)].join('\n');
    for (const [, script = ''] of text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g))
      expect([script, script in manifest.scripts]).toEqual([script, true]);
  });
});

/** Writes a key, a password or a copy of the data into a file. */
const SECRET_FILE = /openssl rand[^\n]*(?:>\s*\S|\n?[\s\S]*\} > )|pg_dump [\s\S]*--file|tar -c/;

test('what writes keys and copies of the data lets nobody else on the machine read them', () => {
  const guides = readdirSync(join(ROOT, 'server/docs/guides')).map((name) => `server/docs/guides/${name}`);
  const samples = ['README.md', ...guides].flatMap((path) =>
    readMarkdown(read(path)).samples.map(({ code, line }) => ({ code, where: `${path}:${line}` })),
  );
  const writing = samples.filter(({ code }) => SECRET_FILE.test(code));
  expect(writing.length).toBeGreaterThanOrEqual(6);
  for (const { code, where } of writing)
    expect([where, code]).toEqual([where, expect.stringMatching(/^\(umask 077/m)]);
});

test('the page of the README stores and sends nothing before somebody decides, and then keeps its session', () => {
  const html = readMarkdown(read('README.md')).samples.find(({ code }) => code.includes('function decide'));
  const script = /<script>([\s\S]*)<\/script>/.exec(html?.code ?? '')?.[1] ?? '';
  const stored: Record<string, string> = {};
  const sent: { session_id: string; decision: string }[] = [];
  const load = (): ((decision: string) => void) =>
    new Function('localStorage', 'fetch', 'location', `${script}; return decide;`)(
      ...[stored, (_: string, { body }: { body: string }) => sent.push(JSON.parse(body)), { href: 'x:' }],
    );
  load();
  expect([stored, sent]).toEqual([{}, []]);
  load()('reject_all');
  load()('accept_all');
  expect(sent.map(({ decision }) => decision)).toEqual(['reject_all', 'accept_all']);
  expect(new Set(sent.map(({ session_id }) => session_id))).toEqual(new Set(Object.values(stored)));
});

describe('the index of the decisions', () => {
  const rows = read(`${DECISIONS}/README.md`).match(/^\| \d{3} .*$/gm) ?? [];
  const titleOf = (name: string): string => /^# \d{3} (.+)$/m.exec(read(`${DECISIONS}/${name}`))?.[1] ?? '';

  test('has every page under its title', () => {
    for (const name of decisions)
      expect(
        rows.filter(
          (row) => row.includes(`| ${name.slice(0, 3)} `) && row.includes(`[${titleOf(name)}](${name})`),
        ),
      ).toHaveLength(1);
  });

  test('leaves no number out and says why one has no page', () => {
    expect(rows.map((row) => Number(row.slice(2, 5)))).toEqual(rows.map((_, index) => index + 1));
    expect(rows.filter((row) => !row.includes('](')).every((row) => row.includes('no page: '))).toBe(true);
    expect(new Set(decisions.map((name) => name.slice(0, 3))).size).toBe(decisions.length);
  });
});

describe('the glossary', () => {
  const table = read('.github/CONTRIBUTING.md').split('## Glossary')[1] ?? '';
  const rows = [...table.matchAll(/^\| (?!word|-)(.+) \|$/gm)].map(([, row = '']) =>
    row.split(' | ').map((cell) => cell.trim()),
  );
  const code = (cell = ''): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name as string);
  /** Every text of a folder, as one. */
  const sources = (folder: string): string =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|md|tsp)$/.test(name))
      .map((name) => read(join(folder, name)))
      .join('\n');

  test('has one row for each word, complete', () => {
    expect(rows.length).toBeGreaterThanOrEqual(15);
    expect(new Set(rows.map(([word]) => word)).size).toBe(rows.length);
    for (const row of rows)
      expect([row[0], row.length, row.every((cell) => cell !== '')]).toEqual([row[0], 5, true]);
  });

  test('its words are those of the contract, the code, the console and the docs', () => {
    const places = [
      sources('spec'),
      sources('server/src'),
      sources('server/console/src'),
      sources('server/docs/guides'),
    ];
    const [contract, server, console_, guides] = places as [string, string, string, string];
    const has = (text: string, word: string) => new RegExp(`\\b${word}s?\\b`, 'i').test(text);
    for (const [word, , inContract, inCode, shown = ''] of rows) {
      for (const name of code(inContract))
        expect([word, name, has(contract, name)]).toEqual([word, name, true]);
      for (const name of code(inCode)) expect([word, name, has(server, name)]).toEqual([word, name, true]);
      expect([word, shown, has(console_, shown) || has(guides, shown)]).toEqual([word, shown, true]);
    }
  });
});
