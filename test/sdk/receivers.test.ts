import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { signTestEvent } from '../../sdk/src/index';
import { readMarkdown } from '../helpers/docs/markdown';
import { type Installation, installPackage, sdk } from '../helpers/processes/installed';
import { ExampleReceiver } from '../helpers/webhooks/example-receiver';
import { events, otherSecret, secret } from './signed';

// The receivers of the README, run as they stand there with the package as it is published.
jest.setTimeout(120_000);

const examples = readMarkdown(readFileSync(join(sdk, 'README.md'), 'utf8'))
  .samples.filter(({ language }) => language === 'ts')
  .map(({ code }) => code);

let installation: Installation;
beforeAll(() => {
  installation = installPackage();
  installation.addExpress();
  write('express.mjs', 'express()');
  write('fetch.mjs', 'export default { fetch');
  write('client.mjs', 'signTestEvent(');
});
afterAll(() => installation.remove());

describe.each([
  ['in Express', 'express.mjs', 'listens'],
  ['in a fetch handler', 'fetch.mjs', 'fetch'],
] as const)('the receiver %s', (_, file, kind) => {
  let receiver: ExampleReceiver;
  beforeAll(async () => {
    receiver = await ExampleReceiver.start(join(installation.project, file), kind, secret);
  });
  afterAll(() => receiver.stop());

  const post = (signed: { body: string; headers: Record<string, string> }) => receiver.post(signed);

  test('answers the README’s test: 200 to a good request, 401 to a tampered one', async () => {
    const env = { ...process.env, AVOW_WEBHOOK_SECRET: secret, RECEIVER: receiver.url };
    const client = promisify(execFile)(process.execPath, [join(installation.project, 'client.mjs')], { env });
    expect((await client).stdout).toBe('200 401\n');
  });

  test.each(Object.values(events))('takes $event', async (event) => {
    expect(await post(await signTestEvent(event, secret))).toMatchObject({ status: 200 });
  });

  test('does nothing for a repetition', async () => {
    const signed = await signTestEvent(events['dsar.created'], secret);
    receiver.printed = '';
    for (let attempt = 0; attempt < 3; attempt++) expect((await post(signed)).status).toBe(200);
    expect(receiver.printed).toBe(`erasure is due at ${events['dsar.created'].due_at}\n`);
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
        const call = request(receiver.url, { method: 'GET', headers: { ...headers, ...length } });
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
    expect(await post(old)).toEqual({ status: 401, text: expect.stringContaining('sent over 300 s') });
    expect(await post(stripped)).toEqual({ status: 401, text: 'no header webhook-id' });
    expect(await post({ body: '', headers })).toMatchObject({ status: 401 });
  });
});

/** The example that contains the text. */
function write(file: string, text: string) {
  const found = examples.filter((code) => code.includes(text));
  expect(found).toHaveLength(1);
  installation.writeProgram(file, found[0] ?? '');
}
