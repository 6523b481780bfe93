import { answer } from './answer.js';
import type { Decision, Texts } from './contract.js';
import { h } from './dom.js';
import { note } from './notice.js';
import { links } from './parts.js';
import { asks, place } from './region.js';
import { asksByTcf } from './tcf/choice.js';
import { words } from './tcf/words.js';

/**
 * Whether this page is the privacy policy or the imprint, which visitors must be able to read before they
 * decide.
 */
const isAbout = (): boolean =>
  [config.privacy_policy_url, config.imprint_url].some(
    (url) => url?.split(/[?#]/)[0] === location.origin + location.pathname,
  );

/** To close a notice is no consent, and nothing is recorded of it; to object is as prominent. */
const noticeButtons = (): Button[] =>
  place.rule === 'opt_out' ? ['reject_all', 'ok', 'settings'] : ['ok', 'settings'];

/** The long name of the objection must not make the settings as high as itself. */
const ownRows = (actions: HTMLElement): HTMLElement => {
  if (regional && !asks()) actions.style.gridAutoRows = 'auto';
  return actions;
};

type Button = (typeof config.first_layer_buttons)[number] | 'ok';

/** The text and the buttons in the site's order. Accept and reject look exactly alike. */
export function firstLayer(
  text: Texts,
  gpcNotice: boolean,
  settings: () => void,
  dismiss: () => void,
): HTMLDialogElement {
  const layout = config.layout === 'dialog' && isAbout() ? 'box' : config.layout;
  const names = regional && !asks() ? noticeButtons() : config.first_layer_buttons;
  const ok = (): void => {
    note();
    dismiss();
  };
  const buttons = names.map((name) =>
    name === 'settings'
      ? h('button', { class: 'settings', 'aria-haspopup': 'dialog', click: settings }, text.settings)
      : h(
          'button',
          {
            class: 'answer',
            click: regional && name === 'ok' ? ok : () => answer(name as Decision, 'banner'),
          },
          text[name],
        ),
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
      tcf && asksByTcf() ? words(text, settings) : h('p', { id: 'text' }, text.description),
      gpcNotice && h('p', { class: 'notice' }, text.gpc_notice),
      links(text),
    ),
    ownRows(h('div', { class: 'actions' }, ...buttons)),
  );
}
