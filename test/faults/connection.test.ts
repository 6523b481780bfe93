import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isUnavailable } from '../../server/src/db/errors';
import { connect } from '../../server/src/db/knex';
import { notOnCluster } from '../helpers/cluster/skip';
import { cloneDatabase } from '../helpers/database';
import { ServerProcess } from '../helpers/processes/child';
import { miscounted, missing, query } from '../helpers/processes/evidence';
import { endAll, Load } from '../helpers/processes/load';
import { Wire } from '../helpers/processes/wire';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let proxy: Wire;

beforeAll(async () => {
  database = await cloneDatabase();
  proxy = await Wire.to(database.url);
});

afterAll(async () => {
  await endAll();
  await proxy.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const WHY = 'it cuts the way to one server, and decisions go to each node directly; test/cluster ends nodes';

notOnCluster(WHY)(
  'connections to the database are cut and refused under load: no 500, nothing acknowledged is lost',
  async () => {
    const server = await ServerProcess.start({ DATABASE_URL: proxy.url, DATA_DIR: folder, DEMO: 'on' });
    const token = await server.demoToken();
    const load = new Load({ urls: () => [server.url], token });
    const more = (n: number): Promise<unknown> => {
      const before = load.seen.acknowledged.length;
      return until('more decisions are acknowledged', () => load.seen.acknowledged.length >= before + n);
    };
    for (let round = 0; round < 10; round += 1) {
      await more(50);
      proxy.cut();
    }
    proxy.refusing = true;
    proxy.cut();
    await until('the probe says so', async () => (await server.readiness()) === 503);
    proxy.refusing = false;
    await more(100);
    const seen = await load.stop();
    expect(seen.faults).toEqual([]);
    expect(seen.broken).toBe(0);
    expect(seen.slowest).toBeLessThan(8_000);
    expect(await missing(database.url, seen.acknowledged)).toEqual([]);
    expect(await miscounted(database.url, token)).toEqual([]);
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    const left =
      "SELECT pid FROM pg_stat_activity WHERE datname = $1 AND application_name ~ '^avow( |$)' AND pid <> pg_backend_pid()";
    await until(
      'no connection is left',
      async () => (await query(database.url, left, [database.name])).length <= 1,
    );
  },
);

test('a connection that falls silent is given up, and the next one works', async () => {
  const db = connect(proxy.url, 1, { silenceMs: 500 });
  try {
    await db.raw('SELECT 1');
    proxy.freeze();
    const error = await db.raw('SELECT 2').catch((thrown: Error) => thrown);
    expect(isUnavailable(error)).toBe(true);
    proxy.thaw();
    expect((await db.raw('SELECT 3 AS n')).rows).toEqual([{ n: 3 }]);
  } finally {
    proxy.thaw();
    await db.destroy();
  }
});
