import type { BundleVendor, TcfText, Texts } from '../contract.js';
import { lifetime } from '../details.js';
import { h } from '../dom.js';
import { language } from '../language.js';
import { own } from '../own.js';
import { load, track } from '../send.js';
import { count, wantsVendors } from './words.js';

/** Vendors that are laid out at once: a thousand would keep a phone busy. */
const PAGE = 20;
const DAY = 86_400;

export interface VendorSwitches {
  consent(vendor: BundleVendor): HTMLElement | false;
  legInt(vendor: BundleVendor): HTMLElement | false;
}

/** The vendors, loaded when a visitor opens them, with a search. */
export function vendorList(text: Texts, switches: VendorSwitches): HTMLElement {
  const content = h('div', { 'aria-live': 'polite' });
  const element = h(
    'details',
    { class: 'vendors' },
    h('summary', {}, `${text.vendors} (${count()})`),
    content,
  );
  let isLoaded = false;
  element.ontoggle = async () => {
    if (!element.open || isLoaded) return;
    track('vendor_list_opened');
    const answer = await load<BundleVendor[]>('vendors');
    const all = answer?.filter((one) => own(one, 'tcf')) ?? [];
    isLoaded = all.length > 0;
    content.replaceChildren(...(isLoaded ? searchable(all, text, switches) : ['–']));
  };
  if (wantsVendors()) {
    element.open = true;
    setTimeout(() => element.scrollIntoView?.({ block: 'start' }), 100);
  }
  return element;
}

function searchable(all: BundleVendor[], text: Texts, switches: VendorSwitches): Node[] {
  const list = h('div');
  const more = h('button', { class: 'settings', click: () => add() }, text.more);
  let found = all;
  let shown = 0;
  const add = (): void => {
    list.append(...found.slice(shown, shown + PAGE).map((one) => item(one, text, switches)));
    shown += PAGE;
    more.hidden = shown >= found.length;
  };
  const search = h('input', {
    type: 'search',
    class: 'search',
    'aria-label': text.search,
    placeholder: text.search,
  });
  search.oninput = () => {
    const wanted = search.value.trim().toLowerCase();
    found = all.filter(({ name }) => name.toLowerCase().includes(wanted));
    shown = 0;
    list.replaceChildren();
    add();
  };
  add();
  return [search, list, more];
}

/** One vendor; what it says of itself is laid out when it is opened. */
function item(vendor: BundleVendor, text: Texts, switches: VendorSwitches): HTMLElement {
  const element = h('details', {}, h('summary', {}, vendor.name));
  element.ontoggle = () => {
    if (element.open && !element.children[1]) element.append(about(vendor, text, switches));
  };
  return element;
}

function about(vendor: BundleVendor, text: Texts, switches: VendorSwitches): HTMLElement {
  const { purposes, leg_int_purposes, data_retention_days: usual } = vendor;
  const tcf = vendor.tcf as NonNullable<BundleVendor['tcf']>;
  const names = text.tcf;
  const kept = (days: number | null | undefined): string =>
    days === null || days === undefined ? '' : ` – ${text.retention}: ${lifetime(days * DAY, '0')}`;
  const daysOf = (list: { id: number; days: number }[], id: number): number | null | undefined =>
    list.find((one) => one.id === id)?.days ?? usual;
  const group = (
    heading: string | undefined,
    all: readonly TcfText[] | undefined,
    ids: readonly number[],
    after: (id: number) => string = () => '',
  ): HTMLElement | undefined =>
    ids[0] === undefined
      ? undefined
      : h(
          'div',
          {},
          h('b', {}, heading),
          h(
            'ul',
            {},
            ...ids.map((id) => h('li', {}, `${all?.find((one) => one.id === id)?.name ?? id}${after(id)}`)),
          ),
        );
  return h(
    'div',
    {},
    pages(vendor, text),
    switches.consent(vendor),
    switches.legInt(vendor),
    group(`${text.purposes} – ${text.consent}`, names?.purposes, purposes, (id) =>
      kept(daysOf(tcf.retention, id)),
    ),
    group(`${text.purposes} – ${text.legitimate_interest}`, names?.purposes, leg_int_purposes, (id) =>
      kept(daysOf(tcf.retention, id)),
    ),
    group(text.special_purposes, names?.special_purposes, tcf.special_purposes, (id) =>
      kept(daysOf(tcf.special_retention, id)),
    ),
    group(text.features, names?.features, tcf.features),
    group(text.special_features, names?.special_features, tcf.special_features),
    group(text.data_categories, names?.data_categories, tcf.data_categories),
    storage(tcf, text),
  );
}

function pages({ urls, name, tcf }: BundleVendor, text: Texts): HTMLElement {
  const { privacy, leg_int_claim } = urls.find(({ lang_id }) => lang_id === language()) ?? urls[0] ?? {};
  const link = (href: string | null | undefined, label: string | undefined): HTMLElement | false =>
    !!href && h('a', { href, target: '_blank', rel: 'noopener', 'aria-label': `${label}: ${name}` }, label);
  return h(
    'p',
    { class: 'links' },
    link(privacy, text.privacy_policy),
    link(leg_int_claim, text.legitimate_interest),
    link(tcf?.disclosure_url, text.storage_details),
  );
}

/** What it stores on the device, and for how long. */
function storage(tcf: NonNullable<BundleVendor['tcf']>, text: Texts): HTMLElement | undefined {
  const { uses_cookies, cookie_max_age_seconds: age, cookie_refresh, uses_other_storage } = tcf;
  const cookies =
    uses_cookies &&
    `${text.cookies}${age === null ? '' : ` – ${text.lifetime}: ${lifetime(Math.max(age, 0), text.session)}`}${cookie_refresh ? ` (${text.renewed})` : ''}`;
  const lines = [cookies, uses_other_storage && text.other_storage].filter((one) => !!one) as string[];
  return lines[0] ? h('ul', {}, ...lines.map((line) => h('li', {}, line))) : undefined;
}
