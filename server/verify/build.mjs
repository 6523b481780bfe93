// @ts-check
// Builds the page /verify as one file that needs nothing else: `node build.mjs [directory]`, default
// dist/verify. The same source gives the same bytes.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from 'lightningcss';
import { rolldown } from 'rolldown';

const here = dirname(fileURLToPath(import.meta.url));
const target = resolve(process.argv[2] ?? join(here, '../../dist/verify'));

const style = Buffer.from(bundle({ filename: join(here, 'styles/page.css'), minify: true }).code).toString();
const script = await bundled();
const icon = readFileSync(join(here, '../console/public/icon.svg'));
/** What stands for each part in the source of the page. */
const parts = {
  '{{policy}}': policy(),
  '{{icon}}': icon.toString('base64'),
  '<!-- style -->': `<style>${style}</style>`,
  '<!-- script -->': `<script>${script}</script>`,
};
let page = readFileSync(join(here, 'page.html'), 'utf8');
for (const [mark, part] of Object.entries(parts)) {
  if (!page.includes(mark)) throw new Error(`page.html has no ${mark}.`);
  page = page.replaceAll(mark, () => part);
}
mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'page.html'), page);

async function bundled() {
  const build = await rolldown({
    input: join(here, 'src/main.ts'),
    platform: 'browser',
    transform: { target: 'es2022' },
    // Without debug information, which would contain local paths.
    experimental: { attachDebugInfo: 'none' },
  });
  const { output } = await build.generate({ format: 'iife', minify: true });
  await build.close();
  const code = output[0].code.trim();
  // It would end the element that the code stands in.
  if (/<\/script|<!--/i.test(code)) throw new Error('The script holds the end of a script element.');
  return code;
}

/** What the page may do: run this script and show this style, and connect to nobody. */
function policy() {
  const hash = (/** @type {string} */ text) =>
    `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
