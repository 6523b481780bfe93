import { doc } from '../document.js';
import { parsed } from '../page.js';

/** The page, its own fragment, perhaps a token, and a text to scroll to, which browsers hide from scripts. */
const PARTS = /^([^#]*)(#.*?)??(?:[#&]avow=([\w-]{32}))?(:~:.*)?$/s;
type Parts = [string, page: string, own?: string, token?: string, words?: string];

/** An address with this token, or without the one that it has, which is somebody else's. */
export function withToken(url: string, token?: string): string {
  const [, page, own = '', other, words = ''] = PARTS.exec(url) as unknown as Parts;
  if (!token && !other) return url;
  const added = token ? `${own[1] ? '&' : ''}avow=${token}` : '';
  return page + (own || (added + words && '#')) + added + words;
}

/** Takes the token out of this page's address, of which nothing else changes. */
export function takeOut(): string | undefined {
  const token = PARTS.exec(location.href)?.[3];
  if (!token) return;
  try {
    history.replaceState(history.state, '', withToken(location.href));
    // Who has read the address before this script came reads it again, by whichever of the events of a fragment they hear:
    // Vue Router 4 and React Router know only the first.
    dispatchEvent(new PopStateEvent('popstate'));
    dispatchEvent(new HashChangeEvent('hashchange', { newURL: location.href }));
    // No element has the name that the browser has looked for.
    void parsed
      .then(() => scrollY || doc.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView())
      .catch(() => 0);
  } catch {
    // A sandboxed page may have no history.
  }
  return token;
}
