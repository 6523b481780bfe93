import type { Tcf, Texts } from '../contract.js';
import { h } from '../dom.js';
import { idsOf } from './ids.js';

const own = config.tcf as Tcf;

/** Set by the first layer's link to the vendors. */
let wanted = false;
export const wantsVendors = (): boolean => {
  const was = wanted;
  wanted = false;
  return was;
};

/** The number of vendors that are disclosed. */
export const count = (): number => idsOf(own.vendors).length;

/** How long the choice holds, where it is changed, and the right to object. */
export const held = ({ tcf_choice = '', reopen }: Texts): string => tcf_choice.replace('{reopen}', reopen);

/** The first layer's text: who asks for what, by name, and how it is taken back (TCF policies, appendix B). */
export function words(text: Texts, settings: () => void): HTMLElement {
  const { purposes = [], special_features = [] } = text.tcf ?? {};
  const open = (event: Event): void => {
    event.preventDefault();
    wanted = true;
    settings();
  };
  return h(
    'div',
    { id: 'text' },
    h('p', {}, (text.tcf_description ?? '').replace('{vendors}', `${count()}`)),
    h('ul', {}, ...[...purposes, ...special_features].map(({ name }) => h('li', {}, name))),
    h('p', {}, held(text)),
    h(
      'p',
      { class: 'links' },
      h(
        'a',
        { href: '#', role: 'button', 'aria-haspopup': 'dialog', click: open },
        `${text.vendors} (${count()})`,
      ),
    ),
  );
}
