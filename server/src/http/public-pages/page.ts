import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { PageSettings } from '../../bundles/page-sources';
import { tagsOf } from '../../domain/banner/languages';
import type { BannerProgram } from '../../domain/banner/sources';
import { textsIn } from '../../domain/banner/texts';
import { escapeHtml } from '../../domain/html';
import { fill, type MailTexts, mailTexts } from '../../domain/mail/texts';
import { acceptedLanguages, chooseLanguage } from '../../domain/public-pages/language';
import { type Look, styleOf } from '../../domain/public-pages/theme';
import type { BundleTexts } from '../../domain/types';

/** What the pages of a site show of it. */
export interface Shown {
  token: string;
  name: string;
  settings: PageSettings;
  /** Domains whose pages may show the page in a frame. */
  frames: readonly string[];
}

/** A language as a reader is spoken to. */
export interface Spoken {
  /** The site's, in which requests are made and categories explained. */
  wanted: string;
  /** That of the words: English where the product has none in the other. */
  language: string;
  rtl: boolean;
  texts: MailTexts;
  /** A text with its gaps filled. */
  say(words: string, values?: Record<string, string>): string;
}

export interface SpokenOfSite extends Spoken {
  /** What the site's banner says in that language. */
  banner: BundleTexts;
}

/** A page of a site; `body` is HTML whose texts are escaped. */
export interface PublicPage {
  title: string;
  body: string;
  status?: number;
  /** Whether search engines may list it. */
  listed?: boolean;
  /** Whether it can be read in other languages at the same address. */
  translated?: boolean;
}

/** A page as it is sent. */
export interface Rendered {
  html: string;
  headers: Record<string, string>;
}

/** The language of the site that a reader asks for, by the address or the browser. */
export const wantedBy = ({ headers, query }: Request, settings: PageSettings): string =>
  chooseLanguage(settings, { lang: query.lang, accept: headers['accept-language'] });

/** In one of the site's languages. */
export function speak(wanted: string, { settings, name }: Shown, program: BannerProgram): SpokenOfSite {
  return { ...speakAlone(wanted, name), banner: textsIn(wanted, settings, program).texts };
}

/** To a reader of whom, and of whose site, nothing is known but the browser's language. */
export const speakToStranger = ({ headers }: Request): Spoken =>
  speakAlone(acceptedLanguages(headers['accept-language'])[0] ?? 'en', '');

const speakAlone = (wanted: string, site: string): Spoken => ({
  wanted,
  ...mailTexts(wanted),
  say: (words, values = {}) => fill(words, { site, ...values }),
});

/** A domain as the contract stores it: nothing else gets into a header. */
const DOMAIN = /^[a-z0-9.-]{1,253}$/;
/** Characters of a header: proxies often refuse more than four kilobytes of all of them. */
const MAX_ANCESTORS = 2_000;

/** Whose pages may show it in a frame: those of the site's proven domains, `www.` before them or not, at any port. */
function ancestors(domains: readonly string[]): string {
  let sources = '';
  for (const domain of domains.filter((one) => DOMAIN.test(one))) {
    const both = domain.startsWith('www.') ? ` ${domain}:*` : ` ${domain}:* www.${domain}:*`;
    if (sources.length + both.length > MAX_ANCESTORS) break;
    sources += both;
  }
  return sources === '' ? " 'none'" : sources;
}

/** Nothing runs in it or is loaded by it; it is sent to nobody but this server. */
function headersOf(style: string, frames: readonly string[], listed: boolean): Record<string, string> {
  const hash = createHash('sha256').update(style).digest('base64');
  const framing = ancestors(frames);
  return {
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors${framing}`,
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    ...(framing === " 'none'" ? { 'X-Frame-Options': 'DENY' } : {}),
    ...(listed ? {} : { 'X-Robots-Tag': 'noindex, nofollow' }),
  };
}

export function renderPage(page: PublicPage, spoken: SpokenOfSite, shown: Shown): Rendered {
  const { title, body, listed = false, translated = false } = page;
  const style = styleOf(shown.settings.banner);
  const html = frame(spoken, title, style, [
    `<header><p class="site"><bdi>${escapeHtml(shown.name)}</bdi></p>${translated ? languages(spoken, shown) : ''}</header>`,
    `<main><h1>${escapeHtml(title)}</h1>${body}</main>`,
    links(spoken, shown.settings),
  ]);
  return { html, headers: headersOf(style, shown.frames, listed) };
}

/** The headers of a page that is sent from memory. */
export const pageHeaders = ({ settings, frames }: Shown, listed: boolean): Record<string, string> =>
  headersOf(styleOf(settings.banner), frames, listed);

/** Of a site that is not known. */
const PLAIN: Look = {
  theme: 'auto',
  colours: { background: '#ffffff', text: '#1c2330', button_background: '#1f4fbf', button_text: '#ffffff' },
};

export function renderProblem(title: string, spoken: Spoken): Rendered {
  const style = styleOf(PLAIN);
  const html = frame(spoken, title, style, [`<main><h1>${escapeHtml(title)}</h1></main>`]);
  return { html, headers: headersOf(style, [], false) };
}

const frame = ({ language, rtl }: Spoken, title: string, style: string, parts: string[]): string =>
  `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${rtl ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body>${parts.join('')}</body>
</html>
`;

export function send(response: Response, { html, headers }: Rendered, status = 200): void {
  response.status(status).set(headers).type('text/html; charset=utf-8').send(html);
}

/** The same page in the site's other languages. */
function languages({ wanted, texts }: Spoken, { settings }: Shown): string {
  const all = [...new Set([settings.default_language, ...settings.languages])];
  if (all.length < 2) return '';
  const items = all.map((tag) => {
    const here = tag === wanted ? ' aria-current="true"' : '';
    return `<li><a href="?lang=${encodeURIComponent(tag)}" lang="${escapeHtml(tag)}" hreflang="${escapeHtml(tag)}" dir="auto"${here}>${escapeHtml(nameOf(tag))}</a></li>`;
  });
  return `<nav aria-label="${escapeHtml(texts.pages.language)}"><ul class="langs">${items.join('')}</ul></nav>`;
}

/** Of the contract's tags, of which a site has sixty and all sites few hundreds. */
const names = new Map<string, string>();
const MOST_NAMES = 1_000;

/** A language's name in itself. */
function nameOf(tag: string): string {
  const known = names.get(tag);
  if (known !== undefined) return known;
  const name = new Intl.DisplayNames([...tagsOf(tag), 'en'], { type: 'language' }).of(tag) ?? tag;
  if (names.size < MOST_NAMES) names.set(tag, name);
  return name;
}

/** What the banner links to. */
function links({ banner }: SpokenOfSite, settings: PageSettings): string {
  const web = (url: string | null | undefined, words: string): string =>
    url != null && /^https?:\/\//i.test(url)
      ? `<a href="${escapeHtml(url)}" target="_top" rel="noopener noreferrer">${escapeHtml(words)}</a>`
      : '';
  const all =
    web(settings.privacy_policy_url, banner.privacy_policy) + web(settings.imprint_url, banner.imprint);
  return all === '' ? '' : `<footer>${all}</footer>`;
}
