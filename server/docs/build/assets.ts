import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../src/config/paths';
import { BASE } from './site';

/** A file of the site, by its path below `/docs/`. */
export type Files = Map<string, string | Uint8Array>;

const SITE = join(ROOT, 'server', 'docs', 'site');

/** Adds a file under a name that changes with its content, and returns its address. */
export function addHashed(files: Files, name: string, content: string): string {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8);
  const path = `assets/${name.replace(/(\.\w+)$/, `-${hash}$1`)}`;
  files.set(path, content);
  return `${BASE}${path}`;
}

/** Style sheet and scripts, bundled and minified; every file's name holds its hash. */
export async function bundle(
  files: Files,
): Promise<{ style: string; script: string; theme: string; icon: string }> {
  const { build } = await import('vite');
  const result = await build({
    configFile: false,
    root: SITE,
    base: BASE,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: { input: { site: join(SITE, 'main.ts'), style: join(SITE, 'site.css') } },
    },
  });
  const outputs = [result].flat().flatMap((one) => ('output' in one ? one.output : []));
  for (const file of outputs) files.set(file.fileName, file.type === 'chunk' ? file.code : file.source);
  const script = outputs.find((file) => file.type === 'chunk' && file.isEntry && file.name === 'site');
  const style = outputs.find(({ fileName }) => fileName.endsWith('.css'));
  if (script === undefined || style === undefined)
    throw new Error('The bundle lacks its script or its style sheet.');
  const read = (name: string) => readFileSync(join(SITE, name), 'utf8');
  return {
    script: `${BASE}${script.fileName}`,
    style: `${BASE}${style.fileName}`,
    theme: addHashed(files, 'theme.js', read('theme.js')),
    icon: addHashed(files, 'icon.svg', read('icon.svg')),
  };
}
