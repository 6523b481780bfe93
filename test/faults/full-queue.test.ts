import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import pg from 'pg';
import { waitingForLocks } from '../helpers/cluster/instruments';
import { miscounted, missing } from '../helpers/processes/evidence';
import { type Answer, endAll, send } from '../helpers/processes/load';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const WAITING = 40;
const agent = new Agent({ keepAlive: true, maxSockets: 600 });

const server = useServer({ maxWaiting: WAITING });
afterAll(async () => {
  agent.destroy();
  await endAll();
});

test('a full queue: 503 at once with Retry-After, a bounded queue, and nothing lost of what was acknowledged', async () => {
  const { token } = await server.site();
  const log = (): Promise<Answer> =>
    send(agent, 'POST', `${server.url}/api/consents/${token}/log`, {
      session_id: randomUUID(),
      decision: 'accept_all',
    });
  const before = await Promise.all(Array.from({ length: 20 }, log));
  const lock = new pg.Client({ connectionString: server.databaseUrl });
  await lock.connect();
  await lock.query('BEGIN; LOCK TABLE session_choices IN ACCESS EXCLUSIVE MODE');
  const { ingest } = server.service.context;
  // One group is in flight and waits for the lock; the queue fills up behind it.
  const inFlight = [log()];
  await until(
    'a group waits for the lock',
    async () => ingest.waiting === 0 && (await waitingForLocks(server.databaseUrl)) > 0,
  );
  let most = 0;
  const refused: Answer[] = [];
  const flood = Array.from({ length: 500 }, async () => {
    const answer = await log();
    most = Math.max(most, ingest.waiting);
    if (answer.status === 503) refused.push(answer);
    return answer;
  });
  // A group waits for the lock, what a lock has stopped waits aside, and each of them has a queue.
  const fit = 4 * WAITING;
  await until('all but those that fit are refused', () => refused.length >= 500 - fit);
  expect(most).toBeLessThanOrEqual(2 * WAITING);
  expect(refused.every(({ headers }) => headers['retry-after'] !== undefined)).toBe(true);
  await lock.query('ROLLBACK');
  await lock.end();
  const answers = await Promise.all([...inFlight, ...flood]);
  const fine = [...before, ...answers].filter(({ status }) => status === 201);
  expect(fine.length).toBeGreaterThan(20);
  expect(fine.length).toBeLessThanOrEqual(20 + 1 + fit);
  const ids = fine.map(({ text }) => JSON.parse(text).data.consent_id as string);
  expect(await missing(server.databaseUrl, ids)).toEqual([]);
  expect(await miscounted(server.databaseUrl, token)).toEqual([]);
  expect((await log()).status).toBe(201);
});
