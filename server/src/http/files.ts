import type { ServerResponse } from 'node:http';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Negotiator from 'negotiator';
import type { Encoding, Packed, StoredFile } from '../bundles/packed';
import { ApiError } from '../domain/errors';
import type { Logger } from '../observability/logger';
import { isKnown, sendBytes, sendNothing } from './answer';
import { type Exchange, waitsNoMore } from './exchange';
import { endUnread, LARGE, type READING, watchReader, whileAllowed } from './reading';

/** What answers send: a large file is one in memory, however many read it, and slowly. */
const SENT = new WeakMap<ServerResponse, Packed>();

/** Sends a file from memory in the best encoding that the client takes, or 304 when it has it. */
export function sendStored(
  exchange: Exchange,
  { file, cacheControl }: StoredFile,
  log: Logger,
  more: Record<string, string> = {},
): void {
  const encoding = chooseEncoding(exchange.request.headers['accept-encoding']);
  const etag = file.etags[encoding];
  const headers: Record<string, string> = {
    'Cache-Control': cacheControl,
    ETag: etag,
    Vary: 'Accept-Encoding',
    'Timing-Allow-Origin': '*',
    ...more,
  };
  if (isKnown(exchange, etag)) {
    sendNothing(exchange, 304, headers);
    return;
  }
  headers['Content-Type'] = file.contentType;
  if (encoding !== 'identity') headers['Content-Encoding'] = encoding;
  const body = file.bodies[encoding];
  if (body.length >= LARGE) {
    SENT.set(exchange.response, file);
    endUnread(exchange, body.length, log);
  }
  sendBytes(exchange, body, headers);
}

/** Browsers send few different headers: the choice for each is cached. */
const chosen = new Map<string, Encoding>();
const MAX_CHOSEN = 200;
/** Characters. Browsers send about 30; the time to read a header grows faster than its length. */
const MAX_LENGTH = 256;
const PREFERENCE = ['br', 'gzip'] as const;

/**
 * The smallest encoding that `Accept-Encoding` allows (RFC 9110 § 12.5.3); without the header, or with one
 * that is too long, none.
 */
export function chooseEncoding(header: string | string[] | undefined): Encoding {
  const text = String(header ?? '');
  if (text.length > MAX_LENGTH) return 'identity';
  const known = chosen.get(text);
  if (known !== undefined) return known;
  const allowed = new Negotiator({ headers: { 'accept-encoding': text } }).encodings([...PREFERENCE]);
  const encoding = PREFERENCE.find((one) => allowed.includes(one)) ?? 'identity';
  if (chosen.size < MAX_CHOSEN) chosen.set(text, encoding);
  return encoding;
}

/** How a body is sent. */
interface Sending {
  log: Logger;
  /** Whether the reader may still have it: throws if not. */
  check: () => Promise<unknown>;
  /** Whether somebody waits for the place of this download. */
  isAwaited: () => boolean;
  /** How fast its reader must take it. */
  pace: typeof READING;
  /** Who reads it: a group of accounts, or a block of addresses. */
  reader?: string | undefined;
}

/**
 * Streams the body as fast as the client reads it; sends nothing for HEAD. A failure in the middle cuts the
 * connection, because the status has been sent and a truncated answer must not look complete.
 */
export async function sendContent(
  exchange: Exchange,
  [content, ...steps]: [Readable, ...Transform[]],
  { log, check, isAwaited, pace, reader }: Sending,
): Promise<void> {
  const { request, response } = exchange;
  if (exchange.head) {
    content.destroy();
    response.end();
    return;
  }
  waitsNoMore(exchange);
  const about = { request_id: exchange.requestId, operation: exchange.operationId };
  const ending = new AbortController();
  // To HTTP/1.0 the end of the connection is that of the file, unless it is reset.
  const cut = (): void => void (request.httpVersion === '1.0' && response.socket?.resetAndDestroy());
  const end = (why: string): void => {
    cut();
    ending.abort(why);
  };
  const stop = watchReader(response, { end, isAwaited }, pace);
  try {
    // Before the pipeline, which would destroy the answer first.
    const allowed = Readable.from(whileAllowed(content, check, reader), { objectMode: false }).once(
      'error',
      cut,
    );
    await pipeline([allowed, ...steps, response], { signal: ending.signal });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    if (ending.signal.aborted || (error instanceof ApiError && error.status < 500))
      log.info({ ...about, why: ending.signal.reason ?? (error as Error).message }, 'a download was ended');
    else log.error({ ...about, error }, 'a download broke off');
    response.destroy();
  } finally {
    stop();
  }
}
