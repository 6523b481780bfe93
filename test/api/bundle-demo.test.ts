import { cloneDatabase } from '../helpers/database';
import { load } from '../helpers/http/files';
import { startServer } from '../helpers/server';

let database: Awaited<ReturnType<typeof cloneDatabase>>;
beforeEach(async () => {
  database = await cloneDatabase();
});
afterEach(() => database.drop());

/** Starts a server with a demo site on the same database each time, and gives what its script was made of. */
async function demo(variables: Record<string, string> = {}) {
  const server = await startServer({
    databaseUrl: database.url,
    variables: { DEMO: 'on', ROLE: 'api', ...variables },
  });
  try {
    const { db } = server.service.context;
    const { token } = await db('environments').where({ demo: true }).first('token');
    const { status, text } = await load(`${server.url}/api/bundles/${token}.js`);
    const [, hash = ''] = /^\/\*! Avow (\S+) \*\//.exec(text) ?? [];
    const { config } = await db('bundles').where({ hash }).first('config');
    const made = await db('bundles').select('hash');
    return { status, hash, server: config.server, port: server.service.port, bundles: made.length };
  } finally {
    await server.stop();
  }
}

test('the demo site has a banner from the start, which speaks to this server', async () => {
  const { status, server, port } = await demo();
  expect([status, server]).toEqual([200, `http://localhost:${port}`]);
});

test('a start at another address publishes it again, and one at the same address does not', async () => {
  const here = { PUBLIC_URL: 'https://consent.example.com' };
  const first = await demo(here);
  expect(await demo(here)).toMatchObject({ hash: first.hash, bundles: 1 });
  const moved = await demo({ PUBLIC_URL: 'https://moved.example.com' });
  expect(moved).toMatchObject({ server: 'https://moved.example.com', bundles: 2 });
  expect(moved.hash).not.toBe(first.hash);
});
