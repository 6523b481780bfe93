import { parseArgs } from 'node:util';
import { readConfig } from '../src/config';
import { COMMAND } from '../src/db/daily-limits';
import { EnvironmentRow } from '../src/db/models';
import { changesOf } from '../src/domain/audit';
import { toVendors, type VendorListV3 } from '../src/domain/gvl';
import { inOneLine } from '../src/domain/printable';
import { auditCommand } from '../src/services/audit';
import { lockVendors, publishVendors } from '../src/services/vendors';
import { type Command, say, UsageError } from './command';
import { openLedger, withMigratedDatabase } from './database';
import { checkImported } from './import-gvl/check-vendors';
import { importForTcf } from './import-gvl/for-tcf';
import { readList } from './import-gvl/read-list';

const USAGE = `npm run import-gvl -- FILE --site TOKEN [--vendors ID,ID …]
Replaces the vendors of a site by those of an IAB Global Vendor List v3 (vendor-list.json).
npm run import-gvl -- FILE --tcf [--older]
Stores the list for sites with IAB Europe's framework, with the purposes-*.json files that lie beside it.
With --older it may take the place of a newer one, such as of one that was wrong.`;

/** `npm run import-gvl`: an official vendor list becomes the list of a site. */
async function run(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      site: { type: 'string' },
      vendors: { type: 'string' },
      tcf: { type: 'boolean' },
      older: { type: 'boolean', default: false },
    },
  });
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new UsageError('Name one file: the vendor-list.json.');
  if (values.tcf) {
    if (values.site !== undefined || values.vendors !== undefined)
      throw new UsageError('--tcf is for all sites: leave --site and --vendors out.');
    say(await importForTcf(file, values.older));
    return;
  }
  if (values.older) throw new UsageError('--older goes with --tcf.');
  if (values.site === undefined) throw new UsageError('Name the site with --site TOKEN.');
  const wanted = readIds(values.vendors);
  const list = readList(file);
  if (wanted !== undefined) expectAll(wanted, list);
  say(await replace(values.site, list, wanted));
}

function replace(
  token: string,
  list: VendorListV3,
  wanted: ReadonlySet<number> | undefined,
): Promise<string> {
  const config = readConfig();
  return withMigratedDatabase(config, async ({ db }) => {
    await openLedger(db, config);
    return db.transaction(async (trx) => {
      const environment = await EnvironmentRow.query(trx).findOne({ token });
      if (environment === undefined)
        throw new Error(`There is no site ${token}: see listEnvironments for its token.`);
      const keys = environment.settings.categories.map(({ key }) => key);
      const vendors = toVendors(list, keys, wanted);
      if (vendors.length === 0) throw new Error('The list has no vendor that is not deleted.');
      checkImported(vendors, keys);
      // Locked, so that the event tells what is replaced and not what was there a moment before.
      const present = await lockVendors(trx, environment.id);
      await auditCommand(trx, 'import-gvl', {
        environmentId: environment.id,
        about: { resource: 'site', resource_id: environment.token },
        changes: changesOf({ vendors: present.vendors }, { vendors }),
      });
      const { version } = await publishVendors(trx, environment.id, vendors, null, COMMAND);
      return `${vendors.length} vendors imported into ${inOneLine(environment.name)}; its vendor list has the version ${version} now.`;
    });
  });
}

function readIds(text: string | undefined): Set<number> | undefined {
  if (text === undefined) return undefined;
  const ids = text.split(',').map((id) => id.trim());
  if (!ids.every((id) => /^[1-9]\d{0,8}$/.test(id)))
    throw new UsageError('--vendors takes numbers of vendors with commas between them, such as 52,755.');
  return new Set(ids.map(Number));
}

/** A requested vendor that is not in the list would silently be missing from the banner. */
function expectAll(wanted: ReadonlySet<number>, list: VendorListV3): void {
  const present = Object.values(list.vendors).filter(({ deletedDate }) => deletedDate === undefined);
  const ids = new Set(present.map(({ id }) => id));
  const missing = [...wanted].filter((id) => !ids.has(id));
  if (missing.length > 0)
    throw new Error(`The list has no such vendor, or it is deleted: ${missing.join(', ')}. Check --vendors.`);
}

export const importGvl: Command = { usage: USAGE, run };
