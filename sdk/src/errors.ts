import type { ErrorCode, FieldError, SecondStep } from './types.js';

/**
 * The base class of all errors of this package. Only the reason of the caller's own abort signal is thrown as
 * it is.
 */
export interface AvowError extends Error {}

interface AvowErrorConstructor {
  new (message?: string, options?: ErrorOptions): AvowError;
  readonly prototype: AvowError;
}

/** The service refused the request, or something else answered in its place. */
export interface AvowApiError extends AvowError, ApiErrorDetails {}

interface ApiErrorDetails {
  /** The operation that was called. */
  readonly operation: string;
  /** The HTTP status. */
  readonly status: number;
  /** The kind of failure; stable, for programs. */
  readonly code: ErrorCode;
  /** All problems of the request. */
  readonly errors: FieldError[];
  /** Quote it when asking for help; the service logs it. */
  readonly requestId: string | undefined;
  /** What `completeLogin` needs, after a log-in to an account with a second factor (`second_factor_required`). */
  readonly secondStep?: SecondStep | undefined;
  /** The number of seconds that the service asks to wait before the next attempt. */
  readonly retryAfter: number | undefined;
}

interface AvowApiErrorConstructor {
  new (message: string, details: ApiErrorDetails): AvowApiError;
  readonly prototype: AvowApiError;
}

/**
 * There is no answer: the service could not be reached, the connection broke, or the attempt timed out.
 * `cause` says which.
 */
export interface AvowConnectionError extends AvowError, ConnectionErrorDetails {}

interface ConnectionErrorDetails {
  /** The operation that was called. */
  readonly operation: string;
  /** Whether the attempt timed out. */
  readonly timedOut: boolean;
  /** How much of a file had arrived when its stream broke off; undefined when no file had begun. */
  readonly received?: { readonly bytes: number; readonly lines: number } | undefined;
}

interface AvowConnectionErrorConstructor {
  new (message: string, details: ConnectionErrorDetails & { cause: unknown }): AvowConnectionError;
  readonly prototype: AvowConnectionError;
}

/** The webhook request cannot be verified: answer 401. The message says what to check. */
export interface WebhookVerificationError extends AvowError {
  readonly code: 'missing_signature' | 'bad_signature' | 'expired' | 'bad_payload';
}

/** Something given to a function of `@avow/sdk/verify` is not what it should be, or does not hold. */
export interface EvidenceError extends AvowError {}

interface WebhookVerificationErrorConstructor {
  new (message: string, details: Pick<WebhookVerificationError, 'code'>): WebhookVerificationError;
  readonly prototype: WebhookVerificationError;
}

// biome-ignore-start lint/suspicious/noExplicitAny: the constants below are typed
/**
 * Makes an error class, or returns the one that another copy of this module has made. Each entry of the
 * package holds its own copy of this module, as an ES module and as CommonJS; sharing the class makes
 * `instanceof` work between them.
 */
const share = <Type>(name: string, base: new (...args: any[]) => Error): Type =>
  ((globalThis as any)[Symbol.for(name)] ??= class extends base {
    override name = name;
    constructor(message: string, details: any) {
      super(message, details);
      Object.assign(this, details);
    }
  });
// biome-ignore-end lint/suspicious/noExplicitAny: as above

export const AvowError = /* @__PURE__ */ share<AvowErrorConstructor>('AvowError', Error);
export const AvowApiError = /* @__PURE__ */ Object.assign(
  /* @__PURE__ */ share<AvowApiErrorConstructor>('AvowApiError', AvowError),
  { isApiError: (error: unknown): error is AvowApiError => error instanceof AvowApiError },
);
export const AvowConnectionError = /* @__PURE__ */ share<AvowConnectionErrorConstructor>(
  'AvowConnectionError',
  AvowError,
);
export const WebhookVerificationError = /* @__PURE__ */ share<WebhookVerificationErrorConstructor>(
  'WebhookVerificationError',
  AvowError,
);
export const EvidenceError = /* @__PURE__ */ share<AvowErrorConstructor>('EvidenceError', AvowError);
