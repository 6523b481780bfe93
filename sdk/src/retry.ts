import { AvowApiError, AvowConnectionError } from './errors.js';

/** Bounds of the random wait, in milliseconds: it doubles from the first to the second. */
const BASE = 250;
const MAX_BACKOFF = 8_000;
/** The longest wait that is accepted from the service, in seconds. */
const MAX_RETRY_AFTER = 60;
const TRANSIENT = [408, 429, 500, 502, 503, 504];
/** Statuses that mean that the service has done nothing, so that a retry is always safe. */
const UNTOUCHED = [429, 503];

/** Whether another attempt makes sense and, unless the operation is repeatable, is safe. */
export function isRetryable(error: unknown, repeatable: boolean): boolean {
  if (error instanceof AvowConnectionError) return repeatable;
  if (!(error instanceof AvowApiError)) return false;
  // An earlier retry would be refused again, and waiting for minutes is the caller's decision.
  if ((error.retryAfter ?? 0) > MAX_RETRY_AFTER) return false;
  return (repeatable ? TRANSIENT : UNTOUCHED).includes(error.status);
}

/**
 * Milliseconds to wait after the given attempt (from 0): the time that the service asked for, plus a random
 * part.
 */
export function delay(error: unknown, attempt: number): number {
  const requested = error instanceof AvowApiError ? (error.retryAfter ?? 0) * 1000 : 0;
  return requested + Math.random() * Math.min(MAX_BACKOFF, BASE * 2 ** attempt);
}

/** Seconds of a `Retry-After` header, which holds seconds or an HTTP date (RFC 9110, 10.2.3). */
export function retryAfter(header: string | null): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
