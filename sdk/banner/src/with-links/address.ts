import { doc } from '../document.js';
import { parsed } from '../page.js';

/** What stands behind `#`: the page's own part, perhaps a token, and a text to scroll to, which browsers hide from scripts. */
const PARTS = /^(.*?)(?:(?:^|&)avow=([\w-]{32}))?(:~:.*)?$/s;
type Parts = [string, own: string, token?: string, words?: string];

/** An address with this token, or without the one that it has, which is somebody else's. */
export function withToken(url: string, token: string | undefined): string {
  const [, page, hash = ''] = /^([^#]*)#?(.*)$/s.exec(url) as unknown as [string, string, string];
  const [, own, other, words = ''] = PARTS.exec(hash) as unknown as Parts;
  if (!token && !other) return url;
  const rest = own + (token ? `${own && '&'}avow=${token}` : '') + words;
  return rest ? `${page}#${rest}` : page;
}

/** Takes the token out of this page's address, of which nothing else changes. */
export function takeOut(): string | undefined {
  const [, own, token] = PARTS.exec(location.hash.slice(1)) as unknown as Parts;
  if (!token) return;
  try {
    history.replaceState(history.state, '', withToken(location.href, undefined));
    // Who has read the address before this script came reads it again.
    dispatchEvent(new HashChangeEvent('hashchange', { newURL: location.href }));
    // No element has the name that the browser has looked for.
    void parsed
      .then(() => scrollY || doc.getElementById(decodeURIComponent(own))?.scrollIntoView())
      .catch(() => 0);
  } catch {
    // A sandboxed page may have no history.
  }
  return token;
}
