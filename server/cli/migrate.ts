import { parseArgs } from 'node:util';
import { readConfig } from '../src/config';
import { connect } from '../src/db/knex';
import { migrate } from '../src/db/migrate';
import { type Command, say } from './command';

/** `npm run migrate`: brings the database up to date, for those who start the server with MIGRATE=off. */
async function run(args: string[]): Promise<void> {
  parseArgs({ args });
  const { databaseUrl } = readConfig();
  if (databaseUrl === undefined) {
    throw new Error(
      'DATABASE_URL is not set: the embedded database is migrated at each start, there is nothing to do.',
    );
  }
  const db = connect(databaseUrl, 2);
  try {
    await migrate(db, {
      onWait: (name) => say(`${name} waits for a table that is in use, and tries again.`),
      onDone: (name) => say(`${name} is done.`),
      onMade: (migrations) => say(`The database was made, by ${migrations} migrations.`),
    });
    say('The database is up to date.');
  } catch (error) {
    throw new Error(`The migration failed: ${(error as Error).message}`);
  } finally {
    await db.destroy();
  }
}

const USAGE = `npm run migrate
Brings the database of DATABASE_URL up to date, for a server that runs with MIGRATE=off.`;

export const migrateCommand: Command = { usage: USAGE, run };
