import type { SeenCookie } from '../domain/scan/result';

/** A year and a bit: no browser keeps a cookie longer (RFC 6265bis §5.5). */
const LONGEST = 400 * 86_400;

/** A cookie and its value, which is needed to follow redirects and is never stored. */
export interface SentCookie {
  cookie: SeenCookie;
  value: string;
}

/** Reads a Set-Cookie header (RFC 6265 §5.2). Undefined for what browsers refuse, and for a deletion. */
export function readSetCookie(
  header: string,
  host: string,
  secure: boolean,
  now: number,
): SentCookie | undefined {
  const [pair = '', ...rest] = header.split(';');
  const at = pair.indexOf('=');
  const name = pair.slice(0, Math.max(at, 0)).trim();
  if (name === '' || header.length > 8_192) return undefined;
  const attributes = new Map(
    rest.map((part) => {
      const [key = '', ...value] = part.split('=');
      return [key.trim().toLowerCase(), value.join('=').trim()] as const;
    }),
  );
  const domain = (attributes.get('domain') ?? '').replace(/^\./, '').toLowerCase() || host;
  if (domain !== host && !host.endsWith(`.${domain}`)) return undefined;
  const isSecure = attributes.has('secure');
  if (isSecure && !secure) return undefined;
  const maxAgeSeconds = lifetime(attributes, now);
  if (maxAgeSeconds < 0) return undefined;
  const cookie = {
    name,
    domain,
    maxAgeSeconds,
    secure: isSecure,
    httpOnly: attributes.has('httponly'),
    sameSite: sameSite(attributes.get('samesite')),
  };
  return { cookie, value: pair.slice(at + 1).trim() };
}

/** Seconds; 0 for a session cookie, negative for one that is over. */
function lifetime(attributes: ReadonlyMap<string, string>, now: number): number {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge))
    return Number(maxAge) <= 0 ? -1 : Math.min(Number(maxAge), LONGEST);
  const expires = Date.parse(attributes.get('expires') ?? '');
  if (Number.isNaN(expires)) return 0;
  const left = Math.round((expires - now) / 1000);
  return left <= 0 ? -1 : Math.min(left, LONGEST);
}

const sameSite = (text: string | undefined): SeenCookie['sameSite'] =>
  (['Strict', 'Lax', 'None'] as const).find((value) => value.toLowerCase() === text?.toLowerCase()) ?? null;
