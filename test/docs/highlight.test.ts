import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { highlight } from '../../server/docs/build/highlight';
import { readMarkdown } from '../helpers/docs/markdown';

const ROOT = join(__dirname, '..', '..');
const GUIDES = join(ROOT, 'server', 'docs', 'guides');
const samples = readdirSync(GUIDES).flatMap(
  (name) => readMarkdown(readFileSync(join(GUIDES, name), 'utf8')).samples,
);

/** What a reader sees of markup. */
const textOf = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

test('every sample of the guides keeps its text, and has nothing but classes', () => {
  expect(samples.length).toBeGreaterThan(50);
  for (const { language, code } of samples) {
    const markup = highlight(code, language);
    expect(textOf(markup)).toBe(code);
    expect(markup.replace(/<span class="[\w -]+">|<\/span>/g, '')).not.toMatch(/[<>]/);
  }
});

test.each([
  ['ts', "const a = 'b'; // c", ['keyword', 'string', 'comment']],
  ['js', 'return 42', ['keyword', 'number']],
  ['json', '{"a": [true, "b", 1]}', ['attr', 'literal', 'string', 'number']],
  ['sh', 'curl "$URL" # c', ['string', 'variable', 'comment']],
  ['go', 'func f() {} // c', ['keyword', 'title', 'comment']],
  ['html', '<a href="b">c</a>', ['name', 'attr', 'string']],
  ['css', 'a { color: #fff; } /* b */', ['selector-tag', 'attribute', 'number', 'comment']],
  ['python', 'def f(): return None', ['keyword', 'literal']],
  ['sql', "SELECT 'a' -- b", ['keyword', 'string', 'comment']],
  ['yaml', 'a: 1 # b', ['attr', 'number', 'comment']],
  ['ini', '[Service]\nType=simple', ['section', 'attr']],
  ['nginx', 'listen 443;', ['attribute', 'number']],
  ['swift', 'let a = "b" // c', ['keyword', 'string', 'comment']],
  ['kotlin', 'fun f() = 1 // c', ['keyword', 'number', 'comment']],
  ['liquid', "{% render 'a' %}", ['template-tag']],
])('%s has its words marked', (language, code, kinds) => {
  const markup = highlight(code, language);
  for (const kind of kinds) expect(markup).toContain(`class="hljs-${kind}"`);
});

test('every language of the guides is known; what is not, is only escaped', () => {
  const languages = new Set(samples.map(({ language }) => language));
  languages.delete('text');
  for (const language of languages) {
    const marked = samples.filter(
      (one) => one.language === language && /hljs-/.test(highlight(one.code, language)),
    );
    expect([language, marked.length > 0]).toEqual([language, true]);
  }
  expect(highlight('<b> & "c"', 'text')).not.toContain('<');
});
