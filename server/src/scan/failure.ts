import { RefusedError } from '../net/failure';

/** A page that could not be visited; the message is for whoever asked for the scan, who may be anybody. */
export class ScanFailure extends Error {
  override name = 'ScanFailure';
}

/** The library or the browser cannot be used here: the other engine takes over. */
export class NoBrowser extends Error {}

/**
 * One message for names that do not resolve and for private addresses: a difference would reveal the internal
 * network.
 */
export const UNREACHABLE = 'The host is not reachable on the public Internet.';
export const NOT_IN_TIME = 'The page did not answer in time.';
export const TOO_LARGE = 'The page went over the limits of a scan before it was there.';
export const GONE = 'The browser of the scan ended while it visited the page: the page asks too much of it.';
export const DRIVER_GONE =
  'The process that drove the browser of the scan ended while the page was visited: the page asks too much of it.';
export const TOO_MUCH_MEMORY =
  'The page went over the limits of a scan: what it made its browser tell took too much memory.';
export const TOO_MUCH_TOLD = 'The page went over the limits of a scan: it keeps more than can be told.';
export const NOT_STORABLE = 'What the scan found on the page cannot be stored.';
export const BAD_TLS = 'The TLS certificate of the page is not valid, or no secure connection could be made.';
export const NO_ANSWER =
  'The page could not be loaded: its server ended the connection, or did not answer in HTTP.';
export const LONG_ADDRESS =
  'The page leads to an address that is too long: a scan follows up to 4,096 characters.';
export const NOT_HTML = 'The address answers a file, not an HTML page.';

export const answered = (status: number): string => `The page answered ${status}.`;

/** What a connection error means to whoever asked. */
export function describeConnectError(error: unknown): string {
  if (error instanceof RefusedError) return UNREACHABLE;
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  if (/^(ENOTFOUND|EAI_|ENODATA|ECONNREFUSED|E(HOST|NET)UNREACH|EADDRNOTAVAIL)/.test(code))
    return UNREACHABLE;
  if (/TIMEDOUT|TIMEOUT|STOPPED/.test(code)) return NOT_IN_TIME;
  if (/CERT|HANDSHAKE|^UNABLE_TO_|^ERR_TLS|^ERR_SSL|^EPROTO$|_CA$/.test(code)) return BAD_TLS;
  return NO_ANSWER;
}
