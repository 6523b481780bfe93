import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedded, startEmbedded } from '../../../server/src/db/embedded';
import { skipOnCluster } from '../../helpers/cluster/skip';
import { endChildren } from '../../helpers/processes/child';
import { startServer, type TestServer } from '../../helpers/server';
import { until } from '../../helpers/until';
import {
  expireLeases,
  idOf,
  SHORT,
  siteWithWebhooks,
  startWorker,
  untilState,
} from '../../helpers/webhooks/faults';
import { type Received, type Receiver, startReceiver } from '../../helpers/webhooks/receiver';

skipOnCluster('it crashes a PostgreSQL of its own; test/cluster ends nodes');

jest.setTimeout(180_000);

const EVENTS = 300;

let folder: string;
let database: Embedded;
let api: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
  // With fsync: what is committed must survive.
  database = await startEmbedded({ dataDir: folder });
  api = await startServer({ databaseUrl: database.url(), variables: { ...SHORT, ROLE: 'api' } });
});
afterAll(async () => {
  await endChildren();
  await api?.stop();
  await database?.stop();
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Ends a database process as if it had crashed: PostgreSQL cuts all connections, recovers from its log and
 * starts again.
 */
async function crash(): Promise<void> {
  const { db } = api.service.context;
  const { rows } = await db.raw('SELECT pid FROM pg_stat_activity WHERE pid = pg_backend_pid()');
  process.kill(rows[0].pid, 'SIGKILL');
  await until(
    'the database is back',
    () =>
      db.raw('SELECT 1').then(
        () => true,
        () => false,
      ),
    30_000,
  );
}

/**
 * Requests of visitors, one by one until so many are acknowledged; one that is refused meanwhile is tried
 * anew.
 */
async function acknowledge(token: string, requests: string[], count: number): Promise<void> {
  const body = { request_type: 'access' as const, email: 'visitor@example.com' };
  await until(
    `${count} are acknowledged`,
    async () => {
      const answer = await api.visitor.submitDsar({ token, body }).catch(() => undefined);
      if (answer !== undefined) requests.push(answer.request_id);
      return requests.length >= count;
    },
    90_000,
  );
}

const requestOf = ({ body }: Received): string => JSON.parse(body).request_id;

test('the database crashes and restarts in the middle: nothing that was acknowledged is lost', async () => {
  const { token, webhook_id } = await siteWithWebhooks(api, [receiver.url]);
  receiver.answer = (_request, response) => void setTimeout(() => response.writeHead(200).end(), 20);
  const worker = await startWorker(database.url());
  const requests: string[] = [];
  const visits = Promise.all([1, 2, 3, 4].map(() => acknowledge(token, requests, EVENTS)));
  for (const share of [0.25, 0.5, 0.75]) {
    await until('more have come', () => receiver.received.length >= share * EVENTS * 0.8, 60_000);
    await crash();
  }
  await visits;
  await until('the worker has seen it', () => /could not be/.test(worker.output));
  const { db } = api.service.context;
  const events = await db('events').pluck('event_id');
  await expireLeases(api);
  await untilState(api, webhook_id, 'delivered', events.length, 60_000);
  const arrived = new Set(receiver.received.map(requestOf));
  expect(requests.filter((request) => !arrived.has(request))).toEqual([]);
  expect(new Set(receiver.received.map(idOf))).toEqual(new Set(events));
  expect(await worker.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('the database is away while the answer comes: the result is written when it is back, and nothing is sent twice', async () => {
  const { token, webhook_id } = await siteWithWebhooks(api, [receiver.url]);
  await startWorker(database.url());
  const before = receiver.received.length;
  const crashed = new Promise<void>((resolve, reject) => {
    receiver.answer = (_request, response) => {
      const answered = crash();
      response.writeHead(200).end();
      answered.then(resolve, reject);
    };
  });
  await acknowledge(token, [], 1);
  await crashed;
  receiver.answer = (_request, response) => void response.writeHead(200).end();
  await untilState(api, webhook_id, 'delivered', 1, 20_000);
  expect(receiver.received).toHaveLength(before + 1);
});
