import type { Texts } from './contract.js';
import { h } from './dom.js';
import { track } from './send.js';

/** Policy and imprint, in a tab of their own: the choice stays open. */
export function links(text: Texts): HTMLElement | null {
  const link = (url: string | null, label: string): HTMLElement | null =>
    url
      ? h('a', { href: url, target: '_blank', rel: 'noopener', click: () => track('policy_opened') }, label)
      : null;
  const all = [link(config.privacy_policy_url, text.privacy_policy), link(config.imprint_url, text.imprint)];
  return all.some(Boolean) ? h('p', { class: 'links' }, ...all) : null;
}
