import { setTimeout as delay } from 'node:timers/promises';
import { RateLimiter } from '../../server/src/http/rate-limit';
import { StrangerShare } from '../../server/src/mail/stranger-share';
import { addTrigger, rowsOfNodes, runOnNodes } from '../helpers/cluster/instruments';
import { refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { member } from '../helpers/site/people';
import { until } from '../helpers/until';

const server = useServer({ variables: { ROLE: 'api', RATE_LIMIT: 'on' } });

const breach = { title: 'Lost laptop', description: 'A laptop was lost.', aware_at: '2026-01-05T08:00:00Z' };

afterEach(() => jest.restoreAllMocks());

interface Ends {
  tried(): Promise<number>;
  /** Resolves to how many were tried. */
  remove(): Promise<number>;
}

/** The first so many rows that are stored end, after some seconds, as those do that wait for each other. */
async function deadlocks(count: number, table = 'breaches', seconds = 0): Promise<Ends> {
  // No transaction gives back what it has taken of a sequence.
  await runOnNodes(server.databaseUrl, ['CREATE SEQUENCE tries']);
  const remove = await addTrigger(server.databaseUrl, {
    ...{ name: 'end_as_deadlock', table, event: 'BEFORE INSERT' },
    body: `IF nextval('tries') <= ${count} THEN PERFORM pg_sleep(${seconds}); RAISE 'deadlock detected' USING ERRCODE = '40P01'; END IF; RETURN NEW;`,
  });
  const tried = async (): Promise<number> => {
    const rows = await rowsOfNodes<{ tries: string }>(
      server.databaseUrl,
      'SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS tries FROM tries',
    );
    return rows.reduce((sum, { tries }) => sum + Number(tries), 0);
  };
  return {
    tried,
    remove: async () => {
      await remove();
      const sum = await tried();
      await runOnNodes(server.databaseUrl, ['DROP SEQUENCE tries']);
      return sum;
    },
  };
}

test('a request that a deadlock has undone runs again, and is stored, told and noted once', async () => {
  const { client, token } = await server.site();
  const { remove } = await deadlocks(2);
  const idempotencyKey = 'lost-laptop';
  const made = await client.createBreach({ token, body: breach }, { idempotencyKey });
  expect(await remove()).toBe(3);
  expect(await client.createBreach({ token, body: breach }, { idempotencyKey })).toEqual(made);
  expect((await client.listBreaches({ token })).items.map(({ breach_id }) => breach_id)).toEqual([
    made.breach_id,
  ]);
  const events = (await client.listAuditEvents({ token })).items.filter(
    ({ operation }) => operation === 'createBreach',
  );
  expect(events.map(({ resource_id }) => resource_id)).toEqual([made.breach_id]);
});

test('whoever is undone again and again is asked to come later, and nothing is stored', async () => {
  const { client, token } = await server.site();
  const { remove } = await deadlocks(99);
  const error = await refusal(client.createBreach({ token, body: breach }));
  expect(await remove()).toBe(4);
  expect([error.status, error.code]).toEqual([503, 'unavailable']);
  expect((await client.listBreaches({ token })).items).toEqual([]);
});

test('people who are invited and join at once all come in', async () => {
  const site = await server.site();
  const people = await Promise.all(Array.from({ length: 6 }, () => member(server, site, 'operator')));
  const { items } = await site.client.listMembers({ token: site.token });
  const ids = [site, ...people].map(({ userId }) => userId).sort((a, b) => a - b);
  expect(items.map(({ user_id }) => user_id).sort((a, b) => a - b)).toEqual(ids);
});

test('of two at once under one key, the hooks of the one that was undone do not run beside those of the other', async () => {
  const { client, token } = await server.site();
  const wake = jest.spyOn(server.service.context.dispatcher, 'wake');
  // Its hooks are known when the entry of the trail is written.
  const { remove, tried } = await deadlocks(1, 'audit_events', 0.5);
  const send = () => client.createBreach({ token, body: breach }, { idempotencyKey: 'two-at-once' });
  const first = send();
  await until('the first is about to be undone', async () => (await tried()) > 0);
  // It waits for the key, and has it before the first one's second run.
  const second = send();
  expect(await first).toEqual(await second);
  await remove();
  expect(wake).toHaveBeenCalledTimes(1);
});

test('a request that runs again takes its share of mails once', async () => {
  const { token } = await server.site();
  const take = jest.spyOn(StrangerShare.prototype, 'take');
  const { remove } = await deadlocks(2, 'mails');
  await server.visitor.submitDsar({ token, body: { request_type: 'access', email: 'ada@visitor.example' } });
  expect(await remove()).toBe(3);
  expect(take).toHaveBeenCalledTimes(1);
});

test('a request that runs again weighs once', async () => {
  const { client, token } = await server.site();
  const body = { ...breach, description: 'A laptop was lost. '.repeat(1_000) };
  const { breach_id } = await client.createBreach({ token, body });
  const take = jest.spyOn(RateLimiter.prototype, 'takeAlone');
  const { remove } = await deadlocks(2, 'audit_events');
  await client.updateBreach({ token, breach_id, body: { title: 'Lost phone' } });
  expect(await remove()).toBe(3);
  // Its body is small, what is sealed of the step is not.
  const more = take.mock.calls.filter(([what, , , n = 1]) => what === 'owners' && n > 1);
  expect(more).toHaveLength(1);
});

test('what a visitor is told is late does not run again', async () => {
  const { client, token } = await server.site();
  const { remove, tried } = await deadlocks(1, 'dsar_requests', 1);
  const body = { request_type: 'access', email: 'ada@visitor.example' } as const;
  const late = refusal(server.visitor.submitDsar({ token, body }));
  await until('it runs', async () => (await tried()) > 0);
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + 5_000);
  expect((await late).message).toMatch('could not answer in time');
  jest.restoreAllMocks();
  // The first run ends, and the second would have begun.
  await delay(2_000);
  expect(await remove()).toBe(1);
  expect((await client.listDsar({ token })).items).toEqual([]);
});
