// @ts-check
// `node tools/check-expressions.mjs`, a part of `npm run check`: checks that every regular expression of the
// product takes linear time.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './prepare.mjs';

// The build in plain JavaScript, because the package's own entry looks for Java or a native program first.
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js');

/** Folders whose code reads input from others, and the operator's commands. */
const FOLDERS = ['server/src', 'server/console/src', 'server/docs/site', 'sdk/src', 'sdk/banner/src'];
const TOOLS = ['server/cli'];
/** The time limit of one check, in milliseconds; each takes well under one second. */
const TIMEOUT = 20_000;

/** Another folder to check, for the test of this program. */
const base = process.argv[2] ?? root;

/**
 * Expressions that the detector refuses or cannot check, by their file, with the reason why they are safe
 * there. The same expression in another file reads other input and needs a reason of its own.
 */
const EXCEPTIONS = new Map([
  ['sdk/src/client.ts: /\\/+$/', 'reads the baseUrl that the integrator writes'],
  ['server/src/config/readers.ts: /\\/+$/', 'reads the PUBLIC_URL that the operator writes'],
  [
    'sdk/src/verify/receipt.ts: /"(?:[^"\\\\]|\\\\.)*"|[ \\n\\r\\t]+/g',
    'reads what was parsed as JSON before, in which every text is closed',
  ],
  [
    'server/console/src/app/save-file.ts: /filename="([^"]+)"/',
    'reads a header of our own server; a match cannot begin inside another one',
  ],
  [
    'server/console/src/app/sign-on.ts: /^\\/(?!\\/)[^\\\\]*$/',
    'anchored, one character class, nothing after it (look-ahead is not supported)',
  ],
  [
    'server/src/db/embedded/explain.ts: /could not look up effective user ID (\\d+)/',
    'reads what PostgreSQL prints when it starts',
  ],
  [
    'server/src/http/body.ts: /;\\s*charset="?([^\\s;"]+)/i',
    'a match begins at a semicolon, which neither class contains',
  ],
]);
/**
 * The result for each expression.
 * @type {Map<string, ReturnType<typeof checkSync>>}
 */
const results = new Map();
/** Exceptions that were needed. */
const used = new Set();

/** Files that make expressions at run time, and from what: never from input. */
const MADE = new Map([
  ['server/src/domain/addresses.ts', 'from a constant; reads at most 253 characters'],
  [
    'server/src/domain/cookies/classification.ts',
    'from the data file, whose expressions are checked here too',
  ],
  ['server/src/http/file-host.ts', "from the contract's patterns, which are checked here too"],
]);

/** @typedef {{ place: string, source: string, flags: string }} Expression */

const document = JSON.parse(readFileSync(join(base, 'spec/generated/openapi.json'), 'utf8'));
const found = [...literals(), ...contract(), ...dataFile()];
const wrong = [...new Map(found.map((one) => [nameOf(one), one])).values()].flatMap(judge);
wrong.push(...withoutLength(document, '#'));
// The exceptions are only for this folder.
if (base === root)
  for (const name of EXCEPTIONS.keys())
    if (!used.has(name)) wrong.push(`${name}: no longer needs an exception. Remove it from EXCEPTIONS.`);
for (const line of wrong) process.stderr.write(`${line}\n`);
process.stdout.write(`  ${found.length} expressions, ${wrong.length} problems\n`);
process.exitCode = wrong.length === 0 ? 0 : 1;

/** @param {Expression} expression */
function nameOf({ place, source, flags }) {
  return `${place}: /${source}/${flags}`;
}

/**
 * Checks each expression once, however many files have it.
 * @param {string} source
 * @param {string} flags
 */
function check(source, flags) {
  const name = `/${source}/${flags}`;
  const known = results.get(name) ?? checkSync(source, flags, { checker: 'automaton', timeout: TIMEOUT });
  results.set(name, known);
  return known;
}

/**
 * Texts of the contract that have a pattern or a format but no maximum length: the validator would read them
 * to the end.
 * @param {unknown} schema
 * @param {string} place
 * @returns {string[]}
 */
function withoutLength(schema, place) {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, pattern, format, maxLength, enum: values } = /** @type {Record<string, unknown>} */ (schema);
  const isText = [type].flat().includes('string');
  const isUnlimited = isText && maxLength === undefined && values === undefined;
  const isMatched = typeof pattern === 'string' || typeof format === 'string';
  const own =
    isUnlimited && isMatched
      ? [`${place}: has a pattern or a format but no maximum length. Give it a @maxLength.`]
      : [];
  return [
    ...own,
    ...Object.entries(schema).flatMap(([name, inner]) => withoutLength(inner, `${place}/${name}`)),
  ];
}

/**
 * @param {Expression} expression
 * @returns {string[]}
 */
function judge(expression) {
  const { source, flags } = expression;
  // An expression without repetition is always fast.
  if (!/[*+]|\{\d/.test(source)) return [];
  if (EXCEPTIONS.has(nameOf(expression))) {
    used.add(nameOf(expression));
    return [];
  }
  const { status, complexity, error } = check(unbounded(source), flags);
  if (status === 'safe') return [];
  const why = complexity?.summary ?? error?.kind ?? status;
  return [`${nameOf(expression)}: ${status}, ${why}. Rewrite it, or explain in EXCEPTIONS why it is safe.`];
}

/**
 * Checks repetitions up to a large number as unlimited ones, which take at least as long.
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
      throw new Error(`${file} makes a regular expression at run time: explain in MADE from what.`);
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
