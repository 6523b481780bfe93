import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { clock } from '../domain/clock';

/** Of an answer's body: bytes that are read, and bytes that are kept. */
const READ_BYTES = 16 * 1024;
const KEPT_BYTES = 4 * 1024;
/** Of a success: there is one for each event, and the receiver chooses its length. */
const KEPT_OF_SUCCESS = 256;
/** Retry-After is honoured up to one hour. */
const MAX_RETRY_SECONDS = 3_600;

export interface Answer {
  status: number;
  /** The first 4 KiB (of a success 256 bytes) as UTF-8, without NUL, which PostgreSQL does not store. */
  body: string;
  retryAfterSeconds: number | undefined;
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/**
 * Reads at most 16 KiB and what one reading of the connection brings more, then closes the connection; what frames
 * them is the transport's to bound. Never fails, because the status line already decides the outcome. To end it
 * earlier, destroy the request.
 */
export function readAnswer(message: IncomingMessage): Promise<Answer> {
  return new Promise((resolve) => {
    const kept: Buffer[] = [];
    const status = message.statusCode ?? 0;
    const limit = isSuccess(status) ? KEPT_OF_SUCCESS : KEPT_BYTES;
    let size = 0;
    message.on('data', (chunk: Buffer) => {
      if (size < limit) kept.push(chunk.subarray(0, limit - size));
      size += chunk.length;
      if (size > READ_BYTES) message.destroy();
    });
    message.on('error', () => undefined);
    message.once('close', () => {
      // The decoder drops a character that was cut by the limit.
      const body = new StringDecoder('utf8').write(Buffer.concat(kept)).replaceAll('\0', '');
      const retryAfterSeconds = readRetryAfter(message.headers['retry-after'], clock.now());
      resolve({ status, body, retryAfterSeconds });
    });
  });
}

/**
 * Retry-After in seconds from now, 0 to 3600 (RFC 9110, 10.2.3: seconds, or a date in one of three forms).
 * Undefined for anything else.
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), MAX_RETRY_SECONDS);
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined;
  // The asctime form names no zone and means GMT.
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  if (Number.isNaN(date)) return undefined;
  return Math.min(Math.max(Math.ceil((date - now) / 1000), 0), MAX_RETRY_SECONDS);
}
