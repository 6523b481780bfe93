import { randomBytes, randomUUID } from 'node:crypto';
import { HOUR_MS } from '../../server/src/domain/time';
import { applyRetention } from '../../server/src/jobs/retention';
import { createLogger } from '../../server/src/observability/logger';
import { useServer } from '../helpers/server';
import { submit } from '../helpers/site/data-subject-requests';
import { rowsIn } from '../helpers/site/people';

const DAY = 24 * HOUR_MS;
const ADA = 'ada@example.com';
const log = createLogger('silent');
const server = useServer({ variables: { ROLE: 'api' } });

/** A site that keeps answered requests for 30 days, and sends everything to a webhook. */
async function brief() {
  const site = await server.site({ retention_days: { consents: 1825, events: 90, requests: 30 } });
  const { client, token } = site;
  await client.createWebhook({ token, body: { url: 'https://93.184.216.34/hook', events: '*' } });
  const { id } = await server.service.context.db('environments').where({ token }).first('id');
  return { ...site, environment_id: id as string };
}

/** Her request, answered so many days ago; its events are a day older. */
async function answered({ client, token, environment_id }: Awaited<ReturnType<typeof brief>>, days: number) {
  const { db } = server.service.context;
  const { request_id } = await submit(server, token, { email: ADA });
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
  const at = new Date(Date.now() - days * DAY - HOUR_MS);
  await db('dsar_requests').where({ environment_id, request_id }).update({ resolved_at: at });
  const occurred_at = new Date(at.getTime() - DAY);
  await db('events').where({ environment_id, subject_id: request_id }).update({ occurred_at });
  return request_id;
}

const run = () => applyRetention(server.service.context.db, log, new Date());

/** What each table has of her. */
async function traces(token: string): Promise<number[]> {
  const rows = await Promise.all(
    ['dsar_requests', 'events', 'deliveries'].map((table) => rowsIn(server, table, token)),
  );
  return rows.map((of) => of.length);
}

const GONE = [
  { kind: 'requests', count: 1 },
  { kind: 'events', count: 2 },
  { kind: 'deliveries', count: 2 },
];

test('the events and deliveries of a request go with it, and are counted with it', async () => {
  const site = await brief();
  const { client, token } = site;
  await answered(site, 30);
  const kept = await answered(site, 29);
  const open = await submit(server, token, { email: ADA });
  expect(await traces(token)).toEqual([3, 5, 5]);
  await run();
  expect(await traces(token)).toEqual([2, 3, 3]);
  const left = await rowsIn(server, 'events', token);
  expect(new Set(left.map(({ subject_id }) => subject_id))).toEqual(new Set([kept, open.request_id]));
  const { items } = await client.listErasures({ token });
  expect(items).toMatchObject([{ kind: 'retention', rule: 'requests', complete: true, erased: GONE }]);
});

test('what an earlier version left of requests goes, too; that of present ones and of breaches stays', async () => {
  const site = await brief();
  const { token, environment_id } = site;
  const { db } = server.service.context;
  const gone = await answered(site, 30);
  await db('dsar_requests').where({ environment_id, request_id: gone }).delete();
  const kept = await answered(site, 29);
  const [breach] = await db('events').where({ environment_id, subject_id: kept }).limit(1);
  await db('events').insert({
    ...{ ...breach, event_id: randomUUID(), subject_id: randomUUID(), event: 'breach.created' },
  });
  await run();
  expect(await traces(token)).toEqual([1, 3, 2]);
  await run();
  expect(await traces(token)).toEqual([1, 3, 2]);
});

test('also where the site keeps requests longer by now', async () => {
  const site = await brief();
  const { client, token, environment_id } = site;
  const { db } = server.service.context;
  const gone = await answered(site, 30);
  await db('dsar_requests').where({ environment_id, request_id: gone }).delete();
  const retention_days = { consents: 1825, events: 90, requests: 1095 };
  await client.updateEnvironment({ token, body: { settings: { retention_days } } });
  await run();
  expect(await traces(token)).toEqual([0, 0, 0]);
});

test('files of many requests are deleted in portions of some megabytes, each with its request', async () => {
  const site = await brief();
  const { db } = server.service.context;
  const PARTS = 10;
  for (let n = 0; n < 4; n += 1) {
    const request_id = await answered(site, 30);
    const key = { environment_id: site.environment_id, file_id: randomUUID() };
    const bytes = 512 * 1024;
    await db('attachments').insert({
      ...{ ...key, request_id, name: 'identity.pdf', content_type: 'application/pdf', bytes: PARTS * bytes },
      ...{ revision: 1, added_by: 'Ada', created_at: new Date() },
    });
    const part = (number: number) => ({ ...key, part: number, bytes, content: randomBytes(bytes) });
    await db('attachment_parts').insert(Array.from({ length: PARTS }, (_, number) => part(number)));
  }
  const deleted: number[] = [];
  const note = (rows: unknown[], { sql }: { sql: string }) => {
    if (sql.startsWith('delete from "attachment_parts"')) deleted.push(rows.length);
  };
  db.on('query-response', note);
  await run();
  db.removeListener('query-response', note);
  // One of 5 MiB in each transaction: two are more than it may hold.
  expect(deleted.filter((count) => count > 0)).toEqual([PARTS, PARTS, PARTS, PARTS]);
  expect(await rowsIn(server, 'attachment_parts', site.token)).toEqual([]);
  expect(await rowsIn(server, 'dsar_requests', site.token)).toEqual([]);
});
