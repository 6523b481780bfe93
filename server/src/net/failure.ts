/** A receiver that webhooks may not reach; the message completes "The URL …" and names no address. */
export class RefusedError extends Error {
  override name = 'RefusedError';
  readonly code = 'ADDRESS_REFUSED';
}

type Reason =
  | (
      | 'TIMEOUT'
      | 'CONNECT_TIMEOUT'
      | 'STOPPED'
      | 'ECONNRESET'
      | 'TOO_MANY_INTERIM'
      | 'TOO_LONG'
      | 'TOO_MANY_RECORDS'
      | 'HPE_INVALID_STATUS'
    )
  | ('EPROTO' | 'HANDSHAKE_TOO_LONG' | 'SECOND_HANDSHAKE' | 'CERTIFICATES_TOO_COSTLY');

/** An attempt that ended without an answer for a reason of ours. */
export class Failure extends Error {
  override name = 'Failure';
  constructor(readonly code: Reason) {
    super(code);
  }
}

/** What went wrong, by error code of Node, libuv, llhttp and OpenSSL; the first match counts. */
const SENTENCES: [RegExp, string][] = [
  [/^TIMEOUT$/, 'The receiver did not answer in time'],
  [/^CONNECT_TIMEOUT$/, 'The connection was not made in time'],
  [/^TOO_MANY_INTERIM$/, 'The receiver sent more than 20 interim answers (1xx) and no final one'],
  [/^TOO_LONG$/, 'The receiver sent more than 80 KiB before its answer was there'],
  [/^TOO_MANY_RECORDS$/, 'The receiver sent too many TLS records or tickets that bring little or nothing'],
  [/^HANDSHAKE_TOO_LONG$/, 'The receiver sent more than 64 KiB in the TLS handshake, or 200 records'],
  [/^SECOND_HANDSHAKE$/, 'The receiver asked for another TLS handshake on its connection'],
  [
    /^CERTIFICATES_TOO_COSTLY$/,
    'The receiver shows TLS certificates that cost too much to check: more than 10 or 16 KiB, or with unusual keys',
  ],
  [/^STOPPED$/, 'The attempt was stopped before an answer came'],
  [/^(ENOTFOUND|EAI_\w+|ENODATA)$/, 'The name of the receiver does not resolve'],
  [/^ECONNREFUSED$/, 'The receiver refused the connection'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'The receiver closed the connection before it answered'],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EADDRNOTAVAIL)$/, 'The receiver cannot be reached'],
  [/^HPE_/, 'The receiver did not answer in valid HTTP/1.1'],
  [/CERT|^UNABLE_TO_|^ERR_TLS|^ERR_SSL|^EPROTO$|_CA$/, 'The TLS handshake failed'],
];

/**
 * One line for the owner: a sentence and the error's code. Never the error's own message,
 * which can quote the URL, addresses or what the receiver sent.
 */
export function describeFailure(error: unknown): string {
  if (error instanceof RefusedError) return `The URL ${error.message}.`;
  const code = codeOf(error);
  if (code === undefined) return 'The request failed.';
  const sentence = SENTENCES.find(([pattern]) => pattern.test(code))?.[1] ?? 'The request failed';
  return `${sentence} (${code}).`;
}

/** The code of an error, if it is one: capitals, digits, underscores. */
function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[A-Z0-9_]{2,60}$/.test(code) ? code : undefined;
}
