import { OPERATIONS } from '../../spec/generated/operations.js';
import { createAuth } from './auth.js';
import { type AnyInput, type AnyOptions, type Client, call } from './call.js';
import { AvowError } from './errors.js';
import type { AvowOptions } from './options.js';
import { each } from './pages.js';
import { createTransport } from './transport.js';
import type { Avow, OperationId } from './types.js';

/**
 * A client of one service. Its methods reject with `AvowApiError` when the service refuses, with
 * `AvowConnectionError` when it gives no answer, and with the reason of the caller's signal when that aborts.
 * @throws {AvowError} at once when the options cannot work
 */
export function createAvow(options: AvowOptions): Avow {
  const { baseUrl, token, apiKey, credentials, timeout = 10_000, retries = 2 } = options;
  if (!/^https?:\/\//.test(baseUrl)) {
    throw new AvowError('`baseUrl` must be the absolute URL of the service: https://consent.example.com');
  }
  if ([token, apiKey, credentials].filter((one) => one !== undefined).length > 1)
    throw new AvowError('give one of `apiKey`, `token` and `credentials`');
  if (apiKey !== undefined && !/^avow_[0-9A-Za-z]{50}$/.test(apiKey))
    throw new AvowError('`apiKey` must be an API key: avow_ and 50 letters or digits');

  const client: Client = {
    send: createTransport(baseUrl.replace(/\/+$/, ''), options.fetch ?? globalThis.fetch, options),
    // A login changes nothing: it may always be repeated.
    auth: createAuth(apiKey ?? token, credentials, {
      login: async (body) => (await call(client, 'login', { body }, {}, true)).data,
      // A code works once: it is not sent again.
      completeLogin: async (body) => (await call(client, 'completeLogin', { body })).data,
    }),
    headers: options.headers,
    timeout,
    retries,
  };
  const methods = Object.entries(OPERATIONS).map(([id, [, , flags]]) => {
    const withResponse = (input?: AnyInput, own?: AnyOptions) => call(client, id as OperationId, input, own);
    const method = async (input?: AnyInput, own?: AnyOptions) => (await withResponse(input, own)).data;
    return [id, Object.assign(method, { withResponse }, flags.includes('p') && { each: each(method) })];
  });
  return Object.fromEntries(methods);
}
