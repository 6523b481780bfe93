import { ApiError, conflict, unavailable, ValidationError } from '../errors';

interface DatabaseError extends Error {
  code?: string;
  constraint?: string;
}

const CONNECTION = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/** The driver's own error: Objection hides it, with its code, in one of its own. */
export const nativeError = (error: unknown): unknown =>
  (error as { nativeError?: unknown } | undefined)?.nativeError ?? error;

/** Whether the database was not there, as opposed to refusing the data. */
export function isUnavailable(error: unknown): boolean {
  const { code = '', message = '', name = '' } = nativeError(error) as DatabaseError;
  return (
    CONNECTION.has(code) ||
    name === 'KnexTimeoutError' ||
    /^(08|53|57P|55P03|40001|40P01|25P03|25006)/.test(code) ||
    /Connection terminated|timeout (exceeded|expired)|not queryable|Unable to acquire|connect timeout/i.test(
      message,
    )
  );
}

/** Whether PostgreSQL refused the values themselves: class 22 (data exception) or 23 (integrity). */
export const isDataError = (error: unknown): boolean =>
  /^2[23]/.test((nativeError(error) as DatabaseError).code ?? '');

/** Translates what the database throws into what a caller may see; everything unknown stays as it is. */
export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const { code = '' } = (nativeError(error) ?? {}) as DatabaseError;
  if (code === '57014') return unavailable('The query took too long: narrow it, or try again.', 5);
  if (isUnavailable(error))
    return unavailable('The database cannot be reached at the moment: try again shortly.', 2);
  if (code === '23505') return conflict('Such a record exists already: read it, then decide again.');
  if (code.startsWith('22')) return ValidationError.of('body', 'holds a value that cannot be stored');
  return error;
}
