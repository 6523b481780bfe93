import { execFileSync } from 'node:child_process';
import { newSecret, type SignedAttempt, signatureHeaders } from '../../../server/src/webhooks/signature';

const current = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const next = `whsec_${Buffer.from('fedcba9876543210fedcba9876543210').toString('base64')}`;
const body = Buffer.from('{"event":"dsar.created","name":"Zoë ✓"}', 'utf8');
const attempt: SignedAttempt = {
  eventId: 'evt_01',
  event: 'dsar.created',
  deliveryId: 'dlv_01',
  attempt: 2,
  test: false,
  timestampSeconds: 1_700_000_000,
  body,
  secrets: { current },
};

/** Made with `openssl dgst -sha256 -hmac` and `-mac HMAC -macopt hexkey:`. */
const VECTORS = {
  'X-Service-Signature': 'sha256=555efaa471f99408e52c81a261658457dc5bb46c35f03d8f617d4f06d3055d92',
  'X-Service-Signature-Next': 'sha256=913cb25596d7f1273deec3ab0725f5eb7558f86a862db12663f1139caf2fa66e',
  'webhook-signature':
    'v1,oxw5V8i7CzzVxrcbUKErlfiIvuMiBlOmN1TW93mdHeQ= v1,SjDfQHu7Kd38OA/Hcvg6lhrkF0p4KzoapL3+ikOa2+g=',
};

test('the headers of an attempt', () => {
  expect(signatureHeaders(attempt)).toEqual({
    'X-Service-Signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    'webhook-id': 'evt_01',
    'webhook-timestamp': '1700000000',
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    'X-Service-Event': 'dsar.created',
    'X-Service-Delivery': 'dlv_01',
    'X-Service-Attempt': '2',
  });
});

test('a test says so, and is signed like any other', () => {
  expect(signatureHeaders({ ...attempt, test: true })).toEqual({
    ...signatureHeaders(attempt),
    'X-Service-Test': 'true',
  });
});

test('during a rotation both secrets sign, the old one where it always did', () => {
  const before = signatureHeaders(attempt);
  const after = signatureHeaders({ ...attempt, secrets: { current: next } });
  expect(signatureHeaders({ ...attempt, secrets: { current, next } })).toEqual({
    ...before,
    'X-Service-Signature-Next': after['X-Service-Signature'],
    'webhook-signature': `${before['webhook-signature']} ${after['webhook-signature']}`,
  });
});

test('a retry changes the timestamp and its signature, not the event or the signature of the body', () => {
  const retry = signatureHeaders({ ...attempt, attempt: 3, timestampSeconds: 1_700_000_010 });
  const first = signatureHeaders(attempt);
  for (const same of ['webhook-id', 'X-Service-Signature', 'X-Service-Delivery'])
    expect(retry[same]).toBe(first[same]);
  for (const other of ['webhook-signature', 'webhook-timestamp']) expect(retry[other]).not.toBe(first[other]);
});

test('a new secret is whsec_ and 32 random bytes', () => {
  const [a, b] = [newSecret(), newSecret()];
  expect(a).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(Buffer.from(a.slice(6), 'base64')).toHaveLength(32);
  expect(a).not.toBe(b);
});

test('signatures that openssl made once hold', () => {
  expect(signatureHeaders({ ...attempt, secrets: { current, next } })).toMatchObject(VECTORS);
});

/** HMAC-SHA256 by a program that shares no code with ours: with OpenSSL's command line, key in hex. */
function openssl(key: Buffer, data: Buffer): Buffer {
  const options = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key.toString('hex')}`, '-binary'];
  return execFileSync('openssl', options, { input: data });
}

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version']);
    return true;
  } catch {
    console.warn('openssl is not on the PATH: the signatures are not compared with it.');
    return false;
  }
}

(hasOpenssl() ? test : test.skip)('openssl makes the same signatures', () => {
  const headers = signatureHeaders({ ...attempt, secrets: { current, next } });
  const standard = (secret: string): string =>
    openssl(
      Buffer.from(secret.slice('whsec_'.length), 'base64'),
      Buffer.concat([Buffer.from('evt_01.1700000000.'), body]),
    ).toString('base64');
  const plain = (secret: string): string => openssl(Buffer.from(secret), body).toString('hex');
  expect(headers['X-Service-Signature']).toBe(`sha256=${plain(current)}`);
  expect(headers['X-Service-Signature-Next']).toBe(`sha256=${plain(next)}`);
  expect(headers['webhook-signature']).toBe(`v1,${standard(current)} v1,${standard(next)}`);
});
