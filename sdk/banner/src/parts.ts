import type { Texts } from './contract.js';
import { h } from './dom.js';
import { direction, language } from './language.js';
import { track } from './send.js';

/**
 * The floating button that opens the settings, so that withdrawing consent is as easy as giving it (GDPR Art.
 * 7(3)).
 */
export function control({ reopen }: Texts, open: () => void): HTMLElement {
  return h(
    'div',
    { class: 'floating', role: 'region', 'aria-label': reopen, lang: language(), dir: direction() },
    h(
      'button',
      { class: 'control', title: reopen, 'aria-haspopup': 'dialog', click: open },
      h('span', {}, reopen),
    ),
  );
}

/** Links to policy and imprint. They open in a new tab, so that the banner stays open. */
export function links(text: Texts): HTMLElement | null {
  const link = (url: string | null, label: string): HTMLElement | null =>
    url
      ? h('a', { href: url, target: '_blank', rel: 'noopener', click: () => track('policy_opened') }, label)
      : null;
  const all = [link(config.privacy_policy_url, text.privacy_policy), link(config.imprint_url, text.imprint)];
  return all.some(Boolean) ? h('p', { class: 'links' }, ...all) : null;
}
