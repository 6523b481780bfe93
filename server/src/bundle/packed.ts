import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** How an answer can be encoded, the best first. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** A file that is ready to be sent in each encoding. */
export interface Packed {
  contentType: string;
  /** A strong validator for each encoding, since their bytes differ (RFC 9110 § 8.8.3.3). */
  etags: Record<Encoding, string>;
  bodies: Record<Encoding, Buffer>;
  /** What it takes in memory, in bytes. */
  size: number;
}

/** Files from this size on, in bytes, are packed less hard: a list of two thousand vendors would take seconds. */
const LARGE = 200_000;

/** Compresses a file once, off the main thread, as hard as is sensible for something that is sent a million times. */
export async function pack(text: string, tag: string, contentType: string): Promise<Packed> {
  const identity = Buffer.from(text);
  const quality = identity.length < LARGE ? constants.BROTLI_MAX_QUALITY : 6;
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
      },
    }),
    promisify(gzip)(identity, { level: 9 }) as Promise<Buffer>,
  ]);
  return {
    contentType,
    etags: { identity: `"${tag}"`, gzip: `"${tag}-gzip"`, br: `"${tag}-br"` },
    bodies: { identity, gzip: zipped, br },
    size: identity.length + zipped.length + br.length,
  };
}
