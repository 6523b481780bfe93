import { AvowApiError } from './errors.js';
import { retryAfter } from './retry.js';
import type { ErrorCode, FieldError, SecondStep } from './types.js';

interface Envelope {
  status?: string;
  data?: { code?: ErrorCode; errors?: FieldError[]; second_step?: SecondStep };
  message?: string;
}

/** The most bytes of an answer that are read. */
const MAX_BYTES = { data: 67_108_864, error: 1_048_576 };

/**
 * The `data` of a successful answer.
 * @throws {AvowApiError} for any other answer
 */
export async function unwrap(operation: string, response: Response): Promise<unknown> {
  const text = await textOf(response);
  if (response.status === 204) return undefined;
  const envelope = parse(text);
  if (response.ok && envelope?.status === 'success') return envelope.data;
  throw failure(operation, response, envelope);
}

/** The body; nothing of one that is too long, as something else than the service may send without end. */
async function textOf(response: Response): Promise<string> {
  // Not every replacement of `fetch` has streams.
  const reader = response.body?.getReader?.();
  if (!reader) return response.text();
  const decoder = new TextDecoder();
  let left = response.ok ? MAX_BYTES.data : MAX_BYTES.error;
  for (let text = ''; ; ) {
    const { done, value } = await reader.read();
    if (done) return text;
    left -= value.length;
    if (left < 0) {
      reader.cancel().catch(() => {});
      return '';
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** What comes from outside, for a line that a terminal may show: it has no controls, and turns no text around. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\ufffd');

export function requestIdOf({ headers }: Response): string | undefined {
  const id = headers.get('X-Request-Id');
  return id === null ? undefined : plain(id);
}

function failure(operation: string, response: Response, envelope: Envelope | null): AvowApiError {
  const { status, headers } = response;
  const requestId = requestIdOf(response);
  const { code = 'unexpected_answer', errors: given, second_step: secondStep } = envelope?.data ?? {};
  // Something else may answer in Avow's place.
  const errors = Array.isArray(given) ? given.filter(Boolean) : [];
  const reason = envelope?.data?.code
    ? [envelope.message, ...errors.map((e) => `${e.path}: ${e.message}`)].join('; ')
    : 'this is not an answer of Avow; check `baseUrl` and the proxies on the way';
  const where = `${status} ${code}${requestId ? `, request ${requestId}` : ''}`;
  const details = {
    operation,
    status,
    code,
    errors,
    secondStep,
    requestId,
    retryAfter: retryAfter(headers.get('Retry-After')),
  };
  return new AvowApiError(plain(`${operation} failed (${where}): ${reason}`), details);
}

function parse(text: string): Envelope | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
