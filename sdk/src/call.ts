import { OPERATIONS } from '../../spec/generated/operations.js';
import { abortable, sleep } from './abort.js';
import type { createAuth } from './auth.js';
import { AvowApiError } from './errors.js';
import { headersOf, paramsOf, randomKey } from './request.js';
import { delay, isRetryable } from './retry.js';
import type { createTransport } from './transport.js';
import type { Answered, CallOptions, OperationId } from './types.js';
import { agent } from './version.js';

/** Any input: the compiler and the service check what an operation takes. */
export type AnyInput = Record<string, unknown>;
export type AnyOptions = CallOptions & { idempotencyKey?: string | undefined };

/** The parts of a client that a call uses. */
export interface Client {
  send: ReturnType<typeof createTransport>;
  auth: ReturnType<typeof createAuth>;
  headers: Record<string, string> | undefined;
  timeout: number;
  retries: number;
}

/**
 * Calls one operation. Retries failures that may be temporary, and tries once more with a new token when the
 * old one is refused.
 * @param harmless whether the call may be repeated although it is a POST
 */
export async function call(
  client: Client,
  operation: OperationId,
  input: AnyInput = {},
  own: AnyOptions = {},
  harmless = false,
): Promise<Answered<unknown>> {
  const [method, path, flags] = OPERATIONS[operation];
  const has = (flag: string) => flags.includes(flag);
  const { signal, timeout = client.timeout, retries = client.retries, idempotencyKey = randomKey() } = own;
  const body = input.body === undefined ? null : JSON.stringify(input.body);
  const params = paramsOf(operation, path, input);
  const request = { operation, method, path, params, body, download: has('d'), timeout, signal };
  const computed = {
    'User-Agent': agent(),
    'Content-Type': body ? 'application/json' : undefined,
    // All attempts have the same key, so that the service counts them as one request.
    'Idempotency-Key': has('i') ? idempotencyKey : undefined,
  };
  const repeatable = harmless || has('i') || !['POST', 'PATCH'].includes(method);

  let renewed = false;
  for (let failures = 0, attempt = 1; ; attempt++) {
    const bearer = has('b') ? await abortable(client.auth.bearer(), signal) : undefined;
    const authorization = { Authorization: bearer && `Bearer ${bearer}` };
    try {
      const headers = headersOf(client.headers, computed, authorization, own.headers);
      return await client.send({ ...request, attempt, headers });
    } catch (error) {
      if (bearer && !renewed && isRefusal(error) && client.auth.refused(bearer)) {
        renewed = true;
        continue;
      }
      if (failures >= retries || !isRetryable(error, repeatable)) throw error;
      await sleep(delay(error, failures++), signal);
    }
  }
}

/** The token works no more, or the log-in is too old for what was asked. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof AvowApiError && (error.status === 401 || error.code === 'reauthentication_required')
  );
}
