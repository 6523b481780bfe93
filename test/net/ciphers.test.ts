import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { createConnector } from '../../server/src/net/connector';
import { createPolicy } from '../../server/src/net/policy';
import { FIXTURES } from '../helpers/mail/mail-server';

// DHE of servers without RSA keys is rare.
const KEY = readFileSync(join(FIXTURES, 'rsa-key.pem'), 'utf8');
const CERTIFICATE = readFileSync(join(FIXTURES, 'rsa-certificate.pem'), 'utf8');

const policy = createPolicy({
  allowNetworks: ['127.0.0.0/8'],
  allowHttp: false,
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
});

/** What becomes of a connection to a server that speaks TLS 1.2 with these ciphers alone. */
async function connectedBy(ciphers: string, more: TlsOptions = { maxVersion: 'TLSv1.2' }): Promise<string> {
  const server = createServer({
    key: KEY,
    cert: CERTIFICATE,
    ciphers,
    ...more,
    dhparam: 'auto',
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const connect = createConnector(policy, {
    connectMs: 10_000,
    ca: CERTIFICATE,
    closed: new AbortController().signal,
  });
  try {
    const { port } = server.address() as AddressInfo;
    const socket = (await connect({ host: 'localhost', port, secure: true })) as TLSSocket;
    const { name } = socket.getCipher();
    socket.destroy();
    return name;
  } catch (error) {
    return String((error as { code?: string }).code);
  } finally {
    server.close();
  }
}

test('no receiver chooses the modulus of a key exchange, which may take a second of this process', async () => {
  expect(await connectedBy('DHE-RSA-AES128-GCM-SHA256')).toMatch(/HANDSHAKE_FAILURE/);
  const group = (ecdhCurve: string): TlsOptions => ({ minVersion: 'TLSv1.3', ecdhCurve });
  expect(await connectedBy('TLS_AES_128_GCM_SHA256', group('ffdhe8192'))).toMatch(/HANDSHAKE_FAILURE/);
  expect(await connectedBy('TLS_AES_128_GCM_SHA256', group('X25519'))).toBe('TLS_AES_128_GCM_SHA256');
  // What others have is taken.
  for (const name of ['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES256-SHA384'])
    expect(await connectedBy(name)).toBe(name);
});
