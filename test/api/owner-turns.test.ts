import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

const server = useServer({
  variables: { ROLE: 'api', WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' },
});

/** Puts an account into the group of another, as an invitation does. */
const sponsor = (of: { userId: number }, by: { userId: number }) =>
  server.service.context.db('users').where({ id: of.userId }).update({ sponsor_id: by.userId });
const receiver = { url: 'http://127.0.0.1:9/hook', events: ['dsar.created' as const] };

/** Something that hangs until it is told to end, and how many have begun it. */
function hanging() {
  let end = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { gate, end };
}

test('however much one group of accounts asks for at once, others are answered', async () => {
  const [busy, other] = [await server.site(), await server.site()];
  const { db } = server.service.context;
  const { gate, end } = hanging();
  const { id } = await db('environments').where({ token: busy.token }).first('id');
  const locked = db.transaction(async (trx) => {
    await trx('environments').where({ id }).forUpdate();
    await gate;
  });
  let answered = 0;
  const crowd = Array.from({ length: 20 }, (_, n) =>
    busy.client.updateEnvironment({ token: busy.token, body: { name: `Shop ${n}` } }).finally(() => {
      answered += 1;
    }),
  );
  const { pool } = db.client;
  // The lock's, and those of the account.
  await until('they wait for the lock', () => pool.numUsed() >= 4);
  expect((await other.client.getEnvironment({ token: other.token })).token).toBe(other.token);
  // Whoever was invited by the busy account takes turns with it, and one turn is left to them.
  const invited = await server.person();
  await sponsor(invited, busy);
  expect((await invited.client.getMe()).id).toBe(invited.userId);
  expect(answered).toBe(0);
  end();
  await Promise.all([locked, ...crowd]);
});

test('whoever has slow domains checked leaves room for the checks of others', async () => {
  const { gate, end } = hanging();
  let begun = 0;
  const { context } = server.service;
  const { proveDomain } = context;
  context.proveDomain = async ({ domain }) => {
    if (domain.startsWith('fast')) return 'dns';
    begun += 1;
    await gate;
    return undefined;
  };
  try {
    const [busy, other] = [await server.person(), await server.person()];
    const owner = await server.person();
    await sponsor(busy, owner);
    const names = Array.from({ length: 6 }, (_, n) => `slow${n}.${randomUUID()}.example.com`);
    const [domain, ...domains] = names as [string, ...string[]];
    const { token } = await busy.client.createEnvironment({ body: { name: 'Slow', domain, domains } });
    const checks = names.map((name) => busy.client.checkDomain({ token, body: { domain: name } }));
    await until('one is at work', () => begun === 1);
    // Whoever invited the busy account, and others.
    const fast = `fast.${randomUUID()}.example.com`;
    for (const { client } of [owner, other]) {
      const site = await client.createEnvironment({ body: { name: 'Fast', domain: fast } });
      const proof = await client.checkDomain({ token: site.token, body: { domain: fast } });
      expect(proof.proven).toBe(true);
    }
    expect(begun).toBe(1);
    end();
    await Promise.all(checks);
  } finally {
    end();
    context.proveDomain = proveDomain;
  }
});

test('whoever has deliveries sent to silent receivers leaves room for those of others', async () => {
  const { gate, end } = hanging();
  const { dispatcher } = server.service.context;
  let begun = 0;
  const sent = jest.spyOn(dispatcher, 'sendNow').mockImplementation(async () => {
    begun += 1;
    await gate;
    throw new Error('stopped');
  });
  try {
    const busy = await server.site();
    const { webhook_id } = await busy.client.createWebhook({ token: busy.token, body: receiver });
    const crowd = Array.from({ length: 12 }, () =>
      busy.client.testWebhook({ token: busy.token, webhook_id }).catch(() => undefined),
    );
    await until('they are at work', () => begun >= 4);
    // Reads of the same account go on, and another account's delivery begins.
    expect((await busy.client.getWebhook({ token: busy.token, webhook_id })).webhook_id).toBe(webhook_id);
    expect(begun).toBe(4);
    const other = await server.site();
    const hook = await other.client.createWebhook({ token: other.token, body: receiver });
    const asked = { token: other.token, webhook_id: hook.webhook_id };
    const another = other.client.testWebhook(asked).catch(() => undefined);
    await until('that of the other account has begun', () => begun === 5);
    end();
    await Promise.all([...crowd, another]);
  } finally {
    end();
    sent.mockRestore();
  }
});

test('webhooks whose names do not resolve for long hold no turn', async () => {
  const { gate, end } = hanging();
  const { networkPolicy } = server.service.context;
  let asked = 0;
  const looked = jest.spyOn(networkPolicy, 'lookup').mockImplementation(async () => {
    asked += 1;
    await gate;
    return [{ address: '127.0.0.1', family: 4 }];
  });
  try {
    const busy = await server.site();
    const crowd = Array.from({ length: 10 }, (_, n) =>
      busy.client
        .createWebhook({ token: busy.token, body: { ...receiver, url: `http://h${n}.example.com/` } })
        .catch(() => undefined),
    );
    await until('they wait for the name server', () => asked >= 2);
    expect((await busy.client.getEnvironment({ token: busy.token })).token).toBe(busy.token);
    expect(asked).toBe(2);
    end();
    await Promise.all(crowd);
  } finally {
    end();
    looked.mockRestore();
  }
});

describe('downloads', () => {
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  /** A site whose records of processing are larger than what the system buffers. */
  async function large() {
    const categories = Array.from({ length: 30 }, (_, n) => ({
      ...{ key: `c${n}`, name: `Category ${n}`, description: 'Words', required: n === 0 },
    }));
    const site = await server.site({ categories });
    const keys = categories.map(({ key }) => key);
    const vendors = Array.from({ length: 1_000 }, (_, n) => ({
      ...{ id: n + 1, name: 'x'.repeat(200), purposes: [1], leg_int_purposes: [], urls: [] },
      ...{ categories: keys, cookies: [], country: 'US', transfer_safeguard: 'x'.repeat(250) },
    }));
    await site.client.replaceVendors({ token: site.token, body: { vendors } } as never);
    const { token: bearer } = await server.service.context.tokens.issue(site.userId);
    return { ...site, bearer };
  }

  /** Begins a download and takes little of it. */
  function begin({ token, bearer }: { token: string; bearer: string }): { begun: boolean; socket: Socket } {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    const download = { begun: false, socket };
    socket.once('readable', () => {
      download.begun = String(socket.read()).startsWith('HTTP/1.1 200 ');
    });
    const head = [
      `GET /api/cookies/${token}/ropa-export HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${bearer}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    return download;
  }

  test('that nobody reads are few at once; the next one begins when one of them ends', async () => {
    const busy = await large();
    const slow = Array.from({ length: 3 }, () => begin(busy));
    await until('three have begun', () => slow.every(({ begun }) => begun));
    const next = begin(busy);
    // Others of the group, and what is no download, go on.
    const invited = await server.site();
    await sponsor(invited, busy);
    const { token } = await server.service.context.tokens.issue(invited.userId);
    const other = begin({ token: invited.token, bearer: token });
    await until('that of the invited account has begun', () => other.begun);
    expect((await busy.client.getMe()).id).toBe(busy.userId);
    expect(next.begun).toBe(false);
    slow[0]?.socket.destroy();
    await until('the next one has begun', () => next.begun);
  });

  test('that three invited accounts do not read leave a place to whoever invited them', async () => {
    const owner = await large();
    const { tokens, db } = server.service.context;
    const { id } = await db('environments').where({ token: owner.token }).first('id');
    const slow: ReturnType<typeof begin>[] = [];
    for (let n = 0; n < 3; n += 1) {
      const viewer = await server.person();
      await sponsor(viewer, owner);
      const member = { environment_id: id, user_id: viewer.userId, role: 'viewer', added_at: new Date() };
      await db('members').insert(member);
      const { token: bearer } = await tokens.issue(viewer.userId);
      slow.push(...Array.from({ length: 3 }, () => begin({ token: owner.token, bearer })));
    }
    // The first of each, and four more.
    await until('seven have begun', () => slow.filter(({ begun }) => begun).length >= 7);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const own = begin(owner);
    await until('that of the owner has begun', () => own.begun);
  });
});

test('a list of many sites takes one connection', async () => {
  const { client } = await server.site();
  for (let n = 0; n < 8; n += 1)
    await client.createEnvironment({ body: { name: `Shop ${n}`, domain: `${randomUUID()}.example.com` } });
  const database = new pg.Client(server.databaseUrl);
  await database.connect();
  await database.query('BEGIN; LOCK TABLE breaches IN ACCESS EXCLUSIVE MODE');
  const list = client.listEnvironments();
  const { pool } = server.service.context.db.client;
  try {
    await until('it waits', async () => {
      const { rows } = await database.query(
        // Of this database alone: suites share a server.
        'SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE NOT granted AND datname = current_database()',
      );
      return rows.length > 0;
    });
    expect(pool.numUsed()).toBe(1);
  } finally {
    await database.query('ROLLBACK');
    await database.end();
  }
  expect((await list).items).toHaveLength(9);
});
