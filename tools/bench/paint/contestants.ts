import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../server/src/config/paths';

/** What `generateBundle` answers, as far as pages need it. */
export interface Snippets {
  url: string;
  snippet: string;
  snippet_blocking: string;
}

/** The other banners, each one deferred script of the page's own host: the fastest way to have them. */
const RIVALS = ['cookieconsent', 'klaro', 'c15t'] as const;

/** The page without a banner, against which all others are held. */
export const BLANK = 'blank';
/** The snippet that owners get. */
export const AVOW = 'avow';
export const ON_PATH = 'avow-own-path';
export const BLOCKING = 'avow-blocking';

/** What each contestant has in the head of its page, by its name. */
export function headsOf({ url, snippet, snippet_blocking }: Snippets, rivals: boolean): Map<string, string> {
  const own = snippet.replace(
    `<script async src="${url}"`,
    `<script async data-server="/privacy" src="/privacy${new URL(url).pathname}"`,
  );
  const heads = new Map([
    [BLANK, ''],
    [AVOW, snippet],
    [ON_PATH, own],
    [BLOCKING, snippet_blocking],
  ]);
  if (rivals) for (const name of RIVALS) heads.set(name, `<script defer src="/${name}.js"></script>`);
  return heads;
}

/** Makes the scripts of the other banners in a folder, and gives them by path. Needs a registry of npm. */
export function makeRivals(folder: string): Map<string, string> {
  const program = join(ROOT, 'tools', 'bench', 'paint', 'build-rivals.mjs');
  execFileSync(process.execPath, [program, folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  return new Map(RIVALS.map((name) => [`/${name}.js`, readFileSync(join(folder, `${name}.js`), 'utf8')]));
}
