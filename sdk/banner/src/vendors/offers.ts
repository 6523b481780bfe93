import { answer } from '../answer.js';
import { allowed, isKnown, isVendorAllowed } from '../consent.js';
import type { AskedVendor, Texts } from '../contract.js';
import { h } from '../dom.js';
import { track } from '../send.js';
import { vendorOf } from './asked.js';
import { stage } from './choice.js';
import { loadOnce } from './once.js';

/**
 * Allows categories with their vendors, and one vendor more; everything else stays as it is then, when what was decided
 * elsewhere since is known.
 */
function allow(wanted: string[], vendor: AskedVendor | undefined): void {
  const isAdded = (key: string): boolean => wanted.includes(key) && !allowed(key);
  stage((one) => isVendorAllowed(one) || one === vendor || one.categories.some(isAdded));
  answer('save_preferences', 'placeholder', (key) => allowed(key) || wanted.includes(key));
}

/** Buttons that offer categories, which may be allowed while the vendor is not. */
const ofCategories = new Map<HTMLElement, string[]>();

/** Leaves out those that would change nothing; again upon each decision. */
export function reconsiderOffers(): void {
  for (const [button, wanted] of ofCategories) {
    button.hidden = wanted.every(allowed);
    if (!button.isConnected) ofCategories.delete(button);
  }
}

function kept(button: HTMLElement, wanted: string[]): HTMLElement {
  button.hidden = wanted.every(allowed);
  ofCategories.set(button, wanted);
  return button;
}

/** What a placeholder says, and offers: the content once, its vendor, or its categories. */
export function offers(
  frame: Element,
  wanted: string[],
  names: string,
  text: Texts,
  load: () => void,
): HTMLElement[] {
  const vendor = vendorOf(frame);
  const { allow: allowLabel, blocked, blocked_vendor = blocked, load_once, always_allow } = text;
  const named = (words: string): string =>
    words.replace('{category}', () => names).replace('{vendor}', () => vendor?.name ?? '');
  const button = (label: string | undefined, press: () => void): HTMLElement =>
    h(
      'button',
      {
        click: () => {
          press();
          // This frame first, and before the button can be pressed again.
          load();
        },
      },
      label,
    );
  const byCategory = (label: string): HTMLElement => button(label, () => allow(wanted, vendor));
  if (!vendor) return [h('p', {}, named(blocked)), byCategory(allowLabel)];
  const once = (): void => {
    loadOnce(frame);
    for (const key of wanted) if (isKnown(key)) track('content_loaded_once', key);
  };
  return [
    h('p', {}, named(blocked_vendor)),
    button(load_once, once),
    button(named(always_allow ?? allowLabel), () => allow([], vendor)),
    kept(byCategory(`${allowLabel}: ${names}`), wanted),
  ];
}
