import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { rest } from '../domain/rests';
import { HOUR_MS, MINUTE_MS } from '../domain/time';
import type { Logger } from '../observability/logger';
import type { Exchange } from './exchange';

/** How long a stream goes on before it is asked again whether its reader may have it, in milliseconds. */
const AGAIN = 1_000;

/**
 * The same pieces, until the check throws: a file is read for minutes, and whoever was removed or disabled meanwhile
 * gets no more of it. Between them others have their turn.
 * @param reader who reads: a group of accounts, or a block of addresses
 */
export async function* whileAllowed<Piece>(
  content: AsyncIterable<Piece>,
  check: () => Promise<unknown>,
  reader?: string,
): AsyncGenerator<Piece> {
  let checkedAt = performance.now();
  for await (const piece of content) {
    if (performance.now() - checkedAt >= AGAIN) {
      await check();
      checkedAt = performance.now();
    }
    await rest(reader);
    yield piece;
  }
}

/** So many bytes are to be taken within so many milliseconds. */
interface Pace {
  within: number;
  bytes: number;
}

/** How long a download may take, and how little of it may be taken: less, while others wait for its place. */
export const READING = {
  look: 1_000,
  longest: HOUR_MS,
  slow: { within: 5 * MINUTE_MS, bytes: 1_048_576 },
  awaited: { within: 10_000, bytes: 65_536 },
};

interface Reader {
  end(why: string): void;
  /** Whether somebody waits for the place of this download. */
  isAwaited(): boolean;
}

/**
 * Ends an answer that is streamed, once, when it takes too long, or its reader takes too little of it. Returns what
 * ends the watch.
 */
export function watchReader(
  response: ServerResponse,
  { end, isAwaited }: Reader,
  limits: typeof READING = READING,
): () => void {
  const begun = performance.now();
  const slow = new Taken(response, limits.slow);
  const awaited = new Taken(response, limits.awaited);
  const timer = setInterval(() => {
    const [isSlow, isSlower] = [slow.isLittle(), awaited.isLittle()];
    if (performance.now() - begun >= limits.longest) stop('it took too long');
    else if (isSlow || (isSlower && isAwaited())) stop('its reader took too little of it');
  }, limits.look);
  timer.unref();
  const stop = (why: string): void => {
    clearInterval(timer);
    end(why);
  };
  return () => clearInterval(timer);
}

/** Bytes from which on an answer that is held whole is watched; the system buffers about as much. */
export const LARGE = 65_536;
/** 2 KiB a second, which every line has: what is held whole, and what strangers download. */
export const HELD = { ...READING, look: 5_000, slow: { within: 30_000, bytes: LARGE } };

/** Ends the connection of a large answer whose reader takes too little of it: it is held whole until then. */
export function endUnread(
  { response, requestId: request_id, operationId: operation }: Exchange,
  bytes: number,
  log: Logger,
  limits: typeof READING = HELD,
): void {
  if (bytes < LARGE || response.closed) return;
  const end = (why: string): void => {
    log.info({ request_id, operation, why }, 'an answer was ended');
    response.destroy();
  };
  response.once('close', watchReader(response, { end, isAwaited: () => false }, limits));
}

/** How much of an answer its reader has taken lately. */
class Taken {
  private at = performance.now();
  private before: number;

  constructor(
    private readonly response: ServerResponse,
    private readonly pace: Pace,
  ) {
    this.before = this.bytes();
  }

  /** Whether it is less than the pace, though something waits to be taken: otherwise the reader waits for us. */
  isLittle(): boolean {
    const { writableNeedDrain, writableEnded } = this.response;
    const goesOn = !(writableNeedDrain || writableEnded) || this.bytes() - this.before >= this.pace.bytes;
    if (goesOn) [this.at, this.before] = [performance.now(), this.bytes()];
    return performance.now() - this.at >= this.pace.within;
  }

  /** What the system has taken over. */
  private bytes(): number {
    const { socket } = this.response;
    return socket === null ? 0 : socket.bytesWritten - socket.writableLength;
  }
}
