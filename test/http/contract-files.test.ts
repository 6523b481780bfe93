import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { useServer } from '../helpers/server';

const server = useServer({ variables: { ROLE: 'api' } });
const generated = (name: string) => readFileSync(join(__dirname, '../../spec/generated', name), 'utf8');
const JSON_TEXT = JSON.stringify(JSON.parse(generated('openapi.json')));

const FILES: [path: string, type: string, text: string][] = [
  ['/openapi.json', 'application/json; charset=utf-8', JSON_TEXT],
  ['/openapi.yaml', 'application/yaml; charset=utf-8', generated('openapi.yaml')],
];
const DECODED = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };

/** As it is sent: fetch would decode it. */
async function read(path: string, headers: Record<string, string>, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>(
    (resolve, reject) => {
      const asked = request(server.url + path, { method, headers }, (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(pieces) }),
        );
      });
      asked.on('error', reject);
      asked.end();
    },
  );
}

describe.each(FILES)('%s', (path, type, text) => {
  test.each(['br', 'gzip', 'identity'] as const)('is sent as %s to any origin', async (encoding) => {
    const { status, headers, bytes } = await read(path, { 'Accept-Encoding': encoding });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      vary: 'Accept-Encoding',
      'content-length': String(bytes.length),
    });
    expect(headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding);
    expect(DECODED[encoding](bytes).toString('utf8')).toBe(text);
    if (encoding !== 'identity') expect(bytes.length).toBeLessThan(text.length / 8);
  });

  test('is not sent again to whoever has it', async () => {
    const first = await read(path, { 'Accept-Encoding': 'br' });
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^"[\w-]{22}-br"$/);
    for (const method of ['GET', 'HEAD']) {
      const again = await read(path, { 'Accept-Encoding': 'br', 'If-None-Match': etag }, method);
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag]);
    }
    // Other bytes have another one.
    const zipped = await read(path, { 'Accept-Encoding': 'gzip', 'If-None-Match': etag });
    expect([zipped.status, zipped.headers.etag === etag]).toEqual([200, false]);
    const head = await read(path, { 'Accept-Encoding': 'br' }, 'HEAD');
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([
      ...[200, 0],
      String(first.bytes.length),
    ]);
  });
});
