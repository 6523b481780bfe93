// @ts-check
// `npm run migration:release`: records the migrations of the version in package.json, each with the
// fingerprint of its file, so that its schema can be made again and nobody changes it. Done with a release.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (/** @type {string} */ name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const FOLDER = at('server/src/db/migrations/');
const LIST = at('test/helpers/migrations/released.json');

const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
if (
  new RegExp(`^## \\[?v?${version.replaceAll('.', '\\.')}\\b`, 'm').test(
    readFileSync(at('CHANGELOG.md'), 'utf8'),
  )
) {
  process.stderr.write(
    `${version} is released: its migrations stay as they are. Set the next version first.\n`,
  );
  process.exit(1);
}
/** @type {Record<string, Record<string, string>>} */
const { [version]: _, ...earlier } = JSON.parse(readFileSync(LIST, 'utf8'));
const known = new Set(Object.values(earlier).flatMap((migrations) => Object.keys(migrations)));
const names = readdirSync(FOLDER)
  .filter((file) => file !== 'index.ts')
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => !known.has(name))
  .sort();
const fingerprint = (/** @type {string} */ name) =>
  createHash('sha256')
    .update(readFileSync(`${FOLDER}${name}.ts`))
    .digest('hex');
const own = Object.fromEntries(names.map((name) => [name, fingerprint(name)]));
writeFileSync(LIST, `${JSON.stringify({ ...earlier, [version]: own }, undefined, 2)}\n`);
process.stdout.write(`${names.length} migrations of ${version}\n`);
