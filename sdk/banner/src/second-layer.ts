import { answer } from './answer.js';
import { ownChoice } from './consent.js';
import type { Category, Texts } from './contract.js';
import { details } from './details.js';
import { h } from './dom.js';
import { read } from './memory.js';
import { links } from './parts.js';
import { track, urlOf } from './send.js';
import { vendorSwitches } from './vendors/switches.js';

/**
 * The settings: every category with its switch and description. Only switches that the visitor has turned on
 * before are on.
 */
export function secondLayer(text: Texts, dismiss: () => void): HTMLDialogElement {
  const switches = new Map<string, HTMLInputElement>();
  const own = read();
  const vendors = byVendor ? vendorSwitches(text, switches) : undefined;
  const save = (): void =>
    answer(
      'save_preferences',
      'settings',
      byVendor && vendors ? vendors.choice() : (key) => switches.get(key)?.checked === true,
    );
  const part = (category: Category): HTMLElement => {
    const one = section(category, text, switches);
    if (byVendor) vendors?.add(one, category);
    return one;
  };
  return h(
    'dialog',
    { class: 'second', tabindex: -1, 'aria-labelledby': 'title', 'aria-describedby': 'text' },
    h(
      'div',
      { class: 'words' },
      h('div', { class: 'head' }, h('h2', { id: 'title' }, text.settings_title), closeButton(text, dismiss)),
      h('p', { id: 'text' }, text.settings_description),
      links(text, own && urlOf(`receipts/*?session_id=${own.session_id}`)),
      ...config.categories.map(part),
      // Isolated, because hyphens and digits would change places in right-to-left text.
      own && h('bdi', {}, `ID ${own.session_id}`),
    ),
    h(
      'div',
      { class: 'actions' },
      ...(['accept_all', 'reject_all'] as const).map((name) =>
        h('button', { class: 'answer', click: () => answer(name, 'settings') }, text[name]),
      ),
      h('button', { class: 'answer', click: save }, text.save),
    ),
  );
}

export const closeButton = (text: Texts, dismiss: () => void): HTMLElement =>
  h('button', { class: 'close', 'aria-label': text.close, title: text.close, click: dismiss }, '×');

export function section(
  category: Category,
  text: Texts,
  switches: Map<string, HTMLInputElement>,
): HTMLElement {
  const { key, required } = category;
  const { name = key, description = '' } = text.categories[key] ?? {};
  const [title, about] = [`title-${key}`, `about-${key}`];
  const input = h('input', {
    type: 'checkbox',
    role: 'switch',
    'aria-labelledby': title,
    'aria-describedby': about,
    change: () => track('category_toggled', key),
  });
  input.checked = ownChoice(key);
  switches.set(key, input);
  return h(
    'section',
    { 'aria-labelledby': title },
    h(
      'label',
      { class: 'head' },
      h('h3', { id: title }, name),
      required ? h('span', {}, text.always_active) : input,
    ),
    h('p', { id: about }, description),
    details(category, text),
  );
}
