import { doc } from './document.js';
import { SOURCE, TYPE, WAITS } from './hold/guard.js';
import { guardPage } from './hold/install.js';
import { addressOf } from './hold/rules.js';
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
    const hasCome = (window.Avow as unknown) !== queue;
    hold.decided = true;
    for (const request of hold.requests) hasCome ? request.send() : request.refuse();
    hold.requests.clear();
    if (hasCome) letGo();
  };
  // The bundle holds nothing any more, and the page still has the snippet of one that did.
  const letGo = (): void => {
    hold.learn([]);
    for (const one of doc.querySelectorAll<HTMLElement>(`[${SOURCE}]`)) {
      const source = one.getAttribute(SOURCE);
      // Not what would run as a script: sanitizers let it pass in such an attribute.
      if (/^http/.test(addressOf(source)?.protocol ?? '')) one.setAttribute('src', source as string);
    }
    for (const script of doc.querySelectorAll<HTMLScriptElement>(`script[type="${WAITS}"]`)) {
      const copy = doc.createElement('script');
      for (const { name, value } of script.attributes) if (name !== 'type') copy.setAttribute(name, value);
      copy.type = script.getAttribute(TYPE) ?? '';
      copy.nonce = script.nonce ?? '';
      copy.async = script.async && script.hasAttribute('async');
      copy.text = script.text;
      script.replaceWith(copy);
    }
  };
  addEventListener('error', ({ target }) => target && target === tag?.nextElementSibling && giveUp(), true);
  addEventListener('DOMContentLoaded', () => setTimeout(giveUp, PATIENCE));
}
