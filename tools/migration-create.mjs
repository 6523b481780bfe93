// @ts-check
// `npm run migration:create -- NAME [--contract]`: writes an empty migration of a step and lists it in the
// index.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [name, ...options] = process.argv.slice(2);
if (
  name === undefined ||
  !/^[a-z][a-z0-9_]*$/.test(name) ||
  options.some((option) => option !== '--contract')
) {
  process.stderr.write('Name the migration: npm run migration:create -- add_something [--contract]\n');
  process.exit(2);
}
const HEADS = {
  expand: `// It runs at the start, beside processes of the version before: it adds, and reads or changes no large table.
// What takes long (buildIndex, backfill) has a migration of its own with
//   export const config = { transaction: false };
// and, if the program can do without it for a while, export const background = true;
export const step = 'expand' as const;`,
  contract: `// It runs by the operator's command, when every process knows this step: here goes what they use no more. If a
// released version already did without it, name that one: export const unusedSince = '…';
export const step = 'contract' as const;`,
};
const folder = fileURLToPath(new URL('../server/src/db/migrations/', import.meta.url));
const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
const file = `${stamp}_${name}`;
const variable = name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
writeFileSync(
  `${folder}${file}.ts`,
  `import type { Knex } from 'knex';

${HEADS[options.length > 0 ? 'contract' : 'expand']}

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
