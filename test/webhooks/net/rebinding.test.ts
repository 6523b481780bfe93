import { createPolicy } from '../../../server/src/net/policy';
import { createTransport } from '../../../server/src/net/transport';
import { vetUrl } from '../../../server/src/webhooks/guard';
import { sendWebhook } from '../../../server/src/webhooks/send';
import { BODY, canary, closeAll, httpReceiver, LOOPBACK, resolver, sender } from './receivers';

afterEach(closeAll);

test('a name that is public when saved and loopback when sent is refused', async () => {
  const target = await canary();
  const answers = [['93.184.216.34'], ['127.0.0.1']];
  const lookup = resolver({ 'rebind.example': () => answers.shift() ?? ['127.0.0.1'] });
  const { transport, send } = sender({ allowNetworks: [], lookup });
  await vetUrl(`http://rebind.example:${target.port}/`, transport.policy);
  const outcome = await send(`http://rebind.example:${target.port}/`);
  expect(outcome).toMatchObject({ ok: false, error: expect.stringContaining('may not be reached') });
  expect(target.connections).toBe(0);
});

test('a connection is made to the address that was vetted: the name is asked for once', async () => {
  const good = await httpReceiver((_request, response) => response.end());
  const answers = [['127.0.0.1']];
  // The second answer would be refused, so the name cannot have been asked for again.
  const lookup = resolver({ 'once.example': () => answers.shift() ?? ['10.0.0.1'] });
  const { send } = sender({ lookup });
  expect(await send(`http://once.example:${good.port}/`)).toMatchObject({ ok: true, status: 200 });
  expect(lookup.asked).toEqual(['once.example']);
});

test('the address that the name gave is the one that is connected to', async () => {
  const good = await httpReceiver((_request, response) => response.end('six'), '::1');
  const { send } = sender({ lookup: resolver({ 'six.example': ['::1'] }) });
  expect(await send(`http://six.example:${good.port}/`)).toMatchObject({ ok: true, responseBody: 'six' });
});

test('every address of a name must pass, also when the first one does', async () => {
  const good = await httpReceiver((_request, response) => response.end());
  const { send } = sender({ lookup: resolver({ 'mixed.example': ['127.0.0.1', '10.0.0.1'] }) });
  expect((await send(`http://mixed.example:${good.port}/`)).error).toMatch(/private, RFC 1918/);
  expect(good.connections).toBe(0);
});

test('of several vetted addresses one that answers is found', async () => {
  const good = await httpReceiver((_request, response) => response.end());
  // Nothing listens on the first.
  const { send } = sender({ lookup: resolver({ 'several.example': ['127.0.0.9', '127.0.0.1'] }) });
  expect(await send(`http://several.example:${good.port}/`)).toMatchObject({ ok: true });
});

test('the address that the system really connected to has the last word, before a byte is sent', async () => {
  const target = await canary();
  // 0.0.0.0 is opened by mistake; Linux and macOS connect it to loopback.
  const { send } = sender({ allowNetworks: ['0.0.0.0/8'] });
  const outcome = await send(`http://0.0.0.0:${target.port}/`);
  expect(outcome.error).toMatch(/loopback/);
  expect(target.bytes).toBe(0);
});

test.each(['http', 'https'])(
  'a policy that changes its mind after the connection stops %s before a byte',
  async (scheme) => {
    const target = await canary();
    const policy = createPolicy({ allowNetworks: LOOPBACK, allowHttp: true });
    let checks = 0;
    const fickle = { ...policy, check: () => (++checks > 1 ? 'changed' : undefined) };
    const transport = createTransport(fickle);
    const url = `${scheme}://127.0.0.1:${target.port}/`;
    const outcome = await sendWebhook(transport, { url, method: 'POST', headers: {}, body: BODY });
    transport.close();
    expect(outcome.error).toMatch(/changed/);
    expect(checks).toBe(2);
    expect(target.bytes).toBe(0);
  },
);

test.each([301, 302, 303, 307, 308])(
  'a %i to loopback is a failure that says so, and is not followed',
  async (status) => {
    const target = await canary();
    const receiver = await httpReceiver((_request, response) => {
      response.writeHead(status, { Location: `http://127.0.0.1:${target.port}/` }).end();
    });
    const outcome = await sender().send(`http://127.0.0.1:${receiver.port}/`);
    expect(outcome).toMatchObject({
      ok: false,
      status,
      error: expect.stringContaining('redirects are not followed'),
    });
    expect(outcome.error).not.toContain(String(target.port));
    expect(target.connections).toBe(0);
  },
);
