import { answer } from '../answer.js';
import { allowed } from '../consent.js';
import type { BundleVendor, Tcf, TcfText, Texts } from '../contract.js';
import { h } from '../dom.js';
import { read } from '../memory.js';
import { links } from '../parts.js';
import { closeButton, section } from '../second-layer.js';
import { track, urlOf } from '../send.js';
import { stage, startOf } from './choice.js';
import { idsOf } from './ids.js';
import { vendorList } from './vendors.js';
import { held } from './words.js';

const own = config.tcf as Tcf;

type Change = (isOn: boolean) => void;

/** A switch with its label, named also by what it is about. */
function toggle(
  label: string | undefined,
  about: string,
  id: string,
  isOn: boolean,
  change: Change,
): HTMLElement {
  const input = h('input', { type: 'checkbox', role: 'switch', 'aria-labelledby': `${about} ${id}` });
  input.checked = isOn;
  input.onchange = () => change(input.checked);
  return h('label', { class: 'head' }, h('span', { id }, label), input);
}

const put =
  (ids: Set<number>, id: number, changed: () => void): Change =>
  (isOn) => {
    if (isOn) ids.add(id);
    else ids.delete(id);
    changed();
    track('category_toggled');
  };

/** The settings by the framework: purposes with both bases, special features, the site's other categories, vendors. */
export function tcfLayer(text: Texts, dismiss: () => void): HTMLDialogElement {
  const memory = read();
  const start = startOf(memory);
  // Of an earlier choice only what this banner asks: nothing else has a switch.
  const asked = (ids: number[], chosen: number[]): Set<number> =>
    new Set(ids.filter((id) => chosen.includes(id)));
  const on = {
    purposes: asked(own.purposes, start.purposes),
    legInt: asked(own.leg_int_purposes, start.legInt),
    special: asked(own.special_features, start.special),
  };
  const [consentIds, legIntIds] = [idsOf(own.consent_vendors), idsOf(own.leg_int_vendors)];
  // A vendor goes with the purposes until the visitor says otherwise of it.
  const consents = differing(consentIds, start.vendors, on.purposes.size > 0);
  const interests = differing(legIntIds, start.legIntVendors, on.legInt.size > 0);
  const hasConsent = (id: number): boolean => consents.get(id) ?? on.purposes.size > 0;
  const hasInterest = (id: number): boolean => interests.get(id) ?? on.legInt.size > 0;
  const switches = new Map<string, HTMLInputElement>();
  // Switches of vendors that are laid out follow the purposes, as what is saved does.
  const followers = new Set<() => void>();
  const changed = (): void => {
    for (const follow of followers) follow();
  };
  const save = (): void => {
    stage({
      purposes: [...on.purposes],
      legInt: [...on.legInt],
      special: [...on.special],
      vendors: consentIds.filter(hasConsent),
      legIntVendors: legIntIds.filter(hasInterest),
    });
    answer('save_preferences', 'settings', (key) => switches.get(key)?.checked === true);
  };
  const vendorToggle = (vendor: BundleVendor, kind: 'consent' | 'legInt'): HTMLElement | false => {
    const [ids, label, is, chosen] =
      kind === 'consent'
        ? ([vendor.purposes, text.consent, hasConsent, consents] as const)
        : ([vendor.leg_int_purposes, text.legitimate_interest, hasInterest, interests] as const);
    const { id } = vendor;
    if (!ids[0]) return false;
    const title = `vendor-${id}`;
    const element = toggle(label, title, `${title}-${kind}`, is(id), (isOn) => void chosen.set(id, isOn));
    const input = element.querySelector('input');
    followers.add(() => {
      if (input) input.checked = is(id);
    });
    return h('div', {}, h('span', { id: title, hidden: '' }, vendor.name), element);
  };
  const { purposes = [], special_purposes = [], features = [], special_features = [] } = text.tcf ?? {};
  const { categories } = config;
  // Without purposes, or allowed now without them, by the button on blocked content.
  const isApart = (key: string): boolean =>
    !own.categories[key]?.every((id) => start.purposes.includes(id)) &&
    (!own.categories[key] || allowed(key));
  return h(
    'dialog',
    { class: 'second', tabindex: -1, 'aria-labelledby': 'title', 'aria-describedby': 'text' },
    h(
      'div',
      { class: 'words' },
      h('div', { class: 'head' }, h('h2', { id: 'title' }, text.settings_title), closeButton(text, dismiss)),
      h('p', { id: 'text' }, text.settings_description),
      h('p', {}, held(text)),
      links(text, memory && urlOf(`receipts/*?session_id=${memory.session_id}`)),
      heading(text.purposes),
      ...purposes.map((one) =>
        part('purpose', one, text, changed, [
          own.purposes.includes(one.id) && ['consent', text.consent, on.purposes],
          own.leg_int_purposes.includes(one.id) && ['interest', text.legitimate_interest, on.legInt],
        ]),
      ),
      special_features[0] && heading(text.special_features),
      ...special_features.map((one) =>
        part('special', one, text, changed, [['consent', text.consent, on.special]]),
      ),
      special_purposes[0] && heading(text.special_purposes),
      ...special_purposes.map((one) => part('given', one, text, changed, [])),
      features[0] && heading(text.features),
      ...features.map((one) => part('feature', one, text, changed, [])),
      ...categories.filter(({ key }) => isApart(key)).map((one) => section(one, text, switches)),
      vendorList(text, {
        consent: (vendor) => vendorToggle(vendor, 'consent'),
        legInt: (vendor) => vendorToggle(vendor, 'legInt'),
      }),
      memory && h('bdi', {}, `ID ${memory.session_id}`),
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

/** Vendors for which a visitor chose something else than for the purposes. */
const differing = (all: number[], chosen: number[], usual: boolean): Map<number, boolean> => {
  const on = new Set(chosen);
  return new Map(all.filter((id) => on.has(id) !== usual).map((id) => [id, on.has(id)]));
};

const heading = (name: string | undefined): HTMLElement => h('h3', { class: 'group' }, name);

type Toggle = [kind: string, label: string | undefined, ids: Set<number>];

/** A purpose or a feature, with its examples. */
function part(
  kind: string,
  one: TcfText,
  text: Texts,
  changed: () => void,
  toggles: (Toggle | false)[],
): HTMLElement {
  const { id, name, description, illustrations = [] } = one;
  const title = `${kind}-${id}`;
  return h(
    'section',
    { 'aria-labelledby': title },
    h('h4', { id: title }, name),
    h('p', {}, description),
    illustrations[0] !== undefined &&
      h(
        'details',
        {},
        h('summary', {}, text.examples),
        h('ul', {}, ...illustrations.map((example) => h('li', {}, example))),
      ),
    ...toggles.map(
      (found) =>
        found &&
        toggle(found[1], title, `${title}-${found[0]}`, found[2].has(id), put(found[2], id, changed)),
    ),
  );
}
