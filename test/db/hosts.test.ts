import pg from 'pg';
import { Hosts } from '../../server/src/db/hosts';
import { connect } from '../../server/src/db/knex';
import { readHosts } from '../../server/src/db/read-hosts';
import { cloneDatabase } from '../helpers/database';
import { freePort } from '../helpers/processes/child';
import { Wire } from '../helpers/processes/wire';

describe('the address of a database', () => {
  test.each([
    ['postgres://u:p@one:5432/avow', ['postgres://u:p@one:5432/avow']],
    [
      'postgres://u:p%40ss@one:5432,two:6543/avow',
      ['postgres://u:p%40ss@one:5432/avow', 'postgres://u:p%40ss@two:6543/avow'],
    ],
    ['postgresql://one,two/avow', ['postgresql://one/avow', 'postgresql://two/avow']],
    [
      'postgres://u@[2001:db8::1]:1,two/avow?sslmode=disable',
      ['postgres://u@[2001:db8::1]:1/avow?sslmode=disable', 'postgres://u@two/avow?sslmode=disable'],
    ],
    ['postgres://u@/avow?host=one,two&port=7', ['postgres://u@one:7/avow', 'postgres://u@two:7/avow']],
    ['postgres://u@one,two/avow?port=1,2', ['postgres://u@one:1/avow', 'postgres://u@two:2/avow']],
    ['postgres://u@/avow?host=/run/pg&port=7', ['postgres://u@/avow?host=%2Frun%2Fpg&port=7']],
  ])('%s', (url, urls) => {
    expect(readHosts(url)).toEqual({ urls, target: 'any', timeout: undefined });
    for (const each of urls) expect(new pg.Client({ connectionString: each }).database).toBe('avow');
  });

  test('says which server is wanted, and how long one may take', () => {
    const { urls, target, timeout } = readHosts(
      'postgres://one,two/avow?target_session_attrs=prefer-standby&connect_timeout=3&ssl=0',
    );
    expect({ target, timeout }).toEqual({ target: 'prefer-standby', timeout: 3_000 });
    expect(urls).toEqual(['postgres://one/avow?ssl=0', 'postgres://two/avow?ssl=0']);
  });

  test.each([
    'postgres://u:s3cret@one/avow?target_session_attrs=master',
    'postgres://u:s3cret@one,two,three/avow?port=1,2',
    'postgres://u:s3cret@one:70000/avow',
    'postgres://u:s3cret@one:port/avow',
    'postgres://u:s3cret@one/avow?connect_timeout=soon',
    'mysql://u:s3cret@one/avow',
  ])('is refused without being quoted: %s', (url) => {
    const read = () => readHosts(url);
    expect(read).toThrow();
    expect(read).not.toThrow(/s3cret/);
  });
});

describe('hosts', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let wire: Wire;
  beforeAll(async () => {
    database = await cloneDatabase();
    wire = await Wire.to(database.url);
  });
  afterAll(async () => {
    await wire.close();
    await database.drop();
  });

  /** The database under its own address, after a number of others. */
  const behind = (hosts: string[], query = ''): string => {
    const url = new URL(database.url);
    return url.href.replace(url.host, [...hosts, url.host].join(',')) + query;
  };

  test('one that refuses or is silent is passed over, and then tried last', async () => {
    wire.freeze();
    const silent = new URL(wire.url).host;
    const hosts = new Hosts(behind([`127.0.0.1:${await freePort()}`, silent], '?connect_timeout=1'));
    const open = async (): Promise<number> => {
      const startedAt = performance.now();
      const client = await hosts.open({});
      await client.end();
      return performance.now() - startedAt;
    };
    expect(await open()).toBeGreaterThan(900);
    // The ratio is what counts: nobody waits for the silent one a second time.
    expect(await open()).toBeLessThan(900);
    wire.thaw();
  });

  test('a login that is refused ends the search: the others are not asked', async () => {
    const url = new URL(database.url);
    url.pathname = '/there_is_none';
    const hosts = new Hosts(url.href.replace(url.host, `${url.host},127.0.0.1:${await freePort()}`));
    await expect(hosts.open({})).rejects.toMatchObject({ code: '3D000' });
  });

  test('none that is a standby: said so, and prefer-standby takes a primary', async () => {
    await expect(new Hosts(behind([], '?target_session_attrs=standby')).open({})).rejects.toThrow(
      /no host .* is standby/,
    );
    for (const target of ['any', 'read-write', 'primary', 'prefer-standby']) {
      const client = await new Hosts(behind([], `?target_session_attrs=${target}`)).open({});
      await client.end();
    }
  });

  test('a session that may not write is none for read-write, and one for read-only', async () => {
    const name = database.name;
    const admin = await new Hosts(database.url).open({});
    await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await expect(new Hosts(behind([], '?target_session_attrs=read-write')).open({})).rejects.toMatchObject({
      code: '25006',
    });
    await (await new Hosts(behind([], '?target_session_attrs=read-only')).open({})).end();
    await admin.query('SET default_transaction_read_only = off');
    await admin.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await admin.end();
  });

  test('a refused write drops every connection of the pool, also those that only read', async () => {
    const db = connect(database.url, 2);
    const pid = async (): Promise<number> =>
      ((await db.raw('SELECT pg_backend_pid() AS pid')).rows[0] as { pid: number }).pid;
    const before = await pid();
    expect(await pid()).toBe(before);
    const refused = db.transaction(async (trx) => {
      await trx.raw('SET TRANSACTION READ ONLY');
      await trx.raw('UPDATE job_runs SET name = name');
    });
    await expect(refused).rejects.toMatchObject({ code: '25006' });
    expect(await pid()).not.toBe(before);
    await db.destroy();
  });
});
