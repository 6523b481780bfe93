import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the build step `docs` wrote. */
export const BUILT = join(__dirname, '..', '..', '..', 'dist', 'docs');

/** Every page by its path below `/docs/`, as a reader's address has it. */
export function builtPages(folder = BUILT): { path: string; html: string }[] {
  if (!existsSync(folder)) throw new Error('The documentation is not built: run npm run build.');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => name.replaceAll('\\', '/'))
    .sort()
    .map((name) => ({
      path: name.replace(/\.html$/, '').replace(/^index$/, ''),
      html: readFileSync(join(folder, name), 'utf8'),
    }));
}

export const idsOf = (html: string): string[] =>
  [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string);

/** What a reader sees, without markup. */
export const textOf = (html: string): string =>
  html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** Elements without an end tag. */
const VOID = /^(?:br|hr|img|input|link|meta|wbr|circle|path|rect)$/;

/** Every element with its classes, below the one around it: what a style sheet can tell apart by itself. */
function kindsOf(html: string): Set<string> {
  const kinds = new Set<string>();
  const open: string[] = [];
  for (const [, end, tag = '', attributes = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)(\s[^>]*)?>/g)) {
    if (end) {
      while (open.length > 0 && open.pop()?.split(' ')[0] !== tag);
      continue;
    }
    const classes = /\sclass="([^"]*)"/.exec(attributes)?.[1]?.split(/\s+/).sort().join(' ') ?? '';
    const kind = `${tag} ${classes}`;
    kinds.add(`${open.at(-1) ?? ''} > ${kind}`);
    if (!VOID.test(tag) && !attributes.endsWith('/')) open.push(kind);
  }
  return kinds;
}

/** A few short pages that show every kind of element that any page has. */
export function pagesOfEveryKind(): Set<string> {
  const pages = builtPages().map(({ path, html }) => ({ path, size: html.length, kinds: kindsOf(html) }));
  const missing = new Set(pages.flatMap(({ kinds }) => [...kinds]));
  const chosen = new Set<string>();
  while (missing.size > 0) {
    const worth = ({ kinds, size }: (typeof pages)[number]): number =>
      [...kinds].filter((kind) => missing.has(kind)).length / Math.sqrt(size);
    const best = pages.reduce((one, other) => (worth(other) > worth(one) ? other : one));
    chosen.add(best.path);
    for (const kind of best.kinds) missing.delete(kind);
  }
  return chosen;
}
