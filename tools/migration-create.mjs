// @ts-check
// `npm run migration:create -- NAME`: writes an empty migration and lists it in the index.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const name = process.argv[2];
if (name === undefined || !/^[a-z][a-z0-9_]*$/.test(name)) {
  process.stderr.write('Name the migration: npm run migration:create -- add_something\n');
  process.exit(2);
}
const folder = fileURLToPath(new URL('../server/src/db/migrations/', import.meta.url));
const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
const file = `${stamp}_${name}`;
const variable = name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
writeFileSync(
  `${folder}${file}.ts`,
  `import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('');
}
`,
);
const index = `${folder}index.ts`;
const text = readFileSync(index, 'utf8')
  .replace(/(\nexport interface Migration)/, `import * as ${variable} from './${file}';\n$1`)
  .replace(/\n};\n$/, `\n  '${file}': ${variable},\n};\n`);
writeFileSync(index, text.replace(/\n\nimport/, '\nimport'));
process.stdout.write(`server/src/db/migrations/${file}.ts\n`);
