import { escapeHtml } from '../html';
import { fill, type MailTexts } from '../mail/texts';
import type { BundleTexts, StorageKind } from '../types';
import type { CookieDeclaration } from './declaration';
import { lifetimeIn } from './lifetime';

/** The words of a declaration, all in one language. */
export interface DeclarationWords {
  /** That of the words, which is English where the site's language is none of ours. */
  language: string;
  rtl: boolean;
  pages: MailTexts['pages'];
  banner: BundleTexts;
  /** When it was updated, as people write it. */
  day: string;
}

/** Characters of a declaration; what is more is in the JSON. */
const MOST = 2 * 1024 * 1024;

interface Row {
  name: string;
  storage: StorageKind;
  domain: string | null;
  purpose: string;
  provider: string;
  /** Null when it is not known. */
  seconds: number | null;
}

/** The declaration as HTML without a frame around it, to be put into any page. A long task that yields. */
export function* declarationHtml(
  declaration: CookieDeclaration,
  words: DeclarationWords,
): Generator<unknown, string> {
  const { language, rtl, pages, day } = words;
  const parts = new Parts();
  const rows = rowsOf(declaration);
  for (const { key, name, description, required } of declaration.categories) {
    const tag = required ? ` <span class="tag">(${escapeHtml(words.banner.always_active)})</span>` : '';
    const texts = `lang="${escapeHtml(declaration.language)}" dir="auto"`;
    parts.add(`<h2><span ${texts}>${escapeHtml(name)}</span>${tag}</h2>`);
    parts.add(description === '' ? '' : `<p ${texts}>${escapeHtml(description)}</p>`);
    yield* parts.table(rows.get(key) ?? [], words);
    rows.delete(key);
  }
  const rest = [...rows.values()].flat();
  if (rest.length > 0) {
    parts.add(`<h2>${escapeHtml(pages.unclassified)}</h2>`);
    yield* parts.table(rest, words);
  }
  yield* parts.providers(declaration, words);
  const updated = `<p>${escapeHtml(fill(pages.updated, { date: day }))}</p>`;
  const cut = parts.isCut ? `<p>${escapeHtml(pages.more)}</p>` : '';
  return `<section class="avow-cookies" lang="${escapeHtml(language)}" dir="${rtl ? 'rtl' : 'ltr'}">${parts.html()}${cut}${updated}</section>`;
}

/** By category, vendors' first. */
function rowsOf({ vendors, other_cookies }: CookieDeclaration): Map<string, Row[]> {
  const rows = new Map<string, Row[]>();
  const add = (category: string, row: Row): void => {
    const known = rows.get(category);
    if (known === undefined) rows.set(category, [row]);
    else known.push(row);
  };
  for (const vendor of vendors)
    for (const {
      name,
      storage = 'cookie',
      domain = null,
      category,
      description,
      max_age_seconds,
    } of vendor.cookies)
      add(category, {
        ...{ name, storage, domain, purpose: description ?? '', provider: vendor.name },
        seconds: max_age_seconds,
      });
  for (const { name, storage, domain, category, vendor, max_age_seconds } of other_cookies)
    add(category, { name, storage, domain, purpose: '', provider: vendor ?? '', seconds: max_age_seconds });
  return rows;
}

const KINDS: Record<StorageKind, string> = {
  cookie: '',
  local_storage: 'localStorage',
  session_storage: 'sessionStorage',
  indexed_db: 'IndexedDB',
};

/** HTML that stops growing at its bound. */
class Parts {
  private readonly parts: string[] = [];
  private left = MOST;
  isCut = false;

  html = (): string => this.parts.join('');

  /** False when there is no room for it. */
  add(part: string): boolean {
    this.isCut ||= part.length > this.left;
    if (this.isCut) return false;
    this.left -= part.length;
    this.parts.push(part);
    return true;
  }

  *table(rows: readonly Row[], words: DeclarationWords): Generator<unknown, void> {
    if (rows.length === 0) return void this.add(`<p>${escapeHtml(words.pages.none)}</p>`);
    const labels = labelsOf(words);
    const heads = labels.map((label) => `<th scope="col" role="columnheader">${label}</th>`).join('');
    const head = `<thead role="rowgroup"><tr role="row">${heads}</tr></thead>`;
    if (!this.add(`<table role="table">${head}<tbody role="rowgroup">`)) return;
    for (const row of rows) {
      if (!this.add(rowHtml(row, labels, words))) break;
      yield;
    }
    this.parts.push('</tbody></table>');
  }

  *providers(
    { vendors }: CookieDeclaration,
    { language, banner }: DeclarationWords,
  ): Generator<unknown, void> {
    if (vendors.length === 0) return;
    if (!this.add(`<h2>${escapeHtml(banner.vendors)}</h2><ul>`)) return;
    for (const vendor of vendors) {
      if (!this.add(providerHtml(vendor, language, banner))) break;
      yield;
    }
    this.parts.push('</ul>');
  }
}

/** Escaped already: they stand in each row, too, for narrow screens. */
const labelsOf = ({ pages, banner }: DeclarationWords): [string, string, string, string] => [
  escapeHtml(pages.column_name),
  escapeHtml(pages.purpose),
  escapeHtml(pages.provider),
  escapeHtml(banner.lifetime),
];

function rowHtml(row: Row, [name, purpose, provider, lifetime]: string[], words: DeclarationWords): string {
  const { session } = words.banner;
  const place = [KINDS[row.storage], row.domain ?? ''].filter((part) => part !== '').join(', ');
  const small = place === '' ? '' : `<small><bdi dir="ltr">${escapeHtml(place)}</bdi></small>`;
  const endless = { session, kept: words.pages.kept };
  const lasts = row.seconds === null ? '' : lifetimeIn(words.language, row.seconds, row.storage, endless);
  const cell = (label: string | undefined, html: string): string =>
    html === '' ? '<td role="cell"></td>' : `<td role="cell" data-label="${label}">${html}</td>`;
  const text = (words: string): string => (words === '' ? '' : `<bdi dir="auto">${escapeHtml(words)}</bdi>`);
  return `<tr role="row">${cell(name, `<bdi dir="ltr">${escapeHtml(row.name)}</bdi>${small}`)}${cell(purpose, text(row.purpose))}${cell(provider, text(row.provider))}${cell(lifetime, escapeHtml(lasts))}</tr>`;
}

function providerHtml(
  { name, privacy_url, country }: CookieDeclaration['vendors'][number],
  language: string,
  { privacy_policy }: BundleTexts,
): string {
  const place = country === null ? '' : ` (${escapeHtml(countryIn(language, country))})`;
  // The contract takes no other address; a link that runs a script must not depend on that alone.
  const isWeb = privacy_url !== null && /^https?:\/\//i.test(privacy_url);
  const link = isWeb
    ? `: <a href="${escapeHtml(privacy_url)}" target="_top" rel="noopener noreferrer" aria-label="${escapeHtml(`${privacy_policy}: ${name}`)}">${escapeHtml(privacy_policy)}</a>`
    : '';
  return `<li><bdi>${escapeHtml(name)}</bdi>${place}${link}</li>`;
}

/** By language, of which there are as many as the product has texts in. */
const countries = new Map<string, Intl.DisplayNames>();

function countryIn(language: string, country: string): string {
  const names = countries.get(language) ?? new Intl.DisplayNames([language], { type: 'region' });
  countries.set(language, names);
  return names.of(country) ?? country;
}
