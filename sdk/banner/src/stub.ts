import { own } from './own.js';
import type { Existing } from './page.js';

/**
 * What a page holds of the banner itself, so that the script can be `async`. It knows no setting, so it is never
 * out of date; it allows nothing, shows nothing and stores nothing. What waits for consent is inert as markup.
 */
const page = window as unknown as { Avow?: Existing; dataLayer?: unknown[] };
const before = own<Existing>(page, 'Avow');
// Not for a preview, nor where the banner has run: what elements of these names hold is no function and not true.
if (!(own(before, 'preview') === true || own(before, 'getConsent') instanceof Function)) {
  const queue: Existing = Array.isArray(before) ? before : ([] as unknown[]);
  // From now on the window's own property, which no element of this name can replace.
  page.Avow = queue;
  // The parser is done, and no framework has changed anything yet.
  document.addEventListener('readystatechange', () => {
    if (!own(queue, 'parsed'))
      queue.parsed = Document.prototype.querySelectorAll.call(document, 'script[data-category]');
  });
  if (denies && !own(queue, 'denied')) {
    queue.denied = true;
    deny();
  }
}

/** Google Consent Mode v2: `default`, before any tag runs; they wait for the script this many milliseconds. */
function deny(): void {
  const states: Record<string, string | number> = { wait_for_update: 2000 };
  for (const name of [
    'ad_storage',
    'ad_user_data',
    'ad_personalization',
    'analytics_storage',
    'functionality_storage',
    'personalization_storage',
    'security_storage',
  ])
    states[name] = 'denied';
  if (!own(page, 'dataLayer')) page.dataLayer = [];
  gtag('consent', 'default', states);
}

/** Google's tags read an `arguments` object, not an array. */
function gtag(..._: unknown[]): void {
  // biome-ignore lint/complexity/noArguments: Google's tags require this object.
  page.dataLayer?.push?.(arguments);
}
