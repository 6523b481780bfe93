import { Cookie, CookieJar, MemoryCookieStore } from 'tough-cookie';
import { clock } from '../domain/clock';
import { MAX_COOKIES, type SeenCookie } from '../domain/cookies/result';

/** A year and a bit: no browser keeps a cookie longer (RFC 6265bis §5.5). */
const LONGEST = 400 * 86_400;
/** Longer headers are not read. */
const MAX_HEADER = 8_192;
/** Octets of a name and its value together: more is refused, as browsers do (RFC 6265bis §5.6). */
const MAX_PAIR = 4_096;
const SAME_SITE = new Map([
  ['strict', 'Strict'],
  ['lax', 'Lax'],
  ['none', 'None'],
] as const);

/**
 * The cookies of one visit, kept as browsers do: tough-cookie reads them (RFC 6265), and refuses what is set
 * for a foreign domain or for a public suffix, by the list of tldts (publicsuffix.org, its ICANN and private
 * parts).
 */
export class VisitCookies {
  private readonly store = new MemoryCookieStore();
  private readonly jar = new CookieJar(this.store);
  private headers = 0;

  /** Reads the Set-Cookie headers of an answer and ignores what browsers would not store. */
  keep(headers: readonly string[], url: URL, now = clock.date()): void {
    for (const header of headers) {
      if (this.headers >= MAX_COOKIES) return;
      this.headers += 1;
      if (header.length > MAX_HEADER) continue;
      const cookie = Cookie.parse(header);
      if (cookie === undefined || cookie.key === '' || cookie.key.length + cookie.value.length > MAX_PAIR)
        continue;
      if (cookie.secure && url.protocol !== 'https:') continue;
      // Not as a text, which would be parsed for each of them.
      this.jar.setCookieSync(cookie, url, { ignoreError: true, http: true, now });
    }
  }

  /** The Cookie header of the next request to a URL. */
  headerFor(url: URL): string {
    return this.jar.getCookieStringSync(url);
  }

  async seen(now = clock.now()): Promise<SeenCookie[]> {
    const cookies = await this.store.getAllCookies();
    return cookies
      .map((cookie) => ({ cookie, left: secondsLeft(cookie, now) }))
      .filter(({ left }) => left >= 0)
      .map(({ cookie, left }) => ({
        name: cookie.key,
        domain: cookie.domain ?? '',
        maxAgeSeconds: left,
        secure: cookie.secure,
        httpOnly: cookie.httpOnly,
        sameSite: SAME_SITE.get((cookie.sameSite ?? '') as 'lax') ?? null,
      }));
  }
}

/** 0 for a session cookie, negative for an expired one. */
function secondsLeft(cookie: Cookie, now: number): number {
  if (!cookie.isPersistent()) return 0;
  const left = Math.round(((cookie.expiryTime() ?? 0) - now) / 1000);
  return left <= 0 ? -1 : Math.min(left, LONGEST);
}
