import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Outcome } from '../../../server/src/webhooks/send';
import { canary, closeAll, httpReceiver, httpsReceiver, LOOPBACK } from './receivers';

afterEach(closeAll);

/** Run by a process of its own, because Jest keeps the environment of its tests away from Node's core. */
const PROGRAM = `
  const ts = require('typescript');
  const { readFileSync } = require('node:fs');
  const compilerOptions = { module: 'commonjs', target: 'es2022', esModuleInterop: true };
  require.extensions['.ts'] = (module, file) =>
    module._compile(ts.transpileModule(readFileSync(file, 'utf8'), { compilerOptions }).outputText, file);
  const { createPolicy } = require('./server/src/net/policy.ts');
  const { createTransport, sendWebhook } = require('./server/src/webhooks/send.ts');
  const [urls, allowNetworks] = JSON.parse(process.argv[1]);
  const transport = createTransport(createPolicy({ allowNetworks, allowHttp: true }));
  const send = (url) => sendWebhook(transport, { url, method: 'POST', headers: {}, body: Buffer.from('{}') });
  Promise.all(urls.map(send)).then((outcomes) => {
    transport.close();
    console.log(JSON.stringify(outcomes));
  });
`;

async function sendFrom(environment: Record<string, string>, urls: string[]): Promise<Outcome[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['-e', PROGRAM, JSON.stringify([urls, LOOPBACK])],
    { cwd: join(__dirname, '../../..'), env: { ...process.env, ...environment } },
  );
  return JSON.parse(stdout) as Outcome[];
}

test('neither a proxy nor switched-off verification in the environment is obeyed', async () => {
  const proxy = await canary();
  const plain = await httpReceiver((_request, response) => response.end('direct'));
  const secure = await httpsReceiver((_request, response) => response.end());
  const address = `http://127.0.0.1:${proxy.port}`;
  const proxies = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];
  const outcomes = await sendFrom(
    {
      ...Object.fromEntries(proxies.map((name) => [name, address])),
      NODE_USE_ENV_PROXY: '1',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    },
    [`http://127.0.0.1:${plain.port}/`, `https://127.0.0.1:${secure.port}/`],
  );
  expect(outcomes).toMatchObject([
    { ok: true, responseBody: 'direct' },
    { ok: false, error: 'The TLS handshake failed (DEPTH_ZERO_SELF_SIGNED_CERT).' },
  ]);
  expect(proxy.connections).toBe(0);
});
