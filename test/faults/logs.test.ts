import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAvow } from '@avow/sdk';
import { cloneDatabase } from '../helpers/database';
import { ServerProcess } from '../helpers/processes/child';
import { query } from '../helpers/processes/evidence';
import { endAll, send } from '../helpers/processes/load';
import { Wire } from '../helpers/processes/wire';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
const agent = new Agent({ keepAlive: true });
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let proxy: Wire;

beforeAll(async () => {
  database = await cloneDatabase();
  proxy = await Wire.to(database.url);
});
afterAll(async () => {
  agent.destroy();
  await endAll();
  await proxy.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

test('the logs hold no address, e-mail, token, key or body, whatever happens', async () => {
  const OWNER = { email: 'owner-of-all@example.com', password: 'correct horse battery' };
  const server = await ServerProcess.start({
    ...{ DATABASE_URL: proxy.url, DATA_DIR: folder, DEMO: 'on', LOG_LEVEL: 'trace', TRUST_PROXY: '1' },
    ...{ ADMIN_EMAIL: OWNER.email, ADMIN_PASSWORD: OWNER.password },
  });
  const site = await server.demoToken();
  const session_id = randomUUID();
  const key = `key-${randomUUID()}`;
  const from = { 'X-Forwarded-For': '203.0.113.77', 'User-Agent': 'SecretAgent/7.7' };
  const secrets = [
    site,
    session_id,
    key,
    '203.0.113.77',
    '2001:db8:85a3::8a2e:370:7334',
    'SecretAgent',
    OWNER.email,
    OWNER.password,
  ];
  const request = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    send(agent, method, `${server.url}${path}`, body, { ...from, ...headers });
  const visit = async (): Promise<number[]> => {
    const answers = await Promise.all([
      request(
        'POST',
        `/api/consents/${site}/log`,
        { session_id, decision: 'accept_all', page_url: 'https://a.example/secret-page?q=1' },
        { 'Idempotency-Key': key },
      ),
      request(
        'POST',
        `/api/consents/${site}/log`,
        { session_id, decision: 'accept_all' },
        { 'X-Forwarded-For': '2001:db8:85a3::8a2e:370:7334' },
      ),
      request('GET', `/api/preferences/${site}?session_id=${session_id}`),
      request('POST', `/api/consents/${site}/log`, {
        session_id: 'not-a-session-of-ours',
        decision: 'perhaps-so',
      }),
      request(
        'POST',
        `/api/consents/${site}/log`,
        { session_id, decision: 'reject_all' },
        { 'Idempotency-Key': key },
      ),
      request('GET', `/api/no-such-path/${session_id}?email=${OWNER.email}`),
      request('POST', `/api/form-consents/${site}`, {
        ...{
          form_id: 'newsletter',
          form_url: 'https://a.example/form',
          subject: { email: 'subject@example.net' },
          language: 'en',
        },
        statements: [{ key: 'news', text: 'I want the secret newsletter', accepted: true }],
      }),
      request('POST', '/api/auth/console', { email: 'stranger@example.org', password: 'a-wrong-password' }),
      request('GET', '/api/me', undefined, { Authorization: 'Bearer abc.def.ghi' }),
    ]);
    return answers.map(({ status }) => status);
  };
  secrets.push(
    'secret-page',
    'not-a-session-of-ours',
    'perhaps-so',
    'subject@example.net',
    'secret newsletter',
    'stranger@example.org',
    'a-wrong-password',
    'abc.def.ghi',
  );
  expect(await visit()).toEqual([201, 201, 200, 400, 409, 404, 201, 401, 401]);
  const { token } = await createAvow({ baseUrl: server.url }).login({ body: OWNER });
  const owner = createAvow({ baseUrl: server.url, token, retries: 0 });
  await owner.addMember({ token: site, body: { email: 'member@example.net', role: 'viewer' } });
  await (await owner.exportConsents({ token: site })).text();
  secrets.push(
    token,
    'member@example.net',
    readFileSync(join(folder, 'jwt-secret'), 'utf8'),
    readFileSync(join(folder, 'secrets-key'), 'utf8'),
    new URL(database.url).password,
  );
  // A database that breaks: errors of the driver come with statements and values.
  proxy.refusing = true;
  proxy.cut();
  await until('the failure shows', async () => (await visit()).includes(503));
  proxy.refusing = false;
  await until('the server is ready again', async () => (await server.readiness()) === 200);
  // A database that refuses: an error that nobody expected, whose detail quotes the row.
  await query(
    database.url,
    "ALTER TABLE form_consents ADD CONSTRAINT nobody_called_subject CHECK (email <> 'subject@example.net') NOT VALID",
  );
  await query(database.url, 'ALTER TABLE users RENAME TO people');
  const broken = await visit();
  expect(broken).toContain(500);
  expect(await server.kill()).toEqual({ code: 0, signal: null });

  const lines = server.output.split('\n').filter(Boolean);
  const welcome = lines.findIndex((line) => line.includes('Avow is ready at'));
  // What is written for people at the start names the demo site on purpose.
  const shown = lines.filter(
    (line, index) => line.startsWith('{') || index < welcome || index > welcome + 12,
  );
  const logged = [...shown, server.errors].join('\n');
  expect(shown.every((line) => line.startsWith('{'))).toBe(true);
  expect(server.log().filter(({ msg }) => msg === 'request').length).toBeGreaterThan(20);
  expect(server.log().some(({ level }) => level === 'error')).toBe(true);
  // A database that needs no password has none to show.
  for (const secret of secrets.filter((one) => one !== ''))
    expect({ secret, logged: logged.includes(secret) }).toEqual({ secret, logged: false });
  expect(logged).not.toMatch(/[\w.+-]+@[\w-]+\.\w/);
  expect(logged.replaceAll(/127\.0\.0\.1/g, '')).not.toMatch(/\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/);
});
