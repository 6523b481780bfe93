import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { signTestEvent } from '../../sdk/src/index';
import { installPackage, root, sdk } from './installed';
import { events, otherSecret, secret } from './signed';

// The receivers of the README, run as they stand there with the package as it is published.
jest.setTimeout(120_000);

const examples = Array.from(
  readFileSync(join(sdk, 'README.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g),
  ([, code = '']) => code,
);
/** Serves a fetch handler, as Deno, Bun and Workers would. */
const host = `
import { createServer } from 'node:http';
import handler from './fetch.mjs';
createServer(async (incoming, outgoing) => {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const init = { method: incoming.method, headers: incoming.headers, body: Buffer.concat(chunks) };
  const answer = await handler.fetch(new Request('http://localhost' + incoming.url, init));
  outgoing.writeHead(answer.status).end(await answer.text());
}).listen(Number(process.env.PORT), () => console.log('ready'));
`;

let installation: ReturnType<typeof installPackage>;
beforeAll(() => {
  installation = installPackage();
  symlinkSync(join(root, 'node_modules/express'), join(installation.project, 'node_modules/express'));
  write('express.mjs', 'express()');
  write('fetch.mjs', 'export default { fetch');
  write('client.mjs', 'signTestEvent(');
  writeFileSync(join(installation.project, 'host.mjs'), host);
});
afterAll(() => installation.remove());

describe.each([
  ['in Express', 'express.mjs'],
  ['in a fetch handler', 'host.mjs'],
])('the receiver %s', (_, file) => {
  let receiver: ChildProcess;
  let printed = '';
  let url: string;
  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/hooks/avow`;
    const env = { ...process.env, AVOW_WEBHOOK_SECRET: secret, PORT: String(port) };
    receiver = spawn(process.execPath, [join(installation.project, file)], { env });
    receiver.stderr?.on('data', (text) => process.stderr.write(text));
    await new Promise<void>((resolve, reject) => {
      receiver.stdout?.on('data', (text) => {
        printed += text;
        resolve();
      });
      receiver.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
    });
    printed = '';
  });
  afterAll(async () => {
    const gone = new Promise((resolve) => receiver.once('exit', resolve));
    receiver.kill();
    await gone;
  });

  const post = async (signed: { body: string; headers: Record<string, string> }) => {
    const response = await fetch(url, { method: 'POST', ...signed });
    return { status: response.status, text: await response.text() };
  };

  test('answers the README’s test: 200 to a good request, 401 to a tampered one', async () => {
    const env = { ...process.env, AVOW_WEBHOOK_SECRET: secret, RECEIVER: url };
    const client = promisify(execFile)(process.execPath, [join(installation.project, 'client.mjs')], { env });
    expect((await client).stdout).toBe('200 401\n');
  });

  test.each(Object.values(events))('takes $event', async (event) => {
    expect(await post(await signTestEvent(event, secret))).toMatchObject({ status: 200 });
  });

  test('does nothing for a repetition', async () => {
    const signed = await signTestEvent(events['dsar.created'], secret);
    printed = '';
    for (let attempt = 0; attempt < 3; attempt++) expect((await post(signed)).status).toBe(200);
    expect(printed).toBe(`erasure is due at ${events['dsar.created'].due_at}\n`);
  });

  test('takes either secret during a rotation', async () => {
    const event = events['breach.created'];
    const before = await signTestEvent(event, secret, { nextSecret: otherSecret });
    const after = await signTestEvent(event, otherSecret, { nextSecret: secret });
    expect([(await post(before)).status, (await post(after)).status]).toEqual([200, 200]);
  });

  if (file === 'express.mjs') {
    test('takes what a webhook sends by GET', async () => {
      const { body, headers } = await signTestEvent(events['dsar.resolved'], secret);
      const length = { 'Content-Length': Buffer.byteLength(body) };
      const status = await new Promise((resolve, reject) => {
        const call = request(url, { method: 'GET', headers: { ...headers, ...length } });
        call.once('response', (response) => resolve(response.resume().statusCode)).once('error', reject);
        call.end(body);
      });
      expect(status).toBe(200);
    });
  }

  test('refuses another secret, a replay, and one without its id, and says why', async () => {
    const event = events['dsar.created'];
    const other = await signTestEvent(event, otherSecret);
    const old = await signTestEvent(event, secret, { timestamp: Date.now() - 3_600_000 });
    const { body, headers } = await signTestEvent(event, secret);
    const stripped = { body, headers: { 'X-Service-Signature': headers['X-Service-Signature'] ?? '' } };
    expect(await post(other)).toEqual({ status: 401, text: expect.stringContaining('raw body') });
    expect(await post(old)).toEqual({ status: 401, text: expect.stringContaining('a replay') });
    expect(await post(stripped)).toEqual({ status: 401, text: 'no header webhook-id' });
    expect(await post({ body: '', headers })).toMatchObject({ status: 401 });
  });
});

/** The example that contains the text. */
function write(file: string, text: string) {
  const found = examples.filter((code) => code.includes(text));
  expect(found).toHaveLength(1);
  const { target, module } = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const compilerOptions = { target, module };
  writeFileSync(
    join(installation.project, file),
    ts.transpileModule(found[0] ?? '', { compilerOptions }).outputText,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
