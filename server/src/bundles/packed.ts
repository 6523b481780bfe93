import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { GroupQueue } from '../ingest/group-queue';

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

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A public file that is ready to be sent from memory. */
export class StoredFile {
  constructor(
    readonly file: Packed,
    /** The answer's media type. */
    readonly cacheControl: string,
  ) {}
}

/**
 * Files of at least this size, in bytes, are compressed at a lower level: a list of two thousand vendors
 * would take seconds.
 */
const LARGE = 100_000;

/**
 * Files compressed at once; the other threads of the pool are left for the file system, passwords and DNS.
 */
const AT_ONCE = 1;
const MAX_WAITING = 1_000;

interface Loose {
  text: string;
  tag: string;
  contentType: string;
}

async function packOne({ text, tag, contentType }: Loose): Promise<Packed> {
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

const queue = new GroupQueue<Loose, Packed>({
  work: (files) => Promise.all(files.map(packOne)),
  maxGroup: AT_ONCE,
  maxWaiting: MAX_WAITING,
});

/** Compresses a file once, off the main thread, at a high level because it is sent many times. */
export const pack = async (text: string, tag: string, contentType: string): Promise<Packed> =>
  queue.add({ text, tag, contentType });
