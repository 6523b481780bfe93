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
