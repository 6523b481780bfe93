import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jwtVerify } from 'jose';
import { ProviderClient } from '../../server/src/services/sign-on/provider-client';

test.each([
  ['fails', 500, ''],
  ['answers with no keys', 200, 'no JSON'],
])(
  'strangers do not make a provider be asked again and again whose address of keys %s',
  async (_, status, body) => {
    let asked = 0;
    const web = createServer((_request, response) => {
      asked += 1;
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
    }).listen(0, '127.0.0.1');
    try {
      await new Promise((resolve) => web.once('listening', resolve));
      const issuer = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
      const client = new ProviderClient({ issuer } as never);
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const token = `${part({ alg: 'RS256', kid: 'x' })}.${part({ sub: 'a' })}.c2lnbmF0dXJl`;
      const ask = (from: 'provider' | 'strangers') =>
        jwtVerify(token, client.keysOf({ issuer, jwks_uri: `${issuer}/keys` }, from)).catch(
          ({ name }: Error) => name,
        );
      for (let n = 0; n < 5; n += 1)
        expect(await ask('strangers')).not.toBe('JWSSignatureVerificationFailed');
      expect(asked).toBe(1);
      // Of what the provider itself has answered it is asked at once.
      await ask('provider');
      expect(asked).toBe(2);
    } finally {
      web.close();
    }
  },
);
