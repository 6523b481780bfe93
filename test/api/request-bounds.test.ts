import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { createAvow } from '@avow/sdk';
import { chooseEncoding } from '../../server/src/http/files';
import { bearerOf, ownedSite } from '../helpers/http/contract-requests';
import { post, raw } from '../helpers/http/raw';
import { startServer, type TestServer } from '../helpers/server';
import { member } from '../helpers/site/people';

/** The visitor host ahead of Express, and Express alone. */
let servers: TestServer[];
let site: Awaited<ReturnType<typeof ownedSite>>;
beforeAll(async () => {
  const fast = await startServer();
  servers = [fast, await startServer({ visitorHost: false, databaseUrl: fast.databaseUrl })];
  site = await ownedSite(fast);
});
afterAll(async () => {
  for (const server of [...servers].reverse()) await server.stop();
});

const hosts = [
  ['the visitor host', 0],
  ['Express', 1],
] as const;
const errorsOf = (answer: Awaited<ReturnType<typeof raw>>): [number, { path: string; code: string }[]] => [
  answer.status,
  answer.json.data.errors.map(({ path, code }: { path: string; code: string }) => ({ path, code })),
];

describe.each(hosts)('%s', (_name, at) => {
  const url = (): string => (servers[at] as TestServer).url;
  const preferences = (query: string) => raw(url(), { path: `/api/preferences/${site.token}?${query}` });
  const log = (body: object) => post(url(), `/api/consents/${site.token}/log`, body);
  const events = (list: unknown[]) =>
    post(url(), `/api/v/${site.token}/e`, { session_id: randomUUID(), events: list });

  test('a query has a length and a number of names', async () => {
    const one = `session_id=${randomUUID()}`;
    expect((await preferences(one)).status).toBe(200);
    expect(errorsOf(await preferences(`${one}&a=${'b'.repeat(8_192)}`))).toEqual([
      400,
      [{ path: 'query', code: 'maxLength' }],
    ]);
    expect(errorsOf(await preferences('a&'.repeat(101)))).toEqual([
      400,
      [{ path: 'query', code: 'maxItems' }],
    ]);
    const [status, errors] = errorsOf(await preferences(`${one}${'&a=1'.repeat(99)}`));
    expect([status, errors]).toEqual([400, [{ path: 'query.a', code: 'additionalProperties' }]]);
  });

  test('a path has a length', async () => {
    const long = await raw(url(), { path: `/api/preferences/${'a/'.repeat(5_000)}` });
    expect(errorsOf(long)).toEqual([400, [{ path: 'path', code: 'maxLength' }]]);
  });

  test('a list that is too long is told to be so, and nothing of its items', async () => {
    expect(errorsOf(await events(Array(20_000).fill({})))).toEqual([
      400,
      [{ path: 'body.events', code: 'maxItems' }],
    ]);
  });

  test('every problem is named up to a hundred, and then it is said that there are more', async () => {
    const wrong = (count: number) => events(Array(count).fill({ name: 'banner_shown' }));
    const few = await wrong(40);
    expect(few.json.data.errors.length).toBe(40);
    expect(few.json.message).toMatch(/named in errors\.$/);
    const exactly = await wrong(100);
    expect(exactly.json.data.errors.length).toBe(100);
    expect(exactly.json.message).toMatch(/named in errors\.$/);
    const many = await log(Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, 1])));
    expect(many.json.data.errors.length).toBe(100);
    expect(many.json.message).toMatch(/named in errors, the first 100 of more\.$/);
  });

  test('no field has a name of thousands of characters', async () => {
    const categories = { ['c'.repeat(50_000)]: [{}, {}] };
    const body = { session_id: randomUUID(), decision: 'save_preferences', categories };
    const [status, errors] = errorsOf(await log(body));
    expect([status, errors.map(({ code }) => code)]).toEqual([400, ['additionalProperties']]);
    expect(errors[0]?.path).toMatch(/^body\.categories\.c{40}$/);
  });

  test('a body in very many chunks is read like any other', async () => {
    const { hostname, port } = new URL(url());
    const body = JSON.stringify({ session_id: randomUUID(), decision: 'accept_all' });
    const chunks = [...body].map((character) => `1\r\n${character}\r\n`).join('');
    const head = `POST /api/consents/${site.token}/log HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    const answer = await talk(Number(port), hostname, `${head}${chunks}0\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  });
});

test('who may not do it is told so before the body is sent', async () => {
  const [server] = servers as [TestServer];
  const { hostname, port } = new URL(server.url);
  const stranger = await bearerOf(server, (await server.person()).userId);
  const head = (bearer: string) =>
    `PUT /api/cookies/${site.token}/vendors HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${bearer}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\n`;
  expect(await talk(Number(port), hostname, head(stranger))).toMatch(/^HTTP\/1\.1 404 /);
  expect(await talk(Number(port), hostname, head('none'))).toMatch(/^HTTP\/1\.1 401 /);
  const viewer = await member(
    server,
    { token: site.token, client: createAvow({ baseUrl: server.url, token: site.bearer }) },
    'viewer',
  );
  const bearer = await bearerOf(server, viewer.userId);
  expect(await talk(Number(port), hostname, head(bearer))).toMatch(/^HTTP\/1\.1 403 /);
});

test('without a login a body has 64 KiB at most', async () => {
  const [server] = servers as [TestServer];
  const body = { email: 'nobody@example.com', password: 'x'.repeat(70_000) };
  const answer = await post(server.url, '/api/auth/console', body);
  expect([answer.status, answer.json.message]).toEqual([413, 'The body is too large: send at most 64 KiB.']);
});

test('spaces around the parts of Accept-Encoding mean nothing', () => {
  expect(chooseEncoding('gzip ; q=0 ,\tbr ;q=1')).toBe('br');
  expect(chooseEncoding('BR;Q=0, gzip')).toBe('gzip');
});

/** What a server says to these bytes, while more are awaited. */
function talk(port: number, host: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => socket.write(text));
    socket.setEncoding('utf8').once('data', (answer: unknown) => {
      socket.destroy();
      resolve(String(answer));
    });
    socket.on('error', reject);
  });
}
