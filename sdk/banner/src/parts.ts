import type { Texts } from './contract.js';
import { draw } from './design.js';
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
    h('button', { class: 'control', 'aria-label': reopen, 'aria-haspopup': 'dialog', click: open }),
  );
}

/**
 * Links to policy and imprint, and to the receipt of the visitor's decision, if there is one. They open in a new tab, so
 * that the banner stays open.
 */
export function links(text: Texts, receipt?: string | null): HTMLElement | false {
  const link = (
    url: string | null | undefined,
    label: string | undefined,
  ): HTMLElement | '' | null | undefined =>
    url &&
    h(
      'a',
      {
        href: url,
        target: '_blank',
        rel: 'noopener',
        click: () => url !== receipt && track('policy_opened'),
      },
      label,
    );
  const all = [
    link(config.privacy_policy_url, text.privacy_policy),
    link(config.imprint_url, text.imprint),
    link(receipt, text.receipt),
  ];
  return all.some((one) => one) && h('p', { class: 'links' }, ...all);
}

/** The site's logo, on top of a panel. */
export function logo(): HTMLElement | false {
  const { image, alt } = config.design?.logo ?? {};
  if (!image) return false;
  const canvas = h('canvas', { class: 'logo', role: 'img', 'aria-label': alt });
  void draw(canvas, image);
  return canvas;
}
