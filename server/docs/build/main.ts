// The build step `docs`: makes the static pages below /docs from contract and guides. `node
// dist/server/docs/build/main.js [guides] [target]`.
import { join } from 'node:path';
import { ROOT } from '../../src/config/paths';
import { addHashed, bundle, type Files } from './assets';
import { formsOf } from './forms';
import { readGuides } from './guides';
import { frame, navigation } from './layout';
import { llmsFull, llmsIndex } from './llms';
import { makePages } from './pages';
import { notFoundPage } from './pages/not-found';
import { searchIndex } from './search-index';
import { readSite } from './site';
import { writeFiles } from './write';

async function buildDocs(guides: string, target: string): Promise<void> {
  const site = readSite(readGuides(guides));
  const pages = makePages(site);
  const files: Files = new Map();
  const assets = {
    ...(await bundle(files)),
    search: addHashed(files, 'search.json', searchIndex(pages.flatMap(({ findings }) => findings))),
    operations: addHashed(files, 'operations.json', formsOf(site.tags)),
  };
  const order = navigation(site).flatMap(({ links }) => links);
  for (const page of [...pages, notFoundPage()]) {
    files.set(`${page.path || 'index'}.html`, frame(page, { site, assets, order }));
    if (page.markdown !== '') files.set(`${page.path || 'index'}.md`, `${page.markdown.trim()}\n`);
  }
  files.set('llms.txt', `${llmsIndex(site)}\n`);
  files.set('llms-full.txt', llmsFull(pages));
  await writeFiles(target, files);
}

const [guides = join(ROOT, 'server', 'docs', 'guides'), target = join(ROOT, 'dist', 'docs')] =
  process.argv.slice(2);
buildDocs(guides, target).catch((error: unknown) => {
  process.stderr.write(
    `The documentation could not be built: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
});
