// @ts-check
// `npm run generate`: TypeSpec → OpenAPI document → TypeScript types. Plain JavaScript, because it must run
// even when the server does not compile.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { stringify } from 'yaml';
import { compileSpecification } from './generate/compile.mjs';
import { shape } from './generate/document.mjs';
import { composeExamples } from './generate/examples.mjs';
import { clientTable, modelTable, NOTICE, patternTable, serverTable } from './generate/tables.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'spec', 'generated');

const { document, patterns } = await compileSpecification(join(root, 'spec'));
shape(document);
composeExamples(document);
write('openapi.yaml', `# ${NOTICE}\n${stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })}`);
// The server reads the JSON at each start: parsing it takes a hundredth of the time of YAML.
write('openapi.json', `${JSON.stringify(document)}\n`);
write('api.ts', await types(document));
write('operations.ts', clientTable(document));
write('models.ts', modelTable(document));
write('rules.ts', serverTable(document));
write('patterns.ts', patternTable(patterns));

/**
 * Does not write an unchanged file, because a new modification time would cause a new build.
 * @param {string} name
 * @param {string} text
 */
function write(name, text) {
  const file = join(out, name);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

/** @param {any} api */
async function types(api) {
  // Without an id, because openapi-typescript would list webhooks among the operations, which all have a
  // handler and an SDK method.
  const webhooks = Object.entries(api.webhooks).map(([event, { post }]) => {
    const { operationId, ...rest } = post;
    return [event, { post: rest }];
  });
  const source = astToString(
    await openapiTS({ ...api, webhooks: Object.fromEntries(webhooks) }, { alphabetize: false }),
  );
  return `// ${NOTICE}\n${source}`;
}
