import { parseArgs } from 'node:util';
import { readConfig } from '../src/config';
import { VERSION } from '../src/config/version';
import { migrate } from '../src/db/migrate';
import { schemaState } from '../src/db/schema-state';
import { changesOf } from '../src/domain/audit';
import { auditCommand } from '../src/services/audit';
import { type Command, say } from './command';
import { withDatabase } from './database';

/**
 * `npm run migrate`: brings the database up to date, for those who start the server with MIGRATE=off; with
 * `--contract` also takes away what only older versions used.
 */
async function run(args: string[]): Promise<void> {
  const { contract = false } = parseArgs({ args, options: { contract: { type: 'boolean' } } }).values;
  const config = readConfig();
  if (config.databaseUrl === undefined && !contract) {
    throw new Error(
      'DATABASE_URL is not set: the embedded database is migrated at each start, there is nothing to do.',
    );
  }
  await withDatabase(config, async ({ db }) => {
    const done: string[] = [];
    await migrate(db, {
      ...{ version: VERSION, background: true, contract },
      onWait: (name) => say(`${name} waits for a table that is in use, and tries again.`),
      onDone: (name) => {
        done.push(name);
        say(`${name} is done.`);
      },
      onMade: (migrations) => {
        done.push(`${migrations} migrations`);
        say(`The database was made, by ${migrations} migrations.`);
      },
    }).catch((error: Error) => {
      throw new Error(`The migration failed: ${error.message}`);
    });
    // Afterwards, because before the first migration there is no trail.
    if (done.length > 0) await auditCommand(db, 'migrate', { changes: changesOf({}, { done }) });
    const { contracts } = await schemaState(db, VERSION);
    say('The database is up to date.');
    if (contracts.length === 0) return;
    say(`Contract steps wait: ${contracts.join(', ')}.`);
    say(`When every process runs Avow ${VERSION}, and you will not go back: npm run migrate -- --contract`);
  });
}

const USAGE = `npm run migrate [-- --contract]
Brings the database of DATABASE_URL up to date, for a server that runs with MIGRATE=off: expand steps and
back-fills, beside running processes of this version and of the one before.
  --contract  also takes away what only older versions used; refused while one of them runs. There is no
              way back from it but the backup.`;

export const migrateCommand: Command = { usage: USAGE, run };
