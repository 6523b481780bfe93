import type { Category, Texts, Vendor } from './contract.js';
import { h } from './dom.js';
import { language } from './language.js';
import { load, track } from './send.js';

let known: Vendor[] | undefined;

/** The vendors of a category, their cookies and lifetimes. Cookies of no known vendor are listed by name. */
export function details(category: Category, text: Texts): HTMLElement | null {
  if (!category.vendors && !category.cookies[0]) return null;
  const content = h('div', { 'aria-live': 'polite' });
  const heading = category.vendors ? `${text.vendors} · ${text.cookies}` : text.cookies;
  const element = h('details', {}, h('summary', {}, heading), content);
  element.ontoggle = async () => {
    if (!element.open) return;
    track('vendor_list_opened', category.key);
    // Loaded when a visitor opens the details, and again after a failure.
    if (category.vendors) known ??= await load<Vendor[]>('vendors');
    const found = list(category, text, known ?? []);
    content.replaceChildren(...(found[0] ? found : ['–']));
  };
  return element;
}

function list({ key, cookies }: Category, text: Texts, all: Vendor[]): Node[] {
  const own = all.filter((vendor) => vendor.categories.includes(key) || cookiesOf(vendor, key)[0]);
  const explained = own.flatMap((vendor) => cookiesOf(vendor, key)).map(({ name }) => name);
  const others = cookies.filter((name) => !explained.includes(name));
  const parts = own.flatMap((vendor) => [vendorName(vendor, text), table(text, rows(vendor, key, text))]);
  return [...parts, others[0] && h('p', {}, `${text.cookies}: ${others.join(', ')}`)].filter(
    (one) => one,
  ) as Node[];
}

const cookiesOf = (vendor: Vendor, key: string): Vendor['cookies'] =>
  vendor.cookies.filter((cookie) => cookie.category === key);

function vendorName({ name, urls, country }: Vendor, text: Texts): HTMLElement {
  const { privacy } = urls.find(({ lang_id }) => lang_id === language()) ?? urls[0] ?? {};
  const place = country && new Intl.DisplayNames([language()], { type: 'region' }).of(country);
  return h(
    'h4',
    {},
    `${name} ${place ? `(${place}) ` : ''}`,
    privacy &&
      h(
        'a',
        { href: privacy, target: '_blank', rel: 'noopener', 'aria-label': `${text.privacy_policy}: ${name}` },
        text.privacy_policy,
      ),
  );
}

/** Kinds of storage without an expiry: `local_storage` and `indexed_db`. */
const NO_EXPIRY = /^[li]/;

const rows = (vendor: Vendor, key: string, text: Texts): HTMLElement[] =>
  cookiesOf(vendor, key).map(({ name, storage = '', description, max_age_seconds }) =>
    h(
      'tr',
      {},
      h(
        'td',
        {},
        h('b', {}, name),
        /_/.test(storage) && ` (${storage.replace('_', ' ')})`,
        description && h('p', {}, description),
      ),
      h('td', {}, lifetime(max_age_seconds, NO_EXPIRY.test(storage) ? '∞' : text.session)),
    ),
  );

const table = (text: Texts, lines: HTMLElement[]): HTMLElement | undefined =>
  lines[0] &&
  h(
    'table',
    {},
    h(
      'thead',
      {},
      h('tr', {}, h('th', { scope: 'col' }, text.cookies), h('th', { scope: 'col' }, text.lifetime)),
    ),
    h('tbody', {}, ...lines),
  );

/**
 * Largest first. Years are used only for whole years or for more than two: "400 days" says more than "1.1
 * years".
 */
const UNITS: [unit: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];
const YEAR = 31_536_000;

/** A cookie's lifetime in the banner's language; `session` is the text for 0 seconds. */
export function lifetime(seconds: number, session: string): string {
  if (seconds === 0) return session;
  const [unit, size] =
    seconds % YEAR === 0 || seconds > 2 * YEAR
      ? ['year', YEAR]
      : (UNITS.find(([, one]) => seconds >= one) as [string, number]);
  const style = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language(), style).format(seconds / (size as number));
}
