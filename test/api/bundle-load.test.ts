import type { Site } from '../../server/src/ingest/site';
import { notOnCluster } from '../helpers/cluster/skip';
import { cloneDatabase } from '../helpers/database';
import { load } from '../helpers/http/files';
import { Wire } from '../helpers/processes/wire';
import { startServer, type TestServer } from '../helpers/server';
import { eventually } from '../helpers/until';

const NO_HASH = 'AAAAAAAAAAAAAAAAAAAAAAAA';
const limited = { RATE_LIMIT: 'on', ROLE: 'api', TRUST_PROXY: '1' };
const from = (address: string) => ({ 'X-Forwarded-For': address });

test.each([true, false])('a busy site’s files are never refused (visitor host: %s)', async (visitorHost) => {
  const limits = { perAddress: 3, perSite: 5 };
  const server = await startServer({ limits, visitorHost, variables: limited });
  try {
    const { client, token } = await server.site({ languages: ['en', 'de'] });
    const { hash } = await client.generateBundle({ token });
    const base = `${server.url}/api/bundles/${token}`;
    for (let i = 0; i < 20; i += 1) {
      for (const url of [
        `${base}.js`,
        `${base}/${hash}.js`,
        `${base}/${hash}/vendors`,
        `${base}/${hash}/texts/de`,
      ])
        expect((await load(url, from('203.0.113.1'))).status).toBe(200);
    }
  } finally {
    await server.stop();
  }
});

test.each([true, false])(
  'who guesses hashes or languages waits; others do not (visitor host: %s)',
  async (visitorHost) => {
    const server = await startServer({
      limits: { perAddress: 3, perSite: 1000 },
      visitorHost,
      variables: limited,
    });
    try {
      const { client, token } = await server.site();
      const { hash } = await client.generateBundle({ token });
      const base = `${server.url}/api/bundles/${token}`;
      for (const [guess, address] of [
        [`${base}/${NO_HASH}.js`, '203.0.113.1'],
        [`${base}/${hash}/texts/fr`, '203.0.113.2'],
      ] as const) {
        const statuses = [];
        for (let i = 0; i < 8; i += 1) statuses.push((await load(guess, from(address))).status);
        expect(statuses[0]).toBe(404);
        expect(statuses).toContain(429);
        expect((await load(`${base}.js`, from(address))).status).toBe(200);
        expect((await load(guess, from('203.0.113.3'))).status).toBe(404);
      }
    } finally {
      await server.stop();
    }
  },
);

test.each([true, false])(
  'a language that was added to the settings since is looked for once (visitor host: %s)',
  async (visitorHost) => {
    const server = await startServer({ visitorHost, variables: limited });
    try {
      const { client, token } = await server.site({ languages: ['en', 'fr'] });
      const { hash } = await client.generateBundle({ token, body: { languages: ['en'] } });
      const missing = () => load(`${server.url}/api/bundles/${token}/${hash}/texts/fr`);
      expect((await missing()).status).toBe(404);
      const read: string[] = [];
      server.service.context.db.on('query', ({ sql }: { sql: string }) => read.push(sql));
      for (let n = 0; n < 10; n += 1) expect((await missing()).status).toBe(404);
      expect(read.filter((sql) => sql.includes('"bundles"'))).toEqual([]);
    } finally {
      await server.stop();
    }
  },
);

test.each([true, false])(
  'earlier bundles that are not in memory are limited; those that are, are not (visitor host: %s)',
  async (visitorHost) => {
    const limits = { perAddress: 3, perSite: 1000 };
    const server = await startServer({ limits, visitorHost, variables: limited });
    try {
      const { client, token } = await server.site();
      const hashes: string[] = [];
      for (let n = 0; n < 7; n += 1) {
        await client.updateEnvironment({ token, body: { settings: { policy_version: `v${n}` } } });
        hashes.push((await client.generateBundle({ token })).hash);
      }
      const base = `${server.url}/api/bundles/${token}`;
      const status = async (hash: string, address = '203.0.113.1') =>
        (await load(`${base}/${hash}/vendors`, from(address))).status;
      const statuses = [];
      for (const hash of hashes.slice(0, 6)) statuses.push(await status(hash));
      expect(statuses[0]).toBe(200);
      expect(statuses).toContain(429);
      for (let n = 0; n < 5; n += 1)
        expect([await status(hashes[0] as string), await status(hashes[6] as string)]).toEqual([200, 200]);
    } finally {
      await server.stop();
    }
  },
);

test('a crowd that comes right after a publication waits for one look-up and is served', async () => {
  const server = await startServer({ variables: { ROLE: 'api' } });
  try {
    const { client, token } = await server.site();
    const { hash } = await client.generateBundle({ token });
    const { db, files } = server.service.context;
    const { id: environmentId } = await db('environments').where({ token }).first('id');
    const crowd = Array.from({ length: 5_000 }, () =>
      files.find({ environmentId, maker: 'one', hash, part: 'script' }),
    );
    expect(new Set(await Promise.all(crowd)).size).toBe(1);
    const none = { environmentId, maker: 'one', hash: NO_HASH, part: 'script' } as const;
    expect([await files.find(none), await files.find(none)]).toEqual([undefined, undefined]);
  } finally {
    await server.stop();
  }
});

test('files of one site that many ask for at once keep the script of another one waiting no longer', async () => {
  const server = await startServer({ variables: { ROLE: 'api' } });
  try {
    const { db, files } = server.service.context;
    const languages = [...'en de fr es it nl pl pt sv da fi cs sk hu ro bg el hr sl et'.split(' ')];
    const publish = async (maker: string, settings?: object) => {
      const { client, token } = await server.site(settings);
      const { hash } = await client.generateBundle({ token });
      const { id: environmentId } = await db('environments').where({ token }).first<{ id: string }>('id');
      return { environmentId, maker, hash };
    };
    const [busy, other] = [await publish('one', { languages }), await publish('one')];
    const order: string[] = [];
    const all = languages.map((language) =>
      files.find({ ...busy, part: 'texts', language }).then(() => order.push('busy')),
    );
    all.push(files.find({ ...other, part: 'script' }).then(() => order.push('other')));
    await Promise.all(all);
    expect(order).toHaveLength(languages.length + 1);
    expect(order.indexOf('other')).toBeLessThan(languages.length / 2);
  } finally {
    await server.stop();
  }
});

test('files of many sites that one person has made keep those of another person’s site waiting no longer', async () => {
  const server = await startServer({ variables: { ROLE: 'api' } });
  try {
    const { sites, files } = server.service.context;
    const { client } = await server.person();
    const other = await server.site();
    const publish = async (owner: typeof client, token: string) => {
      const { hash } = await owner.generateBundle({ token });
      const { id: environmentId, maker } = (await sites.find(token)) as Site;
      return { environmentId, maker, hash, part: 'script' as const };
    };
    const wanted = [];
    for (let n = 0; n < 20; n += 1) {
      const { token } = await client.createEnvironment({
        body: { name: `Shop ${n}`, domain: `s${n}.example` },
      });
      wanted.push(await publish(client, token));
    }
    wanted.push(await publish(other.client, other.token));
    const order: number[] = [];
    await Promise.all(wanted.map((one, n) => files.find(one).then(() => order.push(n))));
    expect(order).toHaveLength(21);
    expect(order.indexOf(20)).toBeLessThan(10);
  } finally {
    await server.stop();
  }
});

test('a file is sent quickly compressed at first, and compressed well soon after', async () => {
  const server = await startServer({ variables: { ROLE: 'api' } });
  try {
    const { client, token } = await server.site();
    await client.generateBundle({ token });
    const get = () => load(`${server.url}/api/bundles/${token}.js`, { 'Accept-Encoding': 'br' });
    const first = await get();
    const later = await eventually(get, ({ headers }) => headers.etag !== first.headers.etag);
    expect(later.text).toBe(first.text);
    expect(later.bytes.length).toBeLessThan(first.bytes.length);
  } finally {
    await server.stop();
  }
});

describe('while the database is away', () => {
  let server: TestServer;
  let wire: Wire;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const database = await cloneDatabase();
    drop = database.drop;
    wire = await Wire.to(database.url);
    server = await startServer({ databaseUrl: wire.url, variables: { ROLE: 'api' } });
  });
  afterAll(async () => {
    await server.stop();
    await wire.close();
    await drop();
  });

  const onPlain = notOnCluster('it cuts the way to one server, and visitors read from any node there');
  onPlain('what was loaded before is still served, and what was not says when to come again', async () => {
    const { client, token } = await server.site();
    const { hash } = await client.generateBundle({ token });
    const base = `${server.url}/api/bundles/${token}`;
    const before = await load(`${base}.js`);
    wire.refusing = true;
    wire.cut();
    // Longer than a site is trusted without a look at the database.
    await eventually(
      async () => server.service.context.sites.peek(token),
      (site) => site === undefined,
    );
    for (const url of [`${base}.js`, `${base}/${hash}.js`]) {
      const { status, text } = await load(url);
      expect([status, text]).toEqual([200, before.text]);
    }
    const { status, headers } = await load(`${base}/${hash}/vendors`);
    expect([status, Number(headers['retry-after']) > 0]).toEqual([503, true]);
    wire.refusing = false;
    await eventually(
      () => load(`${base}/${hash}/vendors`),
      (answer) => answer.status === 200,
    );
  });
});
