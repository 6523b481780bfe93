/** One problem of a request: where, what, and which rule. */
export interface FieldError {
  path: string;
  message: string;
  code: string;
}

export type ErrorCode =
  | 'validation_failed'
  | 'invalid_json'
  | 'unauthorized'
  | 'forbidden'
  | 'second_factor_required'
  | 'reauthentication_required'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'internal_error'
  | 'unavailable';

/** An error that a caller may see: its message is one sentence that says what to do. */
export class ApiError extends Error {
  override name = 'ApiError';
  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
    readonly errors: FieldError[] = [],
    readonly headers: Record<string, string> = {},
    /** Further fields of the answer's `data`. */
    readonly more: object = {},
  ) {
    super(message);
  }
}

/** The maximum number of problems listed in one answer. */
export const MAX_ERRORS = 100;

/** 400 that lists every wrong field up to a bound, and says when there are more. */
export class ValidationError extends ApiError {
  constructor(errors: FieldError[]) {
    const more = errors.length > MAX_ERRORS ? `, the first ${MAX_ERRORS} of more` : '';
    super(
      400,
      'validation_failed',
      `The request breaks the contract: correct the fields named in errors${more}.`,
      errors.slice(0, MAX_ERRORS),
    );
  }
  /** The usual case of one wrong field. */
  static of(path: string, message: string, code = 'invalid'): ValidationError {
    return new ValidationError([{ path, message, code }]);
  }
}

export const invalidJson = (message: string): ApiError => new ApiError(400, 'invalid_json', message);
export const unauthorized = (
  message = 'The bearer token is missing, expired or revoked: log in again.',
): ApiError => new ApiError(401, 'unauthorized', message, [], { 'WWW-Authenticate': 'Bearer' });
export const forbidden = (message: string): ApiError => new ApiError(403, 'forbidden', message);
export const notFound = (what: string): ApiError =>
  new ApiError(
    404,
    'not_found',
    `${what} was not found: check the address and that your account may see it.`,
  );
export const conflict = (message: string): ApiError => new ApiError(409, 'conflict', message);
export const rateLimited = (
  seconds: number,
  message = `Too many requests: try again in ${seconds} s.`,
): ApiError => new ApiError(429, 'rate_limited', message, [], { 'Retry-After': String(seconds) });
export const unavailable = (message: string, seconds = 1): ApiError =>
  new ApiError(503, 'unavailable', message, [], { 'Retry-After': String(seconds) });
export const methodNotAllowed = (allow: string): ApiError =>
  new ApiError(405, 'method_not_allowed', `This path takes ${allow} only.`, [], { Allow: allow });
export const payloadTooLarge = (limit: number): ApiError =>
  new ApiError(413, 'payload_too_large', `The body is too large: send at most ${limit / 1024} KiB.`, [], {
    Connection: 'close',
  });
export const tooManyPieces = (most: number): ApiError =>
  new ApiError(
    413,
    'payload_too_large',
    `The body comes in too many pieces: send it in at most ${most} chunks, or with a Content-Length.`,
    [],
    { Connection: 'close' },
  );
export const unsupportedMediaType = (types: string[]): ApiError =>
  new ApiError(
    415,
    'unsupported_media_type',
    `Send the body as ${types.join(' or ')} in UTF-8 without a content encoding.`,
  );
