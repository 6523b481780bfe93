import { type IncomingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface LoadedFile {
  status: number;
  headers: IncomingHttpHeaders;
  /** As they travelled. */
  bytes: Buffer;
  /** Decompressed. */
  text: string;
}

/** Loads a file as a browser does, without undoing what the server does to it. */
export function load(
  url: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
): Promise<LoadedFile> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = unpack(bytes, response.headers['content-encoding']).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text });
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

function unpack(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  if (encoding === 'br') return brotliDecompressSync(bytes);
  return encoding === 'gzip' ? gunzipSync(bytes) : bytes;
}
