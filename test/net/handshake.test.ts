import { createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import {
  type AddressInfo,
  connect as connectPlain,
  createServer as createPlain,
  type Server,
} from 'node:net';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { createConnector } from '../../server/src/net/connector';
import { describeFailure } from '../../server/src/net/failure';
import { createPolicy } from '../../server/src/net/policy';
import { BAD_TLS, describeConnectError } from '../../server/src/scan/failure';
import {
  AUTHORITY,
  certificate,
  der,
  dnsName,
  extension,
  madeUpKey,
  namesOf,
  randomNumber,
  sequence,
} from '../helpers/net/certificates';

const policy = createPolicy({
  allowNetworks: ['127.0.0.0/8'],
  allowHttp: false,
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
});
const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(server);
  return (server.address() as AddressInfo).port;
}

function secureServer(options: TlsOptions, onSecure?: (socket: TLSSocket) => void): Promise<number> {
  const server = createServer(options, onSecure);
  server.on('tlsClientError', () => undefined);
  server.on('connection', (socket) => socket.on('error', () => undefined));
  return listening(server);
}

/** Passes bytes on, a few at a time. */
const inPieces = (port: number, size: number): Promise<number> =>
  listening(
    createPlain((near) => {
      const far = connectPlain({ port, host: '127.0.0.1', noDelay: true });
      near.setNoDelay(true);
      for (const socket of [near, far]) socket.on('error', () => undefined);
      near.pipe(far);
      far.on('data', async (chunk) => {
        far.pause();
        for (let at = 0; at < chunk.length; at += size) {
          near.write(chunk.subarray(at, at + size));
          await new Promise(setImmediate);
        }
        far.resume();
      });
      far.once('close', () => near.destroy());
      near.once('close', () => far.destroy());
    }),
  );

const reach = (port: number, ca?: string): Promise<TLSSocket> =>
  createConnector(policy, { connectMs: 20_000, ca, closed: new AbortController().signal })({
    host: 'localhost',
    port,
    secure: true,
  }) as Promise<TLSSocket>;

/** How it ends: a code, or the cipher. */
async function endOf(port: number, ca?: string): Promise<unknown> {
  try {
    const socket = await reach(port, ca);
    const { name } = socket.getCipher();
    socket.destroy();
    return name;
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

const VERSIONS = ['TLSv1.2', 'TLSv1.3'] as const;
const only = (version: (typeof VERSIONS)[number]): TlsOptions => ({
  minVersion: version,
  maxVersion: version,
});
const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }) as string;
const publicDer = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });

const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const usual = (bits = 2_048): Buffer => madeUpKey(bits, Buffer.from([1, 0, 1]));

/** What a server shows that has a key of its own, and says that these are above it. */
const chainOf = (keys: Buffer[], { names = [] as string[], above = [] as Buffer[], bits = 2_048 } = {}) =>
  [publicDer(leaf.publicKey), ...keys]
    .map((key, index) =>
      certificate({
        ...{ subject: `${index}`, issuer: `${index + 1}`, key, signer: bits },
        extensions: index === 0 ? [namesOf('localhost', ...names)] : [AUTHORITY, ...above],
      }),
    )
    .join('');

const constraints = (count: number): Buffer =>
  extension('551d1e', sequence(der(0xa1, ...Array.from({ length: count }, () => sequence(dnsName('z'))))));
const described = (): Buffer => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' });
  return publicDer(publicKey);
};
const curve = (namedCurve: string): Buffer => publicDer(generateKeyPairSync('ec', { namedCurve }).publicKey);

const own = { subject: 'own', issuer: 'above', key: publicDer(leaf.publicKey), signer: 2_048 };
const relativePlaces = (count: number): Buffer =>
  extension('551d1f', sequence(...Array.from({ length: count }, () => sequence(der(0xa0, der(0xa1))))));

const HOSTILE: [string, () => string][] = [
  [
    'exponents as long as their moduli',
    () =>
      chainOf(
        Array.from({ length: 6 }, () => madeUpKey(3_072, randomNumber(3_072))),
        { bits: 3_072 },
      ),
  ],
  ['exponents of 64 bits', () => chainOf([madeUpKey(4_096, randomNumber(64))])],
  ['moduli of 16,384 bits', () => chainOf([usual(16_384)])],
  ['an unusual curve', () => chainOf([curve('sect571k1')])],
  ['a curve that it describes itself', () => chainOf([described()])],
  [
    'eleven certificates',
    () =>
      chainOf(
        Array.from({ length: 10 }, () => usual(1_024)),
        { bits: 1_024 },
      ),
  ],
  [
    '17 KiB',
    () =>
      chainOf([usual()], {
        names: Array.from({ length: 600 }, (_, index) =>
          `name-${1_000 + index}.of.a.long.list.test`.slice(0, 26),
        ),
      }),
  ],
  [
    'places of revocation lists that are a part of its name',
    () => certificate({ ...own, extensions: [namesOf('localhost'), relativePlaces(2)] }),
  ],
  [
    'a name of 65 parts',
    () => certificate({ ...own, issuer: Array<string>(65).fill('x'), extensions: [namesOf('localhost')] }),
  ],
  [
    'many names and constraints for each',
    () => chainOf([usual()], { names: Array.from({ length: 900 }, () => 'y'), above: [constraints(400)] }),
  ],
];

describe.each(VERSIONS)('%s', (version) => {
  test.each(HOSTILE)('a server is left that shows %s, before that is checked', async (_what, chain) => {
    // What this server itself would refuse to show is no matter here.
    const ciphers = 'DEFAULT@SECLEVEL=0';
    const port = await secureServer({ ...only(version), ciphers, key: pem(leaf.privateKey), cert: chain() });
    expect(await endOf(port)).toBe('CERTIFICATES_TOO_COSTLY');
  });
});

test('owners and whoever had a page scanned read why', () => {
  for (const code of ['CERTIFICATES_TOO_COSTLY', 'HANDSHAKE_TOO_LONG'])
    expect(describeConnectError({ code })).toBe(BAD_TLS);
  const told = describeFailure({ code: 'CERTIFICATES_TOO_COSTLY' });
  expect(told).toMatch(
    /^The receiver shows TLS certificates that cost too much .*\(CERTIFICATES_TOO_COSTLY\)\.$/,
  );
  expect(describeFailure({ code: 'HANDSHAKE_TOO_LONG' })).toMatch(/more than 64 KiB in the TLS handshake/);
});

describe('a long chain of a server that many trust', () => {
  let key: KeyObject;
  let cert: string;
  let ca: string;
  beforeAll(() => {
    key = generateKeyPairSync('rsa', { modulusLength: 4_096 }).privateKey;
    const made = (index: number): string =>
      certificate({
        ...{ subject: `honest ${index}`, issuer: `honest ${Math.min(index + 1, 3)}`, signer: key },
        key: publicDer(createPublicKey(key)),
        extensions:
          index > 0
            ? [AUTHORITY, ...(index === 1 ? [constraints(40)] : [])]
            : [
                namesOf(
                  'localhost',
                  ...Array.from({ length: 100 }, (_, at) => `shop-${at}.of.a.long.chain.test`),
                ),
              ],
      });
    const all = [0, 1, 2, 3].map(made);
    cert = all.join('');
    ca = all[3] as string;
    // About 8 KB of certificates.
    expect(all.reduce((sum, one) => sum + new X509Certificate(one).raw.length, 0)).toBeGreaterThan(7_000);
  }, 60_000);

  test.each([
    ['TLSv1.3', 'TLS_AES_128_GCM_SHA256'],
    ['TLSv1.3', 'TLS_AES_256_GCM_SHA384'],
    ['TLSv1.3', 'TLS_CHACHA20_POLY1305_SHA256'],
    ['TLSv1.2', 'ECDHE-RSA-AES128-GCM-SHA256'],
    ['TLSv1.2', 'AES256-GCM-SHA384'],
  ] as const)('is taken with %s and %s, whole or in pieces, with any group', async (version, ciphers) => {
    // With P-384 alone a server of TLS 1.3 asks for another key share first.
    for (const ecdhCurve of ['X25519', 'P-384']) {
      const port = await secureServer({ ...only(version), ciphers, ecdhCurve, key: pem(key), cert });
      expect(await endOf(port, ca)).toBe(ciphers);
      for (const size of [1, 7, 1_000]) expect(await endOf(await inPieces(port, size), ca)).toBe(ciphers);
    }
  });

  test.each(VERSIONS)('carries what is sent over it, both ways: %s', async (version) => {
    const port = await secureServer({ ...only(version), key: pem(key), cert }, (socket) =>
      socket.pipe(socket),
    );
    const socket = await reach(port, ca);
    const sent = randomNumber(8 * 3_000_000);
    socket.end(sent);
    const parts: Buffer[] = [];
    for await (const part of socket) parts.push(part as Buffer);
    expect(Buffer.concat(parts).equals(sent)).toBe(true);
  });

  test('a server that asks for a certificate is taken, unless its list of authorities is endless', async () => {
    const authorities = (count: number): string[] =>
      Array.from({ length: count }, (_, index) => {
        const name = `${1_000 + index}`.repeat(13);
        return certificate({ issuer: name, subject: name, key: usual(1_024), signer: 1_024 });
      });
    for (const version of VERSIONS) {
      const asking = (count: number) =>
        secureServer({
          ...{ ...only(version), key: pem(key), cert, ciphers: 'DEFAULT@SECLEVEL=0' },
          ...{ requestCert: true, rejectUnauthorized: false, ca: authorities(count) },
        });
      expect(await endOf(await asking(100), ca)).toMatch(/^(TLS|ECDHE)/);
      expect(await endOf(await asking(900), ca)).toBe('HANDSHAKE_TOO_LONG');
    }
  });

  test('a server that begins another handshake on the connection is refused it', async () => {
    const again: unknown[] = [];
    const port = await secureServer({ ...only('TLSv1.2'), key: pem(key), cert }, (socket) => {
      socket.on('error', () => undefined);
      socket.renegotiate({ rejectUnauthorized: false }, (error) => again.push(error ?? 'done'));
      socket.once('close', () => again.push('closed'));
    });
    const socket = await reach(port, ca);
    socket.resume();
    await new Promise((resolve) => socket.once('error', resolve).once('close', resolve));
    socket.destroy();
    expect(again).not.toContain('done');
  });
});
