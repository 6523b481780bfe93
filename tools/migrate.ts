import { readConfig } from '../server/src/config';
import { connect } from '../server/src/db/knex';
import { migrate } from '../server/src/db/migrate';

/** `npm run migrate`: brings the database up to date, for those who start the server with MIGRATE=off. */
async function main(): Promise<void> {
  const { databaseUrl } = readConfig();
  if (databaseUrl === undefined) {
    throw new Error(
      'DATABASE_URL is not set: the embedded database is migrated at each start, there is nothing to do.',
    );
  }
  const db = connect(databaseUrl, 2);
  try {
    await migrate(db);
    process.stdout.write('The database is up to date.\n');
  } finally {
    await db.destroy();
  }
}

main().catch((error: Error) => {
  process.stderr.write(`The migration failed: ${error.message}\n`);
  process.exitCode = 1;
});
