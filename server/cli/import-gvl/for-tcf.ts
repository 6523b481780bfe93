import { basename, dirname, resolve } from 'node:path';
import { loadProgram } from '../../src/bundles/load-program';
import { readConfig } from '../../src/config';
import { databaseTime } from '../../src/db/clock';
import { listState, storeList } from '../../src/db/global-vendor-list';
import { createLogger } from '../../src/observability/logger';
import { auditCommand } from '../../src/services/audit';
import { listFolder } from '../../src/services/tcf/read-list';
import { readFolder } from '../../src/services/tcf/refresh';
import { republishWith } from '../../src/services/tcf/republish';
import { UsageError } from '../command';
import { openLedger, withMigratedDatabase } from '../database';

/**
 * Stores a list for all sites with the framework, and publishes the banners that it changes.
 * @param mayBeOlder also in the place of a newer one
 */
export async function importForTcf(file: string, mayBeOlder: boolean): Promise<string> {
  if (basename(file) !== 'vendor-list.json')
    throw new UsageError('Name a file vendor-list.json: those with its texts lie beside it.');
  const config = readConfig();
  const { signal } = new AbortController();
  const { list, translations } = await readFolder(listFolder(dirname(resolve(file))), signal);
  return withMigratedDatabase(config, async ({ db }) => {
    await openLedger(db, config);
    const { version: present } = await listState(db);
    if (!mayBeOlder && present !== null && present > list.version)
      throw new Error(
        `The list has the version ${list.version}, and ${present} is here: add --older to put it in the place of that one.`,
      );
    await db.transaction(async (trx) => {
      const isStored = await storeList(
        trx,
        { list, translations, stored_at: await databaseTime(trx) },
        { always: mayBeOlder },
      );
      if (!isStored)
        throw new Error(
          'A newer list was stored meanwhile, and stays: add --older to put this one in its place.',
        );
      await auditCommand(trx, 'import-gvl');
    });
    const log = createLogger(config.logLevel);
    const publicUrl = (): string => config.publicUrl ?? `http://localhost:${config.port}`;
    const isDone = await republishWith({ db, log, config, publicUrl, program: loadProgram() }, signal);
    const texts = Object.keys(translations).length;
    return `The Global Vendor List ${list.version} is stored: ${list.vendors.length} vendors, texts in ${texts + 1} languages.${isDone ? '' : ' Not every banner could be made with it: see the log.'}`;
  });
}
