import { isDataError, isUnavailable } from '../db/errors';

interface DatabaseError extends Error {
  code?: string;
  /** Only errors from PostgreSQL itself have one. */
  severity?: string;
}

/** By its words, because a node of a cluster passes it on under a code of its own. */
export const isMissingPartition = (error: unknown): boolean => {
  const { severity, message } = error as DatabaseError;
  return severity !== undefined && message.startsWith('no partition of relation');
};

/**
 * Citus does not take a statement that looks for something on several sites. PostgreSQL uses the same code when a
 * column's type has changed under a prepared statement.
 */
export const isOfOneSite = (error: unknown): boolean => {
  const { code, message } = error as DatabaseError;
  return code === '0A000' && !message.startsWith('cached plan');
};

/**
 * Whether the rest of the group may be good: PostgreSQL refused a value, or our own code could not handle it.
 */
export const canBeOneRow = (error: unknown): boolean =>
  isDataError(error) || ((error as DatabaseError).severity === undefined && !isUnavailable(error));
