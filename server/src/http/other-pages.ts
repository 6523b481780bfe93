import type { IncomingMessage } from 'node:http';
import type { Context } from '../context';
import { type ApiError, forbidden } from '../domain/errors';

type Own = Pick<Context, 'config' | 'publicUrl'>;

/**
 * Whether a page of another site has made a browser send this: it must not use up what its reader may ask for. Browsers
 * say so (Fetch Metadata); those that do not, as over plain HTTP, name the page's origin at least where something may
 * change. Programs say neither. What opens in a tab of its own is its reader's.
 */
export function isOfOtherPage(request: IncomingMessage, own: Own): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (isAhead(request) && site !== 'same-origin') return true;
  if (site === 'same-origin' || site === 'none' || isOpened(request)) return false;
  if (origin === undefined) return site !== undefined;
  return !own.config.consoleOrigins.includes(origin) && (site !== undefined || !isOurs(request, origin, own));
}

/** A page can make a browser load ahead what nobody opens, and the browser then says nothing of that page. */
const isAhead = ({ headers: { 'sec-purpose': purpose, purpose: older } }: IncomingMessage): boolean =>
  /\bpre(fetch|render|view)\b/.test(`${purpose} ${older}`);

function isOpened({ method, headers }: IncomingMessage): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

/** Whether it is a page of this server. A proxy may have changed the host, so the public address counts too. */
function isOurs({ headers }: IncomingMessage, origin: string, { publicUrl }: Own): boolean {
  const host = headers.host?.toLowerCase();
  return (
    origin === `http://${host}` || origin === `https://${host}` || origin === new URL(publicUrl()).origin
  );
}

export const otherPage = (): ApiError =>
  forbidden(
    "No page of another site may ask for this: its origin must be in CONSOLE_ORIGINS, or be PUBLIC_URL's.",
  );
