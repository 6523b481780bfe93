import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedded, startEmbedded } from '../../../server/src/db/embedded';
import { connect } from '../../../server/src/db/knex';
import { migrate } from '../../../server/src/db/migrate';
import { serveChromium } from '../browser/chromium';
import { engine, serveFirefox } from '../browser/engine';
import { offerBrowser } from '../browser/shared';
import { type Cluster, startCluster } from '../cluster/cluster.cjs';
import { createEmpty, databaseUrl, everywhere, NODES, onCluster, SERVER, TEMPLATE } from '../database';

declare global {
  var avowEmbedded: { embedded: Embedded; folder: string } | undefined;
  var avowBrowser: (() => Promise<void>) | undefined;
  var avowCluster: Cluster | undefined;
}

/**
 * Starts the database of the run (or takes TEST_DATABASE_URL, or makes the cluster that TEST_CLUSTER asks for) and
 * makes the template that every suite clones.
 */
export default async function setup(): Promise<void> {
  globalThis.avowBrowser = await offerBrowser(engine === 'firefox' ? serveFirefox : serveChromium);
  const given = process.env.TEST_DATABASE_URL;
  if (process.env.TEST_CLUSTER === '1') {
    const cluster = await startCluster();
    globalThis.avowCluster = cluster;
    process.env[SERVER] = cluster.url;
    process.env[NODES] = JSON.stringify(cluster.nodes.map(({ url }) => url));
  } else if (given === undefined || given === '') {
    const folder = mkdtempSync(join(tmpdir(), 'avow-test-'));
    // Durability is tested where it matters, with servers of those tests' own; here it would only cost time.
    const embedded = await startEmbedded({
      dataDir: folder,
      settings: { fsync: 'off', max_connections: '300' },
    });
    globalThis.avowEmbedded = { embedded, folder };
    process.env[SERVER] = embedded.url('postgres');
  } else {
    process.env[SERVER] = given;
  }
  const template = `avow_template_${process.pid}`;
  process.env[TEMPLATE] = template;
  await everywhere(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
  await createEmpty(template);
  const db = connect(databaseUrl(template), 2);
  await migrate(db);
  await db.destroy();
  if (onCluster())
    await everywhere([`ALTER DATABASE ${template} ALLOW_CONNECTIONS false`, endConnections(template)]);
}

const endConnections = (database: string): string =>
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`;
