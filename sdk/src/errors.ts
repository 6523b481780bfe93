import type { ErrorCode, FieldError } from './types.js';

/** Whatever this package throws, but for the reason of the caller's own abort signal. */
export class AvowError extends Error {
  override name = 'AvowError';
}

/** The service answered, and the answer is a refusal or not one of its own. */
export class AvowApiError extends AvowError {
  override name = 'AvowApiError';
  /** The operation that was called. */
  readonly operation: string;
  /** The HTTP status. */
  readonly status: number;
  /** What kind of failure it was; stable, for programs. */
  readonly code: ErrorCode;
  /** Every problem of the request. */
  readonly errors: FieldError[];
  /** Quote it when asking for help; the service logs it. */
  readonly requestId: string | undefined;
  /** Seconds that the service asks to wait before the next attempt. */
  readonly retryAfter: number | undefined;

  constructor(message: string, details: Omit<AvowApiError, keyof Error>) {
    super(message);
    this.operation = details.operation;
    this.status = details.status;
    this.code = details.code;
    this.errors = details.errors;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
  }

  /** Like `instanceof`, and also true for an error of another copy of this package. */
  static isApiError(error: unknown): error is AvowApiError {
    return (error as Error | undefined)?.name === 'AvowApiError';
  }
}

/** No answer: the service could not be reached, the connection broke, or the time was up. `cause` says which. */
export class AvowConnectionError extends AvowError {
  override name = 'AvowConnectionError';
  /** The operation that was called. */
  readonly operation: string;
  /** Whether the time for an attempt was up. */
  readonly timedOut: boolean;

  constructor(message: string, details: { operation: string; timedOut: boolean; cause: unknown }) {
    super(message, { cause: details.cause });
    this.operation = details.operation;
    this.timedOut = details.timedOut;
  }
}
