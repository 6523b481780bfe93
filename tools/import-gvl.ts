import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checkVendors, publishVendors } from '../server/src/api/vendors';
import { readConfig } from '../server/src/config';
import { EnvironmentRow } from '../server/src/db/models';
import { toVendors } from '../server/src/domain/gvl';
import { ValidationError } from '../server/src/errors';
import { runCommand, say, UsageError } from './operator/command';
import { withMigratedDatabase } from './operator/database';

const USAGE = `npm run import-gvl -- FILE --site TOKEN [--vendors ID,ID …]
Replaces the vendors of a site by those of an IAB Global Vendor List v3 (vendor-list.json).`;

/** `npm run import-gvl`: an official vendor list becomes the list of a site. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { site: { type: 'string' }, vendors: { type: 'string' } },
  });
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new UsageError('Name one file: the vendor-list.json.');
  if (values.site === undefined) throw new UsageError('Name the site with --site TOKEN.');
  const list = readList(file);
  const wanted = values.vendors === undefined ? undefined : new Set(values.vendors.split(',').map(Number));
  const text = await withMigratedDatabase(readConfig(), ({ db }) =>
    db.transaction(async (trx) => {
      const environment = await EnvironmentRow.query(trx).findOne({ token: values.site as string });
      if (environment === undefined)
        throw new Error(`There is no site ${values.site}: see listEnvironments for its token.`);
      const vendors = toVendors(
        list,
        environment.settings.categories.map(({ key }) => key),
        wanted,
      );
      if (vendors.length === 0) throw new Error('None of the vendors is in the list: check --vendors.');
      checkVendors(vendors, environment);
      const { version } = await publishVendors(trx, environment.id, vendors, null);
      return `${vendors.length} vendors imported into ${environment.name}; its vendor list has the version ${version} now.`;
    }),
  );
  say(text);
}

function readList(file: string): Parameters<typeof toVendors>[0] {
  let list: Parameters<typeof toVendors>[0];
  try {
    list = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
  if (list.gvlSpecificationVersion !== 3 || typeof list.vendors !== 'object') {
    throw new Error(
      `${file} is no Global Vendor List of the specification version 3: fetch vendor-list.json from IAB Europe.`,
    );
  }
  return list;
}

runCommand(USAGE, async () => {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new Error(error.errors.map(({ path, message }) => `${path} ${message}`).join('\n'));
  }
});
