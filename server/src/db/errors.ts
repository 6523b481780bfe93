import { ApiError, conflict, unavailable, ValidationError } from '../domain/errors';
import { nativeError } from './native-error';
import { outageOf } from './outage';

export { nativeError };

interface DatabaseError extends Error {
  code?: string;
  constraint?: string;
}

/** PostgreSQL's code for a lock that was not granted in time. */
export const LOCK_NOT_AVAILABLE = '55P03';
/** And for a transaction that was ended because it and others waited for each other. */
export const DEADLOCK_DETECTED = '40P01';
/** And for a statement that took too long. */
export const QUERY_CANCELLED = '57014';

/** Whether the database was unreachable, as opposed to refusing the data. */
export function isUnavailable(error: unknown): boolean {
  const { code = '', message = '' } = nativeError(error) as DatabaseError;
  // A refused login will not succeed later.
  if (/^(28|3D|42)/.test(code)) return false;
  if (code === QUERY_CANCELLED) return false;
  return (
    outageOf(error) !== undefined ||
    /^(40001|40P01|25P03)/.test(code) ||
    /timeout exceeded|Unable to acquire/i.test(message)
  );
}

/** Whether a transaction was ended by a deadlock, or a conflict of serialisation: it may succeed the second time. */
export const lostAgainstAnother = (error: unknown): boolean =>
  /^40(P01|001)$/.test((nativeError(error) as DatabaseError | undefined)?.code ?? '');

/** Whether a statement was cancelled because somebody else holds a lock. */
export const isBlocked = (error: unknown): boolean =>
  (nativeError(error) as DatabaseError).code === LOCK_NOT_AVAILABLE;

/**
 * Whether what ended one part of some work ends all others, too: without a database none can be done. Who lost against
 * another, or waited for a lock, lost for the time being, and alone.
 */
export const endsAll = (error: unknown): boolean =>
  isUnavailable(error) && !lostAgainstAnother(error) && !isBlocked(error);

/** Whether a statement was cancelled because it took too long. */
export const isCancelled = (error: unknown): boolean =>
  (nativeError(error) as DatabaseError).code === QUERY_CANCELLED;

/** Whether a cluster moved what a statement meant between its planning and its execution: the next try finds it. */
export function isMoved(error: unknown): boolean {
  const { code, message = '', hint } = nativeError(error) as DatabaseError & { hint?: string };
  if (hint === 'Retry the query.') return true;
  // The name of a shard is the table's with a number.
  if (code === '42P01') return /_\d{6,}"? does not exist/.test(message);
  return /could not find (valid entry|any shard placements|any healthy placement) for shard/i.test(message);
}

/** Whether PostgreSQL refused the values themselves: class 22 (data exception) or 23 (integrity). */
export const isDataError = (error: unknown): boolean =>
  /^2[23]/.test((nativeError(error) as DatabaseError).code ?? '');

/**
 * Whether the server says that a statement failed, so that nothing of it is stored. Of one whose connection was lost,
 * here or on the way to a node, nobody knows.
 */
export function isUndone(error: unknown): boolean {
  const { code = '' } = nativeError(error) as DatabaseError;
  // A state of SQL, and no name of the system such as EPIPE.
  const isState = /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code);
  return isState && !/^(08|40003|57P|58|XX)/.test(code);
}

/** Translates what the database throws into what a caller may see; everything unknown stays as it is. */
export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const { code = '' } = (nativeError(error) ?? {}) as DatabaseError;
  if (code === QUERY_CANCELLED) return unavailable('The query took too long: narrow it, or try again.', 5);
  if (isUnavailable(error) || outageOf(error) !== undefined)
    return unavailable('The database cannot be reached at the moment: try again shortly.', 2);
  if (code === '23505') return conflict('Such a record exists already: read it, then decide again.');
  if (code.startsWith('22')) return ValidationError.of('body', 'holds a value that cannot be stored');
  return error;
}
