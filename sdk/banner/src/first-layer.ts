import { answer } from './answer.js';
import type { Texts } from './contract.js';
import { h } from './dom.js';
import { links } from './parts.js';

/**
 * Whether this page is the privacy policy or the imprint, which visitors must be able to read before they
 * decide.
 */
const isAbout = (): boolean =>
  [config.privacy_policy_url, config.imprint_url].some(
    (url) => url?.split(/[?#]/)[0] === location.origin + location.pathname,
  );

/** The text and the buttons in the site's order. Accept and reject look exactly alike. */
export function firstLayer(text: Texts, gpcNotice: boolean, settings: () => void): HTMLDialogElement {
  const layout = config.layout === 'dialog' && isAbout() ? 'box' : config.layout;
  const buttons = config.first_layer_buttons.map((name) =>
    name === 'settings'
      ? h('button', { class: 'settings', 'aria-haspopup': 'dialog', click: settings }, text.settings)
      : h('button', { class: 'answer', click: () => answer(name, 'banner') }, text[name]),
  );
  return h(
    'dialog',
    {
      class: `first ${layout} ${config.position.replace('_', ' ')}`,
      tabindex: -1,
      'aria-labelledby': 'title',
      'aria-describedby': 'text',
    },
    h(
      'div',
      { class: 'words' },
      h('h2', { id: 'title' }, text.title),
      h('p', { id: 'text' }, text.description),
      gpcNotice && h('p', { class: 'notice' }, text.gpc_notice),
      links(text),
    ),
    h('div', { class: 'actions' }, ...buttons),
  );
}
