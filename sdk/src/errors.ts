import type { ErrorCode, FieldError } from './types.js';

/**
 * The base class of everything that this package throws, except the reason of the caller's own abort signal.
 */
export interface AvowError extends Error {}

interface AvowErrorConstructor {
  new (message?: string, options?: ErrorOptions): AvowError;
  readonly prototype: AvowError;
}

/** The service answered, and the answer is a refusal or not one of its own. */
export interface AvowApiError extends AvowError, ApiErrorDetails {}

interface ApiErrorDetails {
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
}

interface AvowApiErrorConstructor {
  new (message: string, details: ApiErrorDetails): AvowApiError;
  readonly prototype: AvowApiError;
}

/**
 * No answer: the service could not be reached, the connection broke, or the time was up. `cause` says which.
 */
export interface AvowConnectionError extends AvowError, ConnectionErrorDetails {}

interface ConnectionErrorDetails {
  /** The operation that was called. */
  readonly operation: string;
  /** Whether the time for an attempt was up. */
  readonly timedOut: boolean;
  /** How much of a file had come when its stream broke off; undefined when no file had begun. */
  readonly received?: { readonly bytes: number; readonly lines: number } | undefined;
}

interface AvowConnectionErrorConstructor {
  new (message: string, details: ConnectionErrorDetails & { cause: unknown }): AvowConnectionError;
  readonly prototype: AvowConnectionError;
}

/** The request cannot be verified: answer 401. The message says what to check. */
export interface WebhookVerificationError extends AvowError {
  readonly code: 'missing_signature' | 'bad_signature' | 'expired' | 'bad_payload';
}

interface WebhookVerificationErrorConstructor {
  new (message: string, details: Pick<WebhookVerificationError, 'code'>): WebhookVerificationError;
  readonly prototype: WebhookVerificationError;
}

// biome-ignore-start lint/suspicious/noExplicitAny: the types are those of the constants below
/**
 * A class of errors. Every entry of the package is complete, as an ES module and as CommonJS: the class of
 * the copy that is loaded first is that of all, so that `instanceof` holds between them.
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
