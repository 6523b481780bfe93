import { randomInt, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyDatabase } from '../helpers/database';
import {
  type ArrivedMail,
  CERTIFICATE_FILE,
  type MailServer,
  sendingTo,
  startMailServer,
} from '../helpers/mail/mail-server';
import { ServerProcess } from '../helpers/processes/child';
import { query } from '../helpers/processes/evidence';
import { endAll, send } from '../helpers/processes/load';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
const agent = new Agent({ keepAlive: false });
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let mailServer: MailServer;
let variables: Record<string, string>;
let server: ServerProcess;
let token: string;

beforeAll(async () => {
  database = await emptyDatabase();
  mailServer = await startMailServer();
  variables = {
    ...{ DATABASE_URL: database.url, DATA_DIR: folder, DEMO: 'on' },
    ...sendingTo(mailServer.url),
    NODE_EXTRA_CA_CERTS: CERTIFICATE_FILE,
    TRUST_PROXY: '1',
  };
  server = await ServerProcess.start(variables);
  token = await server.demoToken();
});
afterAll(async () => {
  agent.destroy();
  await endAll();
  await mailServer?.stop();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => {
  mailServer.answers.beforeTaking = undefined;
  mailServer.answers.beforeReply = undefined;
});

const someone = (): string => `${randomUUID()}@visitor.example`;

/** From another address each time: to strangers from one the site mails little. */
const submit = async (email: string): Promise<number> => {
  const body = { request_type: 'access', email };
  const headers = { 'X-Forwarded-For': `198.51.${randomInt(256)}.${randomInt(256)}` };
  return (await send(agent, 'POST', `${server.url}/api/dsar/${token}`, body, headers)).status;
};

/** Kills the process, and starts another one when the two minutes have passed for which the mails were the first one's. */
async function killAndRestart(): Promise<void> {
  expect(await server.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
  await query(database.url, 'UPDATE mails SET lease_until = now() WHERE lease_until IS NOT NULL');
  server = await ServerProcess.start(variables);
}

const states = (): Promise<{ state: string; attempts: number }[]> =>
  query(database.url, 'SELECT state, attempts FROM mails ORDER BY created_at');

const allSent = (count: number) =>
  until('all mails are sent', async () => {
    const rows = await states();
    return rows.length === count && rows.every(({ state }) => state === 'sent');
  });

test('kill -9 while the mail server holds the content: the mail arrives once, with the same Message-ID', async () => {
  const to = someone();
  const held: ArrivedMail[] = [];
  let refuse: () => void = () => undefined;
  mailServer.answers.beforeTaking = (mail) => {
    held.push(mail);
    return new Promise((_, reject) => {
      refuse = () => reject(new Error('the connection has broken'));
    });
  };
  expect(await submit(to)).toBe(201);
  await until('the mail server has the content', () => held.length === 1);
  mailServer.answers.beforeTaking = undefined;
  await killAndRestart();
  refuse();
  const arrived = await mailServer.until(1, to);
  await allSent(1);
  expect(arrived.map(({ parsed }) => parsed.messageId)).toEqual([held[0]?.parsed.messageId]);
  expect(mailServer.mails).toHaveLength(1);
});

test('kill -9 after the mail server took it and before that is stored: it comes again with the same Message-ID', async () => {
  const to = someone();
  mailServer.answers.beforeReply = () => new Promise(() => undefined);
  expect(await submit(to)).toBe(201);
  await mailServer.until(1, to);
  mailServer.answers.beforeReply = undefined;
  await killAndRestart();
  const arrived = await mailServer.until(2, to);
  await allSent(2);
  expect(new Set(arrived.map(({ parsed }) => parsed.messageId)).size).toBe(1);
  expect(mailServer.mails.filter((mail) => mail.to.includes(to))).toHaveLength(2);
});

test('kill -9 under requests: whoever was answered 201 gets a mail', async () => {
  const acknowledged: string[] = [];
  let running = true;
  const ask = async (): Promise<void> => {
    // Below the limit of a site for a day.
    for (let n = 0; running && n < 100; n += 1) {
      const to = someone();
      // What breaks was not acknowledged.
      const status = await submit(to).catch(() => undefined);
      if (status === 201) acknowledged.push(to);
      if (status === undefined) return;
    }
  };
  const asking = [ask(), ask(), ask()];
  const before = mailServer.mails.length;
  await until('mails leave while requests come', () => mailServer.mails.length > before + 5);
  await server.kill('SIGKILL');
  running = false;
  await Promise.all(asking);
  await killAndRestart();
  expect(acknowledged.length).toBeGreaterThan(5);
  for (const to of acknowledged) await mailServer.until(1, to);
  await until('no mail waits', async () => (await states()).every(({ state }) => state === 'sent'));
});
