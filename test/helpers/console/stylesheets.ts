import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type SelectorComponent, transform } from 'lightningcss';
import ts from 'typescript';

const SOURCE = join(__dirname, '..', '..', '..', 'server', 'console', 'src');
const filesOf = (ending: RegExp): string[] =>
  readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => ending.test(name))
    .sort();
const read = (name: string): string => readFileSync(join(SOURCE, name), 'utf8');

/** One selector of a stylesheet: the classes that begin its parts, and all of them; `alone` has one part. */
export interface Selector {
  text: string;
  alone: boolean;
  /** Classes of this stylesheet that are the first of their part, as `b` and `c` in `.b.x > .c`. */
  first: string[];
  /** Every class of this stylesheet; what `:global()` names belongs to another. */
  own: string[];
  foreign: string[];
}

export interface Stylesheet {
  name: string;
  selectors: Selector[];
  /** `@page` rules without a name: they would hold for whatever is printed. */
  namelessPages: number;
  keyframes: string[];
}

/** Every stylesheet of the console by its path below `src`. */
export const stylesheets = (): Stylesheet[] => filesOf(/\.css$/).map((name) => parse(name, read(name)));

/** Reads one stylesheet; a module's `:global()` is understood. */
export function parse(name: string, text: string): Stylesheet {
  const sheet: Stylesheet = { name, selectors: [], namelessPages: 0, keyframes: [] };
  const styleRule = (rule: { value: { selectors: SelectorComponent[][] } }) => {
    for (const parts of rule.value.selectors) sheet.selectors.push(selectorOf(parts));
  };
  transform({
    filename: name,
    code: Buffer.from(text),
    cssModules: name.endsWith('.module.css'),
    visitor: {
      Rule: {
        style: styleRule as never,
        page: ({ value }) => {
          if (value.selectors.length === 0) sheet.namelessPages += 1;
        },
        keyframes: ({ value }) => {
          sheet.keyframes.push(value.name.value as string);
        },
      },
    },
  });
  return sheet;
}

function selectorOf(parts: SelectorComponent[]): Selector {
  const found: Selector = { text: '', alone: true, first: [], own: [], foreign: [] };
  found.text = walk(parts, found, false);
  return found;
}

function walk(parts: SelectorComponent[], found: Selector, foreign: boolean): string {
  let begins = true;
  let text = '';
  for (const part of parts) {
    if (part.type === 'combinator') {
      [begins, found.alone] = [true, false];
      text += part.value === 'descendant' ? ' ' : ` ${part.value} `;
    } else if (part.type === 'class') {
      found[foreign ? 'foreign' : 'own'].push(part.name);
      if (begins && !foreign) found.first.push(part.name);
      begins = false;
      text += `.${part.name}`;
    } else if (part.type === 'pseudo-class') {
      const { kind } = part;
      const inner =
        'selectors' in part ? (part.selectors ?? []) : 'selector' in part ? [part.selector as never] : [];
      text += `:${kind}(${inner.map((one) => walk(one as never, found, kind === 'global')).join()})`;
    } else {
      if (part.type === 'type') found.first.push(part.name);
      text += `${part.type === 'id' ? '#' : ''}${'name' in part ? part.name : part.type}`;
    }
  }
  return text;
}

/** What one source file asks of stylesheets. */
export interface Use {
  name: string;
  /** Classes that stand as words in the file: those of the kit. */
  words: string[];
  /** The module that it imports, by its path, and the classes that it takes from it. */
  module: string | null;
  taken: string[];
  /** Stylesheets that are imported for everybody. */
  plain: string[];
}

export const uses = (): Use[] => filesOf(/\.tsx?$/).map(useOf);

function useOf(name: string): Use {
  const source = ts.createSourceFile(name, read(name), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const use: Use = { name, words: [], module: null, taken: [], plain: [] };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) readImport(node, use);
    if (ts.isJsxAttribute(node) && node.name.getText() === 'className') use.words.push(...wordsOf(node));
    if (ts.isPropertyAccessExpression(node) && node.expression.getText() === 'style') {
      use.taken.push(node.name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return use;
}

function readImport(node: ts.ImportDeclaration, use: Use): void {
  const target = (node.moduleSpecifier as ts.StringLiteral).text;
  if (!target.endsWith('.css')) return;
  const path = posix.join(posix.dirname(use.name), target);
  if (target.endsWith('.module.css')) use.module = path;
  else use.plain.push(path);
}

/** The words of every text in an attribute: of either branch, and around what is put in. */
function wordsOf(attribute: ts.JsxAttribute): string[] {
  const words: string[] = [];
  const visit = (node: ts.Node): void => {
    // What is compared or called is no class.
    if (ts.isBinaryExpression(node) || ts.isCallExpression(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      words.push(...node.text.split(/\s+/).filter((word) => word !== '' && !word.endsWith('-')));
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(attribute, (child) => {
    if (child !== attribute.name) visit(child);
  });
  return words;
}
