import { parseArgs } from 'node:util';
import { readConfig } from '../src/config';
import { distribute, planDistribution } from '../src/db/cluster/distribute';
import { readCluster } from '../src/db/cluster/read-cluster';
import { refusals } from '../src/db/cluster/refusals';
import { connect } from '../src/db/knex';
import { pendingMigrations } from '../src/db/schema-state';
import { changesOf } from '../src/domain/audit';
import { auditCommand } from '../src/services/audit';
import { type Command, say, UsageError } from './command';

const MAX_SHARDS = 1_000;

/** `npm run distribute`: spreads the database over the nodes of a cluster while the server runs. */
async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      'dry-run': { type: 'boolean', default: false },
      shards: { type: 'string' },
      offline: { type: 'boolean', default: false },
    },
  });
  const shards = values.shards === undefined ? undefined : Number(values.shards);
  if (shards !== undefined && !(Number.isInteger(shards) && shards >= 1 && shards <= MAX_SHARDS))
    throw new UsageError(`--shards takes a whole number from 1 to ${MAX_SHARDS}.`);
  const { databaseUrl } = readConfig();
  if (databaseUrl === undefined)
    throw new Error('DATABASE_URL is not set: the embedded database is for one machine and stays whole.');
  const db = connect(databaseUrl, 2);
  try {
    if ((await pendingMigrations(db)).length > 0)
      throw new Error('The database lacks migrations: start the server once, or run npm run migrate.');
    const online = !values.offline;
    const cluster = await readCluster(db);
    const refused = await refusals(db, cluster, online);
    if (cluster === undefined || refused.length > 0) throw new Error(refused.join('\n'));
    const steps = await planDistribution(db, cluster, { shards, online });
    if (steps.length === 0) return say('The database is distributed: there is nothing to do.');
    if (values['dry-run']) {
      for (const { what } of steps) say(`Would do: ${what}.`);
      return say(`${steps.length} steps; nothing was changed.`);
    }
    let done = 0;
    await distribute(db, steps, {
      onWait: (what) => say(`Waits for a table that is in use, and tries again: ${what}.`),
      onDone: (what) => {
        done += 1;
        say(`${done} of ${steps.length}: ${what}.`);
      },
    });
    await auditCommand(db, 'distribute', { changes: changesOf({}, { steps: done }) });
    say('The database is distributed. npm run doctor says where what lives.');
  } finally {
    await db.destroy();
  }
}

const USAGE = `npm run distribute -- [--dry-run] [--shards N] [--offline]
Spreads the database of DATABASE_URL over the nodes of a Citus cluster, by site, while the server runs. Broken off, it
goes on where it was when it is called again.
  --dry-run   says what would be done, and changes nothing
  --shards N  parts that the sites are spread over (default: citus.shard_count of the server)
  --offline   copies large tables while writes wait; needs no logical replication`;

export const distributeCommand: Command = { usage: USAGE, run };
