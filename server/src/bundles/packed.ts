import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { FairTurns, type Sender } from '../domain/fair-turns';

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
 * Files of at least this size, in bytes, are compressed once, at a lower level than the best: a list of two
 * thousand vendors would take seconds.
 */
const LARGE = 100_000;

/** Levels of Brotli: the low ones take a few milliseconds, so that nobody's files keep those of others waiting. */
const LEVEL = { soon: 5, large: 6, best: constants.BROTLI_MAX_QUALITY };

/**
 * Makers of sites take turns, then their sites. Few at once: the other threads of the pool are left for the file
 * system, passwords and DNS. What is too much to be compressed well stays as it is.
 */
const SOON_TURNS = new FairTurns(2, { each: 1_000, all: 2_000 });
const WELL_TURNS = new FairTurns(1, { each: 20, all: 100 });

/** A file before it is compressed. */
export interface Loose {
  text: string;
  tag: string;
  contentType: string;
  /** Whose turn it takes: the makers of sites take turns, then their sites. */
  sender: Sender;
}

async function compress({ text, tag, contentType }: Loose, level: number, ending = ''): Promise<Packed> {
  const identity = Buffer.from(text);
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: level,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
      },
    }),
    promisify(gzip)(identity, { level: 9 }) as Promise<Buffer>,
  ]);
  return {
    contentType,
    etags: { identity: `"${tag}"`, gzip: `"${tag}-gzip"`, br: `"${tag}-br${ending}"` },
    bodies: { identity, gzip: zipped, br },
    size: identity.length + zipped.length + br.length,
  };
}

/**
 * Compresses a file off the main thread: quickly, because somebody waits for it, and then well, because it is
 * sent many times. `better` gets the second one, if there is one.
 */
export async function pack(file: Loose, better: (packed: Packed) => void): Promise<Packed> {
  if (file.text.length >= LARGE) return SOON_TURNS.take(file.sender, () => compress(file, LEVEL.large));
  const packed = await SOON_TURNS.take(file.sender, () => compress(file, LEVEL.soon, '-soon'));
  // Without a turn, the first one stays.
  WELL_TURNS.take(file.sender, () => compress(file, LEVEL.best)).then(better, () => undefined);
  return packed;
}
