import { execFileSync, spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { body, changed, event, events, headers, id, secret, sentAt, signedHeaders, verify } from './signed';

describe('any flipped bit is refused', () => {
  const flip = <T extends Uint8Array>(bytes: T, bit: number): T => {
    const index = Math.floor(bit / 8) % bytes.length;
    bytes[index] = (bytes[index] ?? 0) ^ (1 << (bit % 8));
    return bytes;
  };
  const bit = fc.nat({ max: 8 * 4096 - 1 });
  // Also bodies that are not JSON, nor even UTF-8.
  const anyBody = fc.oneof(
    fc.json().map(Buffer.from),
    fc.uint8Array({ minLength: 1 }).map((b) => Buffer.from(b)),
  );

  test('of the body', async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, bit, async (bytes, n) => {
        const given = signedHeaders(bytes);
        await expect(verify({ body: flip(Buffer.from(bytes), n), headers: given })).rejects.toMatchObject({
          code: 'bad_signature',
        });
      }),
      { numRuns: 300 },
    );
  });

  test.each(Object.keys(headers) as (keyof typeof headers)[])('of %s', async (name) => {
    for (let n = 0; n < headers[name].length * 8; n++) {
      const value = flip(Buffer.from(headers[name], 'latin1'), n).toString('latin1');
      const error = await verify({ headers: changed({ [name]: value }) }).catch((reason) => reason);
      expect([n, error]).toMatchObject([n, { code: 'bad_signature' }]);
    }
  });

  test('and what is not flipped is accepted, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (title) => {
        const text = JSON.stringify({ ...events['breach.created'], title });
        const verified = await verify({ body: Buffer.from(text), headers: signedHeaders(text) });
        expect(verified).toEqual(JSON.parse(text));
      }),
    );
  });
});

const openssl = spawnSync('openssl', ['version']).status === 0;
// Without openssl on the path the vectors of node:crypto above say the same.
(openssl ? describe : describe.skip)('what openssl signs is verified (needs openssl on the PATH)', () => {
  const dgst = (...args: string[]) => execFileSync('openssl', ['dgst', '-sha256', ...args], { input: body });

  test('X-Service-Signature', async () => {
    const hex = String(dgst('-hmac', secret))
      .trim()
      .replace(/^.*= ?/, '');
    const given = changed({ 'x-service-signature': `sha256=${hex}` });
    await expect(verify({ headers: given })).resolves.toEqual(event);
  });

  test('webhook-signature', async () => {
    const key = Buffer.from(secret.slice(6), 'base64').toString('hex');
    const args = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key}`, '-binary'];
    const signature = execFileSync('openssl', args, { input: `${id}.${sentAt}.${body}` });
    const given = changed({ 'webhook-signature': `v1,${signature.toString('base64')}` });
    await expect(verify({ headers: given })).resolves.toEqual(event);
  });
});
