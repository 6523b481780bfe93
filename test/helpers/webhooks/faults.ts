import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addTrigger, rowsOfNodes, runOnNodes } from '../cluster/instruments';
import { Child } from '../processes/child';
import { type Client, startServer, type TestServer } from '../server';
import { until } from '../until';
import { INWARD, type Received } from './receiver';

/** What all processes of a test share: keys, inward receivers, and retries after a fifth of a second. */
export const SHORT = {
  ...INWARD,
  WEBHOOK_RETRY_SECONDS: '0.2,0.2,0.2,0.2',
  JWT_SECRET: 'a secret of the fault tests, long enough for the service',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
};
export type Variables = Record<string, string>;

/** A service in this process. With ROLE=api it sends nothing: the test says when a worker begins. */
export const startService = (variables: Variables = {}): Promise<TestServer> =>
  startServer({ variables: { ...SHORT, ...variables } });

/** The variables of a process on a test's database. */
export const onDatabase = (databaseUrl: string): Variables => ({
  ...SHORT,
  DATABASE_URL: databaseUrl,
  DATA_DIR: mkdtempSync(join(tmpdir(), 'avow-data-')),
  MIGRATE: 'off',
  DATABASE_POOL: '6',
});

/** A worker as a process of its own. */
export async function startWorker(databaseUrl: string, variables: Variables = {}): Promise<Child> {
  const own = { ROLE: 'worker', LOG_LEVEL: 'info', ...variables };
  const worker = new Child('server/src/main.js', [], { ...onDatabase(databaseUrl), ...own });
  await until(
    'the worker starts',
    () => {
      if (!worker.running) throw new Error(`the worker ended while starting:\n${worker.errors}`);
      return worker.output.includes('worker started');
    },
    60_000,
  );
  return worker;
}

/** A site with a webhook for each URL. */
export async function siteWithWebhooks(server: TestServer, urls: string[], events: '*' | string[] = '*') {
  const site = await server.site();
  const webhooks: string[] = [];
  for (const url of urls) {
    const body = { url, events } as Parameters<Client['createWebhook']>[0]['body'];
    webhooks.push((await site.client.createWebhook({ token: site.token, body })).webhook_id);
  }
  return { ...site, webhooks, webhook_id: webhooks[0] as string };
}

/** So many decisions of visitors, some at once; returns their sessions. */
export async function decide({ visitor }: TestServer, token: string, count = 1): Promise<string[]> {
  const sessions = Array.from({ length: count }, () => randomUUID());
  for (let from = 0; from < count; from += 20) {
    const some = sessions.slice(from, from + 20);
    await Promise.all(
      some.map((session_id) => visitor.logConsent({ token, body: { session_id, decision: 'accept_all' } })),
    );
  }
  return sessions;
}

/** The session that a consent event tells of. */
export const sessionOf = ({ body }: Pick<Received, 'body'>): string => JSON.parse(body).data.session_id;
export const idOf = ({ headers }: Received): string => headers['webhook-id'] as string;

interface Row {
  delivery_id: string;
  event_id: string;
  kind: string;
  state: string;
  attempts: number;
  lease: string | null;
  lease_until: Date | null;
  due_at: Date;
  last_attempt_at: Date | null;
  response_status: number | null;
  error: string | null;
}

/** A webhook's deliveries as they are stored, the oldest first. */
export const stored = ({ service }: TestServer, webhook_id: string): Promise<Row[]> =>
  service.context.db('deliveries').where({ webhook_id }).orderBy(['created_at', 'delivery_id']);

export const webhookRow = ({ service }: TestServer, webhook_id: string) =>
  service.context.db('webhooks').where({ webhook_id }).first();

/** Waits until so many of a webhook's deliveries are in a state. */
export const untilState = (
  server: TestServer,
  webhook_id: string,
  state: string,
  count: number,
  limit?: number,
): Promise<Row[]> =>
  until(
    `${count} deliveries are ${state}`,
    async () => {
      // Counted first: to read thousands of rows again and again would cost more than the test itself.
      const { db } = server.service.context;
      const found = await db('deliveries').where({ webhook_id, state }).count({ rows: '*' }).first();
      if (Number(found?.rows) < count) return false;
      const rows = (await stored(server, webhook_id)).filter((row) => row.state === state);
      return rows.length >= count && rows;
    },
    limit,
  );

/** As if 30 seconds had passed since the claims: what dead processes hold is free again. */
export async function expireLeases({ service }: TestServer): Promise<void> {
  await service.context.db.raw('UPDATE deliveries SET lease_until = now() WHERE lease IS NOT NULL');
}

/** Makes a process stand still between its transactions: within one it would keep its locks. */
export async function freeze({ databaseUrl }: TestServer, { process: child }: Child): Promise<void> {
  for (;;) {
    child.kill('SIGSTOP');
    const busy = await rowsOfNodes(
      databaseUrl,
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
         AND backend_type = 'client backend' AND application_name NOT LIKE 'Citus%'`,
    );
    if (busy.length === 0) return;
    child.kill('SIGCONT');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Does something while another process is at work on a webhook: its row is locked. */
export async function whileLocked(
  server: TestServer,
  webhook_id: string,
  work: () => Promise<void>,
): Promise<void> {
  const { environment_id } = await webhookRow(server, webhook_id);
  const lock = await server.service.context.db.transaction();
  try {
    await lock('webhooks').where({ environment_id, webhook_id }).forUpdate();
    await work();
  } finally {
    // Also after a failure: the server waits for it when it stops.
    await lock.rollback();
  }
}

/** Keeps a line of each time that a webhook becomes disabled. Returns how many there are of one. */
export async function auditDisabling({ databaseUrl }: TestServer): Promise<(id: string) => Promise<number>> {
  await runOnNodes(databaseUrl, ['CREATE TABLE disablings (webhook_id uuid)']);
  await addTrigger(databaseUrl, {
    name: 'note_disabling',
    table: 'webhooks',
    event: 'AFTER UPDATE',
    condition: "new.status = 'disabled' AND old.status <> 'disabled'",
    body: 'INSERT INTO disablings VALUES (new.webhook_id); RETURN new;',
  });
  return async (webhook_id) => {
    const rows = await rowsOfNodes<{ webhook_id: string }>(databaseUrl, 'SELECT webhook_id FROM disablings');
    return rows.filter((row) => row.webhook_id === webhook_id).length;
  };
}
