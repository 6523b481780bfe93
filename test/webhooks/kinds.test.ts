/** @jest-environment node */
import type { Knex } from 'knex';
import { claim } from '../../server/src/webhooks/claim';
import type { TestServer } from '../helpers/server';
import { decide, siteWithWebhooks, startService } from '../helpers/webhooks/faults';

let api: TestServer;
let db: Knex;
beforeAll(async () => {
  api = await startService({ ROLE: 'api' });
  db = api.service.context.db;
});
afterAll(() => api.stop());

/** A webhook for which many consents wait, and then two events of other kinds. */
async function flooded() {
  const site = await siteWithWebhooks(api, ['http://127.0.0.1:9/']);
  const { client, token, webhook_id } = site;
  await decide(api, token, 30);
  await api.visitor.submitDsar({ token, body: { request_type: 'access', email: 'visitor@example.com' } });
  await client.createBreach({
    token,
    body: { title: 'A lost laptop', aware_at: '2026-11-20T09:00:00.000Z' },
  });
  const { environment_id } = await db('webhooks').where({ webhook_id }).first('environment_id');
  const next = async (most: number): Promise<string[]> => {
    const claimed = await claim(db, { environment_id, webhook_id }, { most, failing: true });
    const ids = claimed.map(({ delivery }) => delivery.delivery_id);
    // As if they had been delivered.
    await db('deliveries').whereIn('delivery_id', ids).update({ state: 'delivered', lease_until: null });
    return claimed.map(({ delivery }) => delivery.event);
  };
  return { ...site, next };
}

const CONSENT = 'consent.accept_all';

test('requests and breaches do not wait behind a flood of consents, nor consents behind them', async () => {
  const { next } = await flooded();
  expect((await next(4)).sort()).toEqual(['breach.created', CONSENT, CONSENT, 'dsar.created']);
  // What remains is sent oldest first, all of it.
  for (let n = 0; n < 7; n += 1) expect(await next(4)).toEqual(Array(4).fill(CONSENT));
  expect(await next(4)).toEqual([]);
});

test('a webhook that has one place gives it to each of the two in turn', async () => {
  const { next } = await flooded();
  const sent: string[] = [];
  while (!sent.includes('breach.created')) sent.push(...(await next(1)));
  // Each time the chance is a half: 30 consents before these two are as good as impossible.
  expect(sent.length).toBeLessThan(32);
  expect(sent.indexOf('dsar.created')).toBeLessThan(sent.indexOf('breach.created'));
});

test('while a webhook fails, every second attempt is one of a consent, and what was tried less goes first', async () => {
  const { token, webhook_id, next } = await flooded();
  const fail = (consecutive_failures: number) =>
    db('webhooks').where({ webhook_id }).update({ status: 'failing', consecutive_failures });
  const sent: string[] = [];
  for (const failures of [1, 2, 3, 4]) {
    await fail(failures);
    sent.push(...(await next(4)));
  }
  expect(sent).toEqual([CONSENT, 'dsar.created', CONSENT, 'breach.created']);
  await api.visitor.submitDsar({
    token,
    body: { request_type: 'access', email: 'visitor@example.com' },
  });
  await db('deliveries')
    .where({ webhook_id, event: 'dsar.created', state: 'pending' })
    .update({ attempts: 1 });
  // It is the turn of the request, which was tried.
  await fail(2);
  expect(await next(4)).toEqual([CONSENT]);
});

test('while a webhook sends what was held after a reactivation, everything goes out oldest first', async () => {
  const { webhook_id, next } = await flooded();
  const reactivated_at = new Date(Date.now() + 3_600_000);
  await db('webhooks').where({ webhook_id }).update({ reactivated_at });
  for (let n = 0; n < 30; n += 1) expect(await next(4)).toEqual([CONSENT]);
  expect([...(await next(4)), ...(await next(4))]).toEqual(['dsar.created', 'breach.created']);
});
