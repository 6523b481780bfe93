import { doc } from './document.js';
import { guardPage } from './hold/install.js';
import { own } from './own.js';
import type { Existing } from './page.js';

/** How long after the page's HTML requests wait for a script that does not come, in milliseconds. */
const PATIENCE = 10_000;

/**
 * Behind the other stub, where the site blocks what nobody has marked up: the rules of the bundle that the snippet is of.
 * The script brings those of the present one.
 */
const queue = own<Existing>(window, 'Avow');
if (Array.isArray(queue) && !own(queue, 'hold')) {
  const hold = guardPage(rules);
  queue.hold = hold;
  const tag = doc.currentScript as Element | null;
  const { free } = hold;
  const giveUp = (): void => {
    // The script has come, and knows of what is held.
    if (hold.free !== free) return;
    hold.decided = true;
    for (const request of hold.requests) request.refuse();
    hold.requests.clear();
  };
  addEventListener('error', ({ target }) => target && target === tag?.nextElementSibling && giveUp(), true);
  addEventListener('DOMContentLoaded', () => setTimeout(giveUp, PATIENCE));
}
