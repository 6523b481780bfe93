import type { Request, Response } from 'express';
import type { PageSource } from '../../bundles/page-sources';
import { escapeHtml } from '../../domain/html';
import { admitPage } from '../admit';
import { sendBytes } from '../answer';
import { FRAGMENT_HEADERS, MAX_AGE } from './fragment';
import { renderPage, type SpokenOfSite, send, speak, wantedBy } from './page';
import { paragraph } from './parts';
import type { PageTools } from './tools';

/** What opens the settings on a page of the site that has the few lines for it. */
const ANCHOR = 'privacy-settings';

/**
 * What the banner's settings explain, and the way to them. The choice itself is kept by the browser for the site's own
 * origin, so that it can only be changed there (decision 034).
 */
export async function preferencesPage(tools: PageTools, request: Request, response: Response): Promise<void> {
  const { source, shown, spoken } = await visit(tools, request);
  const { banner, texts, say, wanted } = spoken;
  const categories = source.settings.categories.map(({ key, required }) => {
    const { name = key, description = '' } = banner.categories[key] ?? {};
    const tag = required ? ` <span class="tag">(${escapeHtml(banner.always_active)})</span>` : '';
    return `<h2>${escapeHtml(name)}${tag}</h2><p>${escapeHtml(description)}</p>`;
  });
  const body = [
    paragraph(say(texts.pages.preferences_text, { reopen: banner.reopen })),
    `<p><a class="act" href="${escapeHtml(addressOfSettings(source.url))}" target="_top" rel="noopener noreferrer">${escapeHtml(say(texts.pages.open_settings))}</a></p>`,
    `<div lang="${escapeHtml(wanted)}" dir="auto">${categories.join('')}</div>`,
  ].join('');
  const page = { title: banner.settings_title, body, listed: true, translated: true };
  send(response, renderPage(page, spoken, shown));
}

/**
 * The banner's settings for a page of the site itself, where a few lines connect them with the banner: there the choice
 * is kept for the right origin. Its buttons submit nothing, so that no key allows everything by mistake.
 */
export async function preferencesFragment(
  tools: PageTools,
  request: Request,
  response: Response,
): Promise<void> {
  const { source, spoken } = await visit(tools, request);
  const { exchange } = response.locals;
  exchange.open = true;
  sendBytes(exchange, Buffer.from(switches(source, spoken)), {
    ...FRAGMENT_HEADERS,
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': `public, max-age=${MAX_AGE}`,
  });
}

function switches({ settings }: PageSource, { wanted, rtl, banner }: SpokenOfSite): string {
  const rows = settings.categories.map(({ key, required }) => {
    const { name = key, description = '' } = banner.categories[key] ?? {};
    const state = required ? ' checked disabled' : '';
    const tag = required ? ` <span>(${escapeHtml(banner.always_active)})</span>` : '';
    return `<div><label><input type="checkbox" role="switch" name="${escapeHtml(key)}" aria-describedby="avow-about-${escapeHtml(key)}"${state}> ${escapeHtml(name)}</label>${tag}<p id="avow-about-${escapeHtml(key)}">${escapeHtml(description)}</p></div>`;
  });
  const buttons = (
    [
      ['accept', banner.accept_all],
      ['reject', banner.reject_all],
      ['save', banner.save],
    ] as const
  ).map(([value, words]) => `<button type="button" value="${value}">${escapeHtml(words)}</button>`);
  return `<form class="avow-preferences" lang="${escapeHtml(wanted)}" dir="${rtl ? 'rtl' : 'ltr'}"><p>${escapeHtml(banner.settings_description)}</p>${rows.join('')}<p>${buttons.join(' ')}</p><p role="status" data-saved="${escapeHtml(banner.saved)}"></p></form>
`;
}

async function visit({ context, limiter, addressOf }: PageTools, request: Request) {
  const site = await admitPage(context, limiter, String(request.params.token), addressOf(request));
  const source = await context.pageSources.find(site);
  const shown = { ...source, frames: source.proven };
  return { source, shown, spoken: speak(wantedBy(request, source.settings), shown, context.program) };
}

/** The site's start page, and where on it. The contract takes no other address than one of the web. */
function addressOfSettings(url: string): string {
  const address = new URL(url);
  address.hash = ANCHOR;
  return address.href;
}
