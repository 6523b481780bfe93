// @ts-check
// `node tools/check-expressions.mjs`, a part of `npm run check`: no regular expression of the product takes
// more than linear time.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './prepare.mjs';

// The build in plain JavaScript: the package's own entry looks for Java or a native program first.
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js');

/** Folders whose code runs where somebody else chooses the input, and the tools of an operator. */
const FOLDERS = ['server/src', 'server/console/src', 'server/docs/site', 'sdk/src', 'sdk/banner/src'];
const TOOLS = ['server/cli'];
/** Longest a check may take, in milliseconds; each takes well under one second. */
const TIMEOUT = 20_000;

/** Another folder than this one, for the test of this program. */
const base = process.argv[2] ?? root;

/**
 * Expressions that the detector cannot judge or refuses, by their place, and why they are right there. The
 * same text elsewhere reads something else, and needs a reason of its own.
 */
const EXCEPTIONS = new Map([
  ['sdk/banner/src/dom.ts: /[^{}]+\\{(?:[^{}]|\\{[^{}]*\\})*\\}/g', 'read over our own styles alone'],
  ['sdk/src/client.ts: /\\/+$/', 'read over the baseUrl that the integrator writes'],
  ['server/src/config/readers.ts: /\\/+$/', 'read over the PUBLIC_URL that the operator writes'],
  [
    'server/console/src/app/save-file.ts: /filename="([^"]+)"/',
    'read over a header of our own server; a match cannot begin inside of another',
  ],
  [
    'server/console/src/pages/session/login.tsx: /^\\/(?!\\/)[^\\\\]*$/',
    'anchored, one class, nothing behind it (look-ahead is not supported)',
  ],
  [
    'server/src/db/embedded/explain.ts: /could not look up effective user ID (\\d+)/',
    'read over what PostgreSQL prints at its start',
  ],
  [
    'server/src/http/body.ts: /;\\s*charset="?([^\\s;"]+)/i',
    'a match begins at a semicolon, which neither class takes',
  ],
]);
/**
 * What was found of each text.
 * @type {Map<string, ReturnType<typeof checkSync>>}
 */
const judged = new Map();
/** Exceptions that are needed still. */
const used = new Set();

/** Expressions that are made while running: of what, so that nobody's input is among it. */
const MADE = new Map([
  ['server/src/domain/addresses.ts', 'of a constant; read over 253 characters at the most'],
  ['server/src/domain/cookies/classification.ts', 'of the data file, whose expressions are checked here too'],
  ['server/src/http/file-host.ts', "of the contract's patterns, which are checked here too"],
]);

/** @typedef {{ place: string, source: string, flags: string }} Expression */

const document = JSON.parse(readFileSync(join(base, 'spec/generated/openapi.json'), 'utf8'));
const found = [...literals(), ...contract(), ...dataFile()];
const wrong = [...new Map(found.map((one) => [nameOf(one), one])).values()].flatMap(judge);
wrong.push(...endless(document, '#'));
// Of another folder they are not ours to keep.
if (base === root)
  for (const name of EXCEPTIONS.keys())
    if (!used.has(name))
      wrong.push(`${name}: is an exception that nothing needs. Take it out of EXCEPTIONS.`);
for (const line of wrong) process.stderr.write(`${line}\n`);
process.stdout.write(`  ${found.length} expressions, ${wrong.length} of them wrong\n`);
process.exitCode = wrong.length === 0 ? 0 : 1;

/** @param {Expression} expression */
function nameOf({ place, source, flags }) {
  return `${place}: /${source}/${flags}`;
}

/**
 * The same text is judged once, wherever it stands.
 * @param {string} source
 * @param {string} flags
 */
function check(source, flags) {
  const name = `/${source}/${flags}`;
  const known = judged.get(name) ?? checkSync(source, flags, { checker: 'automaton', timeout: TIMEOUT });
  judged.set(name, known);
  return known;
}

/**
 * Texts of the contract with a pattern or a format and no length: the validator looks at each character of
 * what has none.
 * @param {unknown} schema
 * @param {string} place
 * @returns {string[]}
 */
function endless(schema, place) {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, pattern, format, maxLength, enum: values } = /** @type {Record<string, unknown>} */ (schema);
  const isText = [type].flat().includes('string');
  const isEndless = isText && maxLength === undefined && values === undefined;
  const isMatched = typeof pattern === 'string' || typeof format === 'string';
  const own =
    isEndless && isMatched
      ? [`${place}: has a pattern or a format and no length. Give it a @maxLength.`]
      : [];
  return [...own, ...Object.entries(schema).flatMap(([name, inner]) => endless(inner, `${place}/${name}`))];
}

/**
 * @param {Expression} expression
 * @returns {string[]}
 */
function judge(expression) {
  const { source, flags } = expression;
  // Without a repetition the work is bounded by the expression itself.
  if (!/[*+]|\{\d/.test(source)) return [];
  if (EXCEPTIONS.has(nameOf(expression))) {
    used.add(nameOf(expression));
    return [];
  }
  const { status, complexity, error } = check(unbounded(source), flags);
  if (status === 'safe') return [];
  const why = complexity?.summary ?? error?.kind ?? status;
  return [`${nameOf(expression)}: ${status}, ${why}. Rewrite it, or say in EXCEPTIONS why it is right.`];
}

/**
 * Repetitions up to a large number are checked as if they had no end, which costs at least as much.
 * @param {string} source
 */
function unbounded(source) {
  return source.replace(/(?<!\\)\{(\d+)(?:,(\d*))?\}/g, (written, least, most = least) =>
    Number(most || 20) < 20 ? written : least === '0' ? '*' : '+',
  );
}

/** @returns {Expression[]} */
function literals() {
  return [...FOLDERS, ...TOOLS].flatMap((folder) =>
    readdirSync(join(base, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|mjs)$/.test(name))
      .flatMap((name) => literalsOf(join(folder, name).replaceAll('\\', '/'))),
  );
}

/**
 * @param {string} file
 * @returns {Expression[]}
 */
function literalsOf(file) {
  /** @type {Expression[]} */
  const list = [];
  const tree = ts.createSourceFile(
    file,
    readFileSync(join(base, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      list.push({ place: file, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    const makes =
      (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
    if (makes && !MADE.has(file))
      throw new Error(`${file} makes an expression while running: say in MADE of what.`);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return list;
}

/** @returns {Expression[]} */
function contract() {
  /** @type {Expression[]} */
  const list = [];
  JSON.parse(JSON.stringify(document), (key, value) => {
    if (key === 'pattern' && typeof value === 'string')
      list.push({ place: 'the contract', source: value, flags: 'u' });
    return value;
  });
  return list;
}

/** @returns {Expression[]} */
function dataFile() {
  const place = 'server/src/domain/cookies/classification.data.json';
  /** @type {{ vendors: { cookies: Record<string, string> }[] }} */
  const { vendors } = JSON.parse(readFileSync(join(base, place), 'utf8'));
  return vendors
    .flatMap(({ cookies }) => Object.keys(cookies))
    .filter((name) => name.startsWith('^'))
    .map((source) => ({ place, source, flags: '' }));
}
