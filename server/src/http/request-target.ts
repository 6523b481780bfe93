import type { IncomingMessage } from 'node:http';

/** What stands before the path in the absolute form; the slashes end it, so that reading it takes linear time. */
const ORIGIN = /^https?:\/\/[^/?#]+/i;

/**
 * Makes the absolute form of a request's target, which proxies are sent and every server must take (RFC 9112 § 3.2.2),
 * the usual one. Its host means nothing here.
 */
export function toOriginForm(request: IncomingMessage): void {
  const { url = '' } = request;
  const origin = url.startsWith('/') ? undefined : ORIGIN.exec(url)?.[0];
  if (origin === undefined) return;
  const rest = url.slice(origin.length);
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
}
