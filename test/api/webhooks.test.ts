import { randomUUID } from 'node:crypto';
import type { Input } from '@avow/sdk';
import { deleteDeliveries } from '../../server/src/webhooks/delete-deliveries';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { type TestServer, useServer } from '../helpers/server';
import { member, rowsIn } from '../helpers/site/people';

// Nothing is sent: the receivers of these tests are nobody's.
const NOTHING_SENT = { ROLE: 'api' };
const URL_OF_NOBODY = 'https://93.184.215.14/hooks/avow';
const ALL = [
  ...(['consent.accept_all', 'consent.reject_all', 'consent.save_preferences'] as const),
  ...(['dsar.created', 'dsar.resolved', 'breach.created', 'breach.reported'] as const),
];

const server = useServer({ variables: NOTHING_SENT });

type Site = Awaited<ReturnType<TestServer['site']>>;
type Created = Input<'createWebhook'>['body'];
const create = ({ client, token }: Site, given: object = {}) =>
  client.createWebhook({ token, body: { url: URL_OF_NOBODY, events: '*', ...given } as Created });

describe('creating', () => {
  test('shows the webhook with its secret, this once', async () => {
    const site = await server.site();
    const { client, token } = site;
    const { secret, ...webhook } = await create(site, { description: 'CRM' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(webhook).toEqual({
      webhook_id: expect.any(String),
      url: URL_OF_NOBODY,
      events: '*',
      method: 'POST',
      description: 'CRM',
      status: 'active',
      consecutive_failures: 0,
      ...{ retry_at: null, last_error: null, last_success_at: null },
      ...{ disabled_at: null, disabled_reason: null, held: 0, pending: 0 },
      ...{ previous_secret_until: null, paused_at: null, header_names: [] },
      created_by: { user_id: site.userId, name: 'Ada Owner', email: site.email, role: 'owner' },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const { webhook_id } = webhook;
    const shown = [
      await client.getWebhook({ token, webhook_id }),
      (await client.listWebhooks({ token })).items[0],
      await client.updateWebhook({ token, webhook_id, body: {} }),
    ];
    for (const one of shown) {
      expect(one).toMatchObject({ webhook_id, url: URL_OF_NOBODY });
      expect(JSON.stringify(one)).not.toContain('whsec_');
    }
  });

  test('gives every webhook a secret of its own', async () => {
    const site = await server.site();
    const secrets = new Set<string>();
    for (let count = 0; count < 5; count += 1) secrets.add((await create(site)).secret);
    expect(secrets.size).toBe(5);
  });

  test('repeated with its key answers with the very same webhook and secret, and makes one', async () => {
    const { client, token } = await server.site();
    const body = { url: URL_OF_NOBODY, events: '*' as const };
    const options = { idempotencyKey: randomUUID() };
    const first = await client.createWebhook({ token, body }, options);
    expect(await client.createWebhook({ token, body }, options)).toEqual(first);
    const atOnce = { idempotencyKey: randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => client.createWebhook({ token, body }, atOnce)),
    );
    expect(new Set(answers.map(({ secret }) => secret)).size).toBe(1);
    expect(answers[0]?.secret).not.toBe(first.secret);
    expect((await client.listWebhooks({ token })).items).toHaveLength(2);
    const other = { ...body, description: 'Another' };
    expect((await refusal(client.createWebhook({ token, body: other }, options))).status).toBe(409);
  });

  test("does not show one owner's secret to another one with the same key", async () => {
    const site = await server.site();
    const other = await member(server, site, 'owner');
    const options = { idempotencyKey: randomUUID() };
    const input = { token: site.token, body: { url: URL_OF_NOBODY, events: '*' as const } };
    const mine = await site.client.createWebhook(input, options);
    const theirs = await other.client.createWebhook(input, options);
    expect(theirs.secret).not.toBe(mine.secret);
  });

  test.each([[['dsar.created']], [['breach.reported', 'consent.accept_all']], [ALL]])(
    'subscribes to %j in the order given',
    async (events) => {
      const site = await server.site();
      const { webhook_id } = await create(site, { events });
      expect((await site.client.getWebhook({ token: site.token, webhook_id })).events).toEqual(events);
    },
  );

  test.each([
    ['no event', []],
    ['an event twice', ['dsar.created', 'dsar.created']],
    ['an unknown event', ['dsar.deleted']],
    ['a known and an unknown event', ['dsar.created', 'x']],
    ['everything in a list', ['*']],
    ['everything and an event', ['*', 'dsar.created']],
    ['a pattern', 'dsar.*'],
    ['one name without a list', 'dsar.created'],
    ['nothing', null],
    ['an object', { 0: 'dsar.created' }],
  ])('refuses a subscription to %s', async (_, events) => {
    const site = await server.site();
    const error = await refusal(create(site, { events }));
    expect([error.status, error.code]).toEqual([400, 'validation_failed']);
    expect(pathsOf(error).every((path) => /^body\.events(\.\d)?$/.test(path))).toBe(true);
    expect(await rowsIn(server, 'webhooks', site.token)).toEqual([]);
  });

  test.each(['POST', 'GET'] as const)('takes the method %s', async (method) => {
    expect((await create(await server.site(), { method })).method).toBe(method);
  });

  test.each([
    ['another method', { method: 'PUT' }, ['body.method']],
    ['a method in lower case', { method: 'get' }, ['body.method']],
    ['an empty description', { description: '' }, ['body.description']],
    ['a description of 301 characters', { description: 'd'.repeat(301) }, ['body.description']],
    ['a secret of its own', { secret: `whsec_${'A'.repeat(43)}=` }, ['body.secret']],
    ['a state of its own', { status: 'active' }, ['body.status']],
  ])('refuses %s', async (_, given, paths) => {
    const error = await refusal(create(await server.site(), given));
    expect([error.status, pathsOf(error)]).toEqual([400, paths]);
  });

  test.each([
    ...[
      '',
      'receiver.example.com',
      '/hooks',
      '//93.184.215.14/',
      'https://',
      'https:///hooks',
      'https://:443',
    ],
    ...['http://93.184.215.14/', 'ftp://93.184.215.14/', 'javascript:alert(1)', 'file:///etc/passwd'],
    ...['gopher://93.184.215.14/', 'https://93.184.215.14:99999/', 'https://exa mple.com/', 'https://a\nb/'],
    ...['https://user:pass@93.184.215.14/', 'https://user@93.184.215.14/', 'https://:pass@93.184.215.14/'],
    ...['https://127.0.0.1/', 'https://127.1/', 'https://2130706433/', 'https://0x7f000001/'],
    ...['https://0177.0.0.1/', 'https://0/', 'https://0.0.0.0/', 'https://127.0.0.1./', 'https://①②⑦.0.0.1/'],
    ...['https://localhost/', 'https://LOCALHOST/', 'https://localhost./', 'https://a.localhost/'],
    ...['https://[::1]/', 'https://[::]/', 'https://[::ffff:127.0.0.1]/', 'https://[::ffff:7f00:1]/'],
    ...['https://[::127.0.0.1]/', 'https://[64:ff9b::7f00:1]/', 'https://[64:ff9b::a9fe:a9fe]/'],
    ...['https://[2002:7f00:1::]/', 'https://[2001:db8::1]/', 'https://[fc00::1]/', 'https://[fe80::1]/'],
    ...['https://[fe80::1%25eth0]/', 'https://[ff02::1]/', 'https://[fd00:ec2::254]/', 'https://[fec0::1]/'],
    ...['https://10.0.0.1/', 'https://172.16.0.1/', 'https://172.31.255.255/', 'https://192.168.1.1/'],
    ...['https://169.254.169.254/latest/meta-data/', 'https://100.64.0.1/', 'https://100.100.100.200/'],
    ...['https://192.0.2.1/', 'https://198.18.0.1/', 'https://203.0.113.1/', 'https://224.0.0.1/'],
    ...['https://255.255.255.255/', 'https://240.0.0.1/', 'https://168.63.129.16/'],
    'https://receiver.invalid/',
  ])('refuses the URL %j', async (url) => {
    const site = await server.site();
    const error = await refusal(create(site, { url }));
    expect([error.status, error.code, pathsOf(error)]).toEqual([400, 'validation_failed', ['body.url']]);
    expect(await rowsIn(server, 'webhooks', site.token)).toEqual([]);
    const { webhook_id } = await create(site);
    const change = site.client.updateWebhook({ token: site.token, webhook_id, body: { url } });
    expect(pathsOf(await refusal(change))).toEqual(['body.url']);
    const { url: kept } = await site.client.getWebhook({ token: site.token, webhook_id });
    expect(kept).toBe(URL_OF_NOBODY);
  });

  test('refuses a URL of more than 2,048 characters', async () => {
    const url = `https://93.184.215.14/${'a'.repeat(2048)}`;
    expect(pathsOf(await refusal(create(await server.site(), { url })))).toEqual(['body.url']);
  });

  test.each(['https://93.184.215.14/', 'https://93.184.215.14:8443/a?b=c', 'https://[2606:2800:21f::1]/x'])(
    'takes the URL %s as it is',
    async (url) => {
      expect((await create(await server.site(), { url })).url).toBe(url);
    },
  );

  test('names every fault of a request at once', async () => {
    const error = await refusal(
      create(await server.site(), { url: 'x', events: [], method: 'PUT', more: 1 }),
    );
    expect(pathsOf(error)).toEqual(['body.events', 'body.method', 'body.more', 'body.url']);
  });

  test('ends at a hundred webhooks of an environment', async () => {
    const site = await server.site();
    const { webhook_id } = await create(site);
    await server.service.context.db.raw(
      `INSERT INTO webhooks SELECT (jsonb_populate_record(w, jsonb_build_object('webhook_id', gen_random_uuid()))).*
       FROM webhooks w, generate_series(1, 99) WHERE w.webhook_id = ?`,
      [webhook_id],
    );
    const error = await refusal(create(site));
    expect([error.status, error.code]).toEqual([409, 'conflict']);
    expect(error.message).toMatch(/at most 100 webhooks: delete one/);
    await server.service.context.db('webhooks').where({ url: URL_OF_NOBODY }).delete();
  });
});

describe('updating', () => {
  test('changes what is given and keeps the rest, the secret too', async () => {
    const site = await server.site();
    const { client, token } = site;
    const { secret: _, ...webhook } = await create(site, { description: 'CRM' });
    const { webhook_id } = webhook;
    const [before] = await rowsIn(server, 'webhooks', token);
    const changes = [
      { url: 'https://93.184.215.14/new' },
      { events: ['dsar.created', 'breach.created'] as ('dsar.created' | 'breach.created')[] },
      { method: 'GET' as const },
      { description: null },
      { events: '*' as const, description: 'Both' },
    ];
    let expected: object = webhook;
    for (const body of changes) {
      expected = { ...expected, ...body, updated_at: expect.any(String) };
      expect(await client.updateWebhook({ token, webhook_id, body })).toEqual(expected);
      expect(await client.getWebhook({ token, webhook_id })).toEqual(expected);
    }
    const [after] = await rowsIn(server, 'webhooks', token);
    expect(after.secret).toEqual(before.secret);
    expect(after.updated_at.getTime()).toBeGreaterThan(before.updated_at.getTime());
  });

  test.each([
    [{ events: [] }, /^body\.events/],
    [{ events: ['dsar.created', 'dsar.created'] }, /^body\.events/],
    [{ events: null }, /^body\.events/],
    [{ method: 'DELETE' }, /^body\.method$/],
    [{ url: null }, /^body\.url$/],
    [{ description: 'd'.repeat(301) }, /^body\.description$/],
    [{ status: 'active' }, /^body\.status$/],
    [{ secret: 'whsec_mine' }, /^body\.secret$/],
    [{ consecutive_failures: 0 }, /^body\.consecutive_failures$/],
  ])('refuses %j', async (body, path) => {
    const site = await server.site();
    const { webhook_id } = await create(site);
    const input = { token: site.token, webhook_id, body: body as Input<'updateWebhook'>['body'] };
    const error = await refusal(site.client.updateWebhook(input));
    expect(error.status).toBe(400);
    for (const one of pathsOf(error)) expect(one).toMatch(path);
  });
});

describe('listing', () => {
  test('is newest first, by pages and by status', async () => {
    const site = await server.site();
    const { client, token } = site;
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await create(site)).webhook_id);
    const seen: string[] = [];
    for await (const { webhook_id } of client.listWebhooks.each({ token, limit: 2 })) seen.push(webhook_id);
    expect(seen).toEqual(ids);
    const { db } = server.service.context;
    await db('webhooks').where({ webhook_id: ids[0] }).update({ status: 'disabled' });
    await db('webhooks').where({ webhook_id: ids[1] }).update({ status: 'failing' });
    const byStatus = async (status: 'active' | 'failing' | 'disabled') =>
      (await client.listWebhooks({ token, status })).items.map(({ webhook_id }) => webhook_id);
    expect(await byStatus('disabled')).toEqual([ids[0]]);
    expect(await byStatus('failing')).toEqual([ids[1]]);
    expect(await byStatus('active')).toEqual(ids.slice(2));
    expect(pathsOf(await refusal(byStatus('lost' as 'active')))).toEqual(['query.status']);
  });
});

describe('deleting', () => {
  test('takes the deliveries along, and nothing of other webhooks', async () => {
    const site = await server.site();
    const { client, token } = site;
    const [gone, kept] = [(await create(site)).webhook_id, (await create(site)).webhook_id];
    await server.visitor.submitDsar({ token, body: { request_type: 'access', email: 'a@example.com' } });
    expect(await rowsIn(server, 'deliveries', token)).toHaveLength(2);
    expect(await client.deleteWebhook({ token, webhook_id: gone })).toEqual({ webhook_id: gone });
    // As a worker does it.
    await deleteDeliveries(server.service.context.db);
    const left = await rowsIn(server, 'deliveries', token);
    expect(left.map(({ webhook_id }) => webhook_id)).toEqual([kept]);
    expect((await client.listWebhooks({ token })).items.map(({ webhook_id }) => webhook_id)).toEqual([kept]);
    expect((await client.listEvents({ token })).items).toHaveLength(1);
    const calls = [
      client.getWebhook({ token, webhook_id: gone }),
      client.listDeliveries({ token, webhook_id: gone }),
      client.updateWebhook({ token, webhook_id: gone, body: {} }),
      client.rotateWebhookSecret({ token, webhook_id: gone }),
      client.reactivateWebhook({ token, webhook_id: gone }),
      client.testWebhook({ token, webhook_id: gone }),
      client.deleteWebhook({ token, webhook_id: gone }),
    ];
    for (const { status } of await Promise.all(calls.map(refusal))) expect(status).toBe(404);
  });
});

describe('an active webhook', () => {
  test('cannot be reactivated', async () => {
    const site = await server.site();
    const { webhook_id } = await create(site);
    const error = await refusal(site.client.reactivateWebhook({ token: site.token, webhook_id }));
    expect([error.status, error.code]).toEqual([409, 'conflict']);
    expect(error.message).toMatch(/already active: nothing is left to do\.$/);
  });
});

/** Every operation on one webhook, with the least role that it needs. */
const acts = ({ client, token }: Pick<Site, 'client' | 'token'>, webhook_id: string) => {
  const delivery_id = randomUUID();
  return {
    viewer: [
      () => client.listWebhooks({ token }),
      () => client.getWebhook({ token, webhook_id }),
      () => client.listDeliveries({ token, webhook_id }),
      () => client.listEvents({ token }),
      () => client.listWarnings({ token }),
    ],
    operator: [() => client.redeliver({ token, webhook_id, delivery_id })],
    owner: [
      () => client.createWebhook({ token, body: { url: URL_OF_NOBODY, events: '*' } }),
      () => client.updateWebhook({ token, webhook_id, body: { description: 'x' } }),
      () => client.rotateWebhookSecret({ token, webhook_id }),
      () => client.reactivateWebhook({ token, webhook_id }),
      () => client.deleteWebhook({ token, webhook_id }),
    ],
  };
};
const statusOf = async (act: () => Promise<unknown>): Promise<number> => {
  const [outcome] = await Promise.allSettled([act()]);
  return outcome?.status === 'rejected' ? outcome.reason.status : 200;
};

describe('roles', () => {
  const RANK = ['viewer', 'operator', 'owner'] as const;
  test.each(RANK)('the role %s may do what it allows, and no more', async (role) => {
    const site = await server.site();
    const { webhook_id } = await create(site);
    const { client } = await member(server, site, role);
    const table = acts({ client, token: site.token }, webhook_id);
    for (const needed of RANK) {
      for (const act of table[needed]) {
        const status = await statusOf(act);
        if (RANK.indexOf(role) < RANK.indexOf(needed)) expect(status).toBe(403);
        else expect([200, 404, 409]).toContain(status);
      }
    }
    const left = await rowsIn(server, 'webhooks', site.token);
    if (role !== 'owner') expect(left.map(({ webhook_id: id }) => id)).toEqual([webhook_id]);
  });

  test('a viewer may not send a test, an operator neither', async () => {
    const site = await server.site();
    const { webhook_id } = await create(site);
    for (const role of ['viewer', 'operator'] as const) {
      const { client } = await member(server, site, role);
      expect(await statusOf(() => client.testWebhook({ token: site.token, webhook_id }))).toBe(403);
    }
    expect(await rowsIn(server, 'deliveries', site.token)).toEqual([]);
  });

  test("somebody else's webhook is not found, by whatever address", async () => {
    const [mine, theirs] = [await server.site(), await server.site()];
    const { webhook_id } = await create(theirs);
    const before = await rowsIn(server, 'webhooks', theirs.token);
    const foreign = acts({ client: mine.client, token: theirs.token }, webhook_id);
    for (const act of Object.values(foreign).flat()) expect(await statusOf(act)).toBe(404);
    const { client, token } = mine;
    const strayed = [
      () => client.getWebhook({ token, webhook_id }),
      () => client.listDeliveries({ token, webhook_id }),
      () => client.redeliver({ token, webhook_id, delivery_id: randomUUID() }),
      () => client.updateWebhook({ token, webhook_id, body: { description: 'mine' } }),
      () => client.rotateWebhookSecret({ token, webhook_id }),
      () => client.reactivateWebhook({ token, webhook_id }),
      () => client.testWebhook({ token, webhook_id }),
      () => client.deleteWebhook({ token, webhook_id }),
    ];
    for (const act of strayed) expect(await statusOf(act)).toBe(404);
    expect(await rowsIn(server, 'webhooks', theirs.token)).toEqual(before);
    expect((await client.listWebhooks({ token })).items).toEqual([]);
  });

  test('without a login there is nothing to see', async () => {
    const site = await server.site();
    const { webhook_id } = await create(site);
    const base = `${server.url}/api/cookies/${site.token}`;
    for (const path of ['webhooks', `webhooks/${webhook_id}`, `webhooks/${webhook_id}/deliveries`, 'events'])
      expect((await fetch(`${base}/${path}`)).status).toBe(401);
  });
});

test('the host of a URL is asked for before the transaction begins: no connection waits for a name server', async () => {
  const site = await server.site();
  const { client, token } = site;
  const { networkPolicy, db } = server.service.context;
  const held: number[] = [];
  const asked = jest.spyOn(networkPolicy, 'lookup').mockImplementation(async () => {
    held.push(db.client.pool.numUsed());
    return [{ address: '93.184.215.14', family: 4 }];
  });
  const { webhook_id } = await create(site, { url: 'https://hooks.example.com/one' });
  const body = { url: 'https://hooks.example.com/two' };
  const updated = await client.updateWebhook({ token, webhook_id, body });
  asked.mockRestore();
  expect([updated.url, held]).toEqual([body.url, [0, 0]]);
});
