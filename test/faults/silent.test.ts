import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skipOnCluster } from '../helpers/cluster/skip';
import { cloneDatabase } from '../helpers/database';
import { ServerProcess } from '../helpers/processes/child';
import { miscounted, missing } from '../helpers/processes/evidence';
import { endAll, Load, send } from '../helpers/processes/load';
import { Wire } from '../helpers/processes/wire';
import { until } from '../helpers/until';

skipOnCluster('it silences the way to one server, and decisions go to each node directly');

jest.setTimeout(90_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
const agent = new Agent({ keepAlive: true });
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let wire: Wire;
let server: ServerProcess;
let token: string;

beforeAll(async () => {
  database = await cloneDatabase();
  wire = await Wire.to(database.url);
  server = await ServerProcess.start({ DATABASE_URL: wire.url, DATA_DIR: folder, DEMO: 'on' });
  token = await server.demoToken();
});
afterAll(async () => {
  wire.thaw();
  agent.destroy();
  await endAll();
  await wire.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const visits = () => {
  const session_id = randomUUID();
  const site = `${server.url}/api`;
  const statement = { key: 'news', text: 'I want the newsletter', accepted: true };
  return [
    send(agent, 'POST', `${site}/consents/${token}/log`, { session_id, decision: 'accept_all' }),
    send(agent, 'GET', `${site}/preferences/${token}?session_id=${session_id}`),
    // Answered by Express, in a transaction of the owners' pool.
    send(agent, 'POST', `${site}/form-consents/${token}`, {
      ...{ form_id: 'newsletter', form_url: 'https://a.example/form', subject: { email: 'a@example.net' } },
      ...{ language: 'en', statements: [statement] },
    }),
  ];
};

test('a database that falls silent: visitors are told before anybody has noticed, and nothing acknowledged is lost', async () => {
  expect((await Promise.all(visits())).map(({ status }) => status)).toEqual([201, 200, 201]);
  const load = new Load({ urls: () => [server.url], token, connections: 8 });
  await until('the load runs', () => load.seen.acknowledged.length > 100);
  wire.freeze();
  const answers = await Promise.all(visits());
  // The connections are still taken for sound: nobody waited until they were given up.
  expect(server.log().filter(({ outage }) => outage === 'unreachable')).toEqual([]);
  for (const { status, headers, text } of answers) {
    expect([status, headers['retry-after']]).toEqual([503, '2']);
    expect(JSON.parse(text).data.code).toBe('unavailable');
  }
  const count = load.seen.acknowledged.length;
  await until('the load is told too', () => (load.seen.statuses[503] ?? 0) >= 8);
  expect(load.seen.acknowledged).toHaveLength(count);
  wire.thaw();
  await until('decisions are stored again', () => load.seen.acknowledged.length > count + 100);
  const seen = await load.stop();
  expect({ broken: seen.broken, faults: seen.faults }).toEqual({ broken: 0, faults: [] });
  expect(await missing(database.url, seen.acknowledged)).toEqual([]);
  expect(await miscounted(database.url, token)).toEqual([]);
  // An answer that came too late for its visitor is no failure of its own.
  expect(server.log().filter(({ level, outage }) => level === 'error' && outage === undefined)).toEqual([]);
});

test('a visitor whose own line is slow is waited for', async () => {
  const body = JSON.stringify({ session_id: randomUUID(), decision: 'accept_all' });
  const socket = connect(server.port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  socket.write(
    `POST /api/consents/${token}/log HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  );
  // By then the server has looked the site up, and waits for the rest of the body.
  await Promise.all(visits());
  // Longer than a silent database is waited for: another visitor of the same moment gets 503.
  wire.freeze();
  const [other] = await Promise.all(visits());
  expect(other?.status).toBe(503);
  wire.thaw();
  expect(answer).toBe('');
  socket.write(body.slice(10));
  await until('the answer', () => answer.includes('\r\n\r\n'));
  expect(answer).toMatch(/^HTTP\/1.1 201 /);
  socket.destroy();
});
