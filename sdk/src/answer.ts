import { AvowApiError } from './errors.js';
import { retryAfter } from './retry.js';
import type { ErrorCode, FieldError } from './types.js';

interface Envelope {
  status?: string;
  data?: { code?: ErrorCode; errors?: FieldError[] };
  message?: string;
}

/**
 * The `data` of a successful answer.
 * @throws {AvowApiError} for any other answer
 */
export async function unwrap(operation: string, response: Response): Promise<unknown> {
  const text = await response.text();
  if (response.status === 204) return undefined;
  const envelope = parse(text);
  if (response.ok && envelope?.status === 'success') return envelope.data;
  throw failure(operation, response, envelope);
}

function failure(operation: string, { status, headers }: Response, envelope: Envelope | null): AvowApiError {
  const requestId = headers.get('X-Request-Id') ?? undefined;
  const { code = 'unexpected_answer', errors = [] } = envelope?.data ?? {};
  const reason = envelope?.data?.code
    ? [envelope.message, ...errors.map((e) => `${e.path}: ${e.message}`)].join('; ')
    : 'this is not an answer of Avow; check `baseUrl` and the proxies on the way';
  const where = `${status} ${code}${requestId ? `, request ${requestId}` : ''}`;
  const details = {
    operation,
    status,
    code,
    errors,
    requestId,
    retryAfter: retryAfter(headers.get('Retry-After')),
  };
  return new AvowApiError(`${operation} failed (${where}): ${reason}`, details);
}

function parse(text: string): Envelope | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
