import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** What is encoded: whole numbers below 24 in size of their first byte, bytes, texts and maps (RFC 8949). */
type Value = number | string | Buffer | Map<number | string, Value>;

const head = (major: number, size: number): Buffer =>
  size < 24
    ? Buffer.from([(major << 5) | size])
    : size < 256
      ? Buffer.from([(major << 5) | 24, size])
      : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);

function cbor(value: Value): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const parts = [...value].flatMap(([key, inner]) => [cbor(key), cbor(inner)]);
  return Buffer.concat([head(5, value.size), ...parts]);
}

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();
const url = (bytes: Buffer): string => bytes.toString('base64url');

/** User present, user verified, and with a new credential. */
const [PRESENT, VERIFIED, MADE] = [1, 4, 64];

/** An authenticator in software, as WebAuthn has them: one key, which it counts the uses of. */
export function authenticator(rpId: string, origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  let uses = 0;
  const client = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const data = (flags: number): Buffer => {
    uses += 1;
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), Buffer.from([0, 0, 0, uses])]);
  };
  return {
    make(nonce: string, isVerified = true) {
      const key = new Map<number, Value>([
        ...([
          [1, 2],
          [3, -7],
          [-1, 1],
        ] as [number, Value][]),
        ...([
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ] as [number, Value][]),
      ]);
      const authData = Buffer.concat([
        data(PRESENT | MADE | (isVerified ? VERIFIED : 0)),
        ...[Buffer.alloc(16), Buffer.from([0, id.length]), id, cbor(key)],
      ]);
      const attestation = new Map<string, Value>([
        ...([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ] as [string, Value][]),
      ]);
      return {
        ...{ credential_id: url(id), client_data_json: url(client('webauthn.create', nonce)) },
        attestation_object: url(cbor(attestation)),
      };
    },
    answer(nonce: string, isVerified = true) {
      const clientData = client('webauthn.get', nonce);
      const authData = data(PRESENT | (isVerified ? VERIFIED : 0));
      const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), privateKey);
      return {
        ...{ credential_id: url(id), client_data_json: url(clientData) },
        ...{ authenticator_data: url(authData), signature: url(signature) },
      };
    },
  };
}

/** One for a test's server, which browsers would reach at its PUBLIC_URL. */
export const authenticatorOf = ({ service }: { service: { context: { publicUrl(): string } } }) => {
  const { hostname, origin } = new URL(service.context.publicUrl());
  return authenticator(hostname, origin);
};
