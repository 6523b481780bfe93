import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { connect } from '../../server/src/db/knex';
import { WebhookRow } from '../../server/src/db/models';
import { webhooksWithWork } from '../../server/src/webhooks/backlog';
import { leaseDeliveries } from '../../server/src/webhooks/lease-deliveries';
import { useServer } from '../helpers/server';

jest.setTimeout(60_000);

// Sends nothing.
const server = useServer({ variables: { ROLE: 'api' } });
let one: Knex;
afterAll(() => one?.destroy());

const WAITING = 5_000;

/** A webhook, and a way to have so many of its deliveries wait. */
async function waiting(events: ('dsar.created' | 'consent.accept_all')[]) {
  one ??= connect(server.databaseUrl, 1);
  const { client, token } = await server.site();
  const { webhook_id } = await client.createWebhook({
    token,
    body: { url: 'https://93.184.216.34/', events },
  });
  const hook = await WebhookRow.query(one).findOne({ webhook_id }).throwIfNotFound();
  const deliver = (n: number, attempts: number, due: string, event = 'dsar.created') =>
    one.raw(
      `INSERT INTO deliveries (environment_id, delivery_id, webhook_id, event_id, event, event_at, kind, state, attempts, due_at, created_at)
       SELECT :environment_id, gen_random_uuid(), :webhook_id, gen_random_uuid(), :event, now(), 'event', 'pending', :attempts,
         now() + :due::interval, now() - interval '1 day' + n * interval '1 second' FROM generate_series(1, :n::int) AS n`,
      { environment_id: hook.environment_id, webhook_id, n, attempts, due, event },
    );
  return { hook, webhook_id, deliver };
}

const costs = async (work: () => Promise<unknown>): Promise<number> => {
  const before = await read();
  await work();
  return (await read()) - before;
};

/** Entries of deliveries that were read so far, of which the database counts what this one connection reads. */
async function read(): Promise<number> {
  await one.raw('SELECT pg_stat_force_next_flush()');
  const { rows } = await one.raw<{ rows: { n: string }[] }>(
    `SELECT (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'deliveries')
       + (SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'deliveries') AS n`,
  );
  return Number(rows[0]?.n);
}

test('however much a receiver lets wait for hours, it is not read again each time something is sent', async () => {
  const { hook, webhook_id, deliver } = await waiting(['dsar.created', 'consent.accept_all']);
  await deliver(WAITING, 1, '1 hour');
  await one.raw('ANALYZE deliveries');
  const now = new Date(Date.now() + 60_000);
  const until = new Date(now.getTime() + 60_000);
  const lease = (inOrder: boolean) =>
    one.transaction(async (trx) => {
      const at = { token: randomUUID(), now, until };
      const leased = await leaseDeliveries(trx, hook, at, {
        ...{ inOrder, inFlight: 10, most: 10, before: null },
      });
      if (leased.length > 0)
        await trx('deliveries').where({ webhook_id }).update({ lease: null, lease_until: null });
      return leased.map(({ delivery }) => delivery.attempts);
    });
  expect(await webhooksWithWork(one)).toEqual([]);
  for (const work of [() => webhooksWithWork(one), () => lease(true), () => lease(false)])
    expect(await costs(work)).toBeLessThan(WAITING / 50);
  // What is due is found behind them: what is new first, then what is tried again.
  await deliver(2, 2, '-1 second');
  await deliver(1, 0, '-1 second');
  expect((await webhooksWithWork(one)).map((due) => due.webhook_id)).toEqual([webhook_id]);
  for (const inOrder of [true, false]) expect(await lease(inOrder)).toEqual([0, 2, 2]);
});

test.each(['active', 'failing'] as const)(
  'however much waits, a webhook that is %s reads what it leases, and nothing tried while some is missing',
  async (status) => {
    const { hook, deliver } = await waiting(['dsar.created']);
    await deliver(WAITING, 1, '-1 second');
    await one.raw('ANALYZE deliveries');
    const now = new Date(Date.now() + 60_000);
    const lease = async (before: Date | null): Promise<number[]> => {
      const at = { token: randomUUID(), now, until: new Date(now.getTime() + 60_000) };
      const limits = { inOrder: false, inFlight: 1, most: 8, before };
      const leased = await one.transaction((trx) =>
        leaseDeliveries(trx, { ...hook, status, consecutive_failures: 1 } as WebhookRow, at, limits),
      );
      const ids = leased.map(({ delivery }) => delivery.delivery_id);
      const { environment_id } = hook;
      await one('deliveries')
        .where({ environment_id })
        .whereIn('delivery_id', ids)
        .update({ lease: null, lease_until: null });
      return leased.map(({ delivery }) => delivery.attempts);
    };
    for (const before of [null, now]) expect(await costs(() => lease(before))).toBeLessThan(WAITING / 50);
    expect([await lease(null), await lease(now)]).toEqual([[1], []]);
    await deliver(WAITING, 0, '-1 second');
    await one.raw('ANALYZE deliveries');
    for (const before of [null, now]) expect(await costs(() => lease(before))).toBeLessThan(WAITING / 50);
    expect([await lease(null), await lease(now)]).toEqual([[0], [0]]);
  },
);
