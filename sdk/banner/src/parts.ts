import type { Texts } from './contract.js';
import { h } from './dom.js';
import { direction, language } from './language.js';
import { track } from './send.js';

const SVG = 'http://www.w3.org/2000/svg';
/** The icon: two sliders. */
const ICON = 'M3 7h8m6 0h4M3 17h4m6 0h8M14 4v6M10 14v6';

/**
 * The floating button that opens the settings, so that withdrawing consent is as easy as giving it (GDPR Art.
 * 7(3)).
 */
export function control({ reopen }: Texts, open: () => void): HTMLElement {
  const icon = document.createElementNS(SVG, 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICON);
  icon.append(path);
  return h(
    'div',
    { class: 'floating', role: 'region', 'aria-label': reopen, lang: language(), dir: direction() },
    h(
      'button',
      { class: 'control', title: reopen, 'aria-haspopup': 'dialog', click: open },
      icon,
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
