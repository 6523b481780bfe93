import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Encoding } from '../bundles/packed';
import type { Operation } from '../contract/operations';
import type { Exchange } from './exchange';
import { chooseEncoding } from './files';

/** The size from which compression pays, in bytes: less fits into one or two packets anyway. */
const MIN_BYTES = 4_096;
const TEXTS = /^(?:application\/(?:json|x-ndjson)|text\/)/;
/** Fast rather than small, because each answer is compressed for one reader. */
const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
};

/** How an answer is encoded, and the headers that say so. */
export interface Coding {
  encoding: Encoding;
  headers: Record<string, string>;
}

const PLAIN: Coding = { encoding: 'identity', headers: {} };

/**
 * Compresses what owners read. Visitors' answers are small and come from memory. Decision 014 explains why
 * the length of an answer reveals no secret.
 */
export function codingOf(
  { open, request }: Exchange,
  { bearer, method }: Operation,
  contentType: string,
): Coding {
  if (!bearer || method !== 'GET' || !TEXTS.test(contentType)) return PLAIN;
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  const headers: Record<string, string> = { Vary: open ? 'Accept-Encoding' : 'Origin, Accept-Encoding' };
  if (encoding !== 'identity') headers['Content-Encoding'] = encoding;
  return { encoding, headers };
}

/** Compresses what passes through; nothing to do for identity. */
export function compressor({ encoding }: Coding): Transform[] {
  if (encoding === 'identity') return [];
  return [encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip()];
}

/** A whole text in its encoding, off the main thread; a small one stays as it is. */
export async function compress(
  text: string | Buffer,
  { encoding, headers }: Coding,
): Promise<[Buffer, Coding['headers']]> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  if (encoding === 'identity' || bytes.length < MIN_BYTES) {
    const { 'Content-Encoding': _, ...plain } = headers;
    return [bytes, plain];
  }
  const packed = await (encoding === 'br'
    ? promisify(brotliCompress)(bytes, BROTLI)
    : promisify(gzip)(bytes));
  return [packed, headers];
}
