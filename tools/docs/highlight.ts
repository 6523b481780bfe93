import { escapeHtml } from './html';

const WORDS =
  'as async await break case catch class const continue default delete do else export extends false finally for from function if import in instanceof interface let new null of return static switch this throw true try type typeof undefined var void while yield def with and or not None True False raise except elif pass BEGIN COMMIT CREATE TABLE INSERT INTO VALUES SELECT FROM WHERE ON CONFLICT NOTHING PRIMARY KEY NOT NULL DEFAULT';
const KEYWORD = new RegExp(`^(?:${WORDS.replaceAll(' ', '|')})$`);

const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/;
const NUMBER = /\b\d[\d_]*(?:\.\d+)?\b/;
const NAME = /[A-Za-z_$][\w$]*/;

/** What is marked in a language, in the order in which it is tried. */
const RULES: Record<string, [kind: string, pattern: RegExp][]> = {
  json: [
    ['key', /"(?:\\.|[^"\\])*"(?=\s*:)/],
    ['string', /"(?:\\.|[^"\\])*"/],
    ['number', /-?\b\d+(?:\.\d+)?\b/],
    ['word', /\b(?:true|false|null)\b/],
  ],
  ts: [
    ['comment', /\/\/[^\n]*|\/\*[\s\S]*?\*\//],
    ['string', STRING],
    ['number', NUMBER],
    ['name', NAME],
  ],
  py: [
    ['comment', /#[^\n]*/],
    ['string', STRING],
    ['number', NUMBER],
    ['name', NAME],
  ],
  sql: [
    ['comment', /--[^\n]*/],
    ['string', /'[^']*'/],
    ['name', NAME],
  ],
  sh: [
    ['comment', /(?<=^|\s)#[^\n]*/m],
    ['key', /\$\w+|\$\{\w+\}/],
    ['string', /"(?:\\.|[^"\\])*"|'[^']*'/],
    [
      'word',
      /(?<=^|[|;&(]\s*|\n)(?:curl|npm|node|npx|docker|pg_dump|pg_restore|psql|openssl|systemctl|export|sed|echo)\b/,
    ],
    ['flag', /(?<=\s)--?[a-zA-Z][\w-]*/],
  ],
  html: [
    ['comment', /<!--[\s\S]*?-->/],
    ['word', /<\/?[a-zA-Z][\w-]*|\/?>/],
    ['string', /"[^"]*"/],
    ['key', /\b[a-zA-Z-]+(?==)/],
  ],
  yaml: [
    ['comment', /#[^\n]*/],
    ['key', /^[ \t-]*[\w.-]+(?=:)/m],
    ['string', STRING],
    ['number', NUMBER],
  ],
  ini: [
    ['comment', /^[#;][^\n]*/m],
    ['key', /^\w+(?==)/m],
  ],
};

const ALIASES: Record<string, string> = {
  js: 'ts',
  mjs: 'ts',
  javascript: 'ts',
  typescript: 'ts',
  tsx: 'ts',
  bash: 'sh',
  shell: 'sh',
  python: 'py',
  env: 'ini',
  yml: 'yaml',
  conf: 'ini',
};

/** Code as markup with its words marked; the text stays what it was. */
export function highlight(code: string, language: string): string {
  const rules = RULES[ALIASES[language] ?? language];
  if (rules === undefined) return escapeHtml(code);
  const all = new RegExp(rules.map(([, { source }]) => `(${source})`).join('|'), 'gm');
  let text = '';
  let end = 0;
  for (const match of code.matchAll(all)) {
    const kind = rules[match.slice(1).findIndex((part) => part !== undefined)]?.[0] as string;
    text += escapeHtml(code.slice(end, match.index)) + mark(kind, match[0]);
    end = match.index + match[0].length;
  }
  return text + escapeHtml(code.slice(end));
}

function mark(kind: string, text: string): string {
  if (kind !== 'name') return `<span class="t-${kind}">${escapeHtml(text)}</span>`;
  return KEYWORD.test(text) ? `<span class="t-word">${escapeHtml(text)}</span>` : escapeHtml(text);
}
