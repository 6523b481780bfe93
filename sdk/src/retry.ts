import { AvowApiError, AvowConnectionError } from './errors.js';

const BASE = 250;
const LONGEST = 8_000;
const LONGEST_ASKED = 60;
const TRANSIENT = [408, 429, 500, 502, 503, 504];
/** Statuses after which the service has done nothing, so that a retry is safe. */
const UNTOUCHED = [429, 503];

/** Whether another attempt makes sense and, unless the operation is repeatable, is safe. */
export function isRetryable(error: unknown, repeatable: boolean): boolean {
  if (error instanceof AvowConnectionError) return repeatable;
  if (!(error instanceof AvowApiError)) return false;
  // Coming back earlier than asked is useless, and waiting for minutes is the caller's decision.
  if ((error.retryAfter ?? 0) > LONGEST_ASKED) return false;
  return (repeatable ? TRANSIENT : UNTOUCHED).includes(error.status);
}

/**
 * Milliseconds to wait after the given attempt (from 0): what the service asked for, and full jitter on top.
 */
export function delay(error: unknown, attempt: number): number {
  const asked = error instanceof AvowApiError ? (error.retryAfter ?? 0) * 1000 : 0;
  return asked + Math.random() * Math.min(LONGEST, BASE * 2 ** attempt);
}

/** Seconds of a `Retry-After` header, which holds seconds or an HTTP date (RFC 9110, 10.2.3). */
export function retryAfter(header: string | null): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
