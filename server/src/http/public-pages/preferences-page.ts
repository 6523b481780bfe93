import type { Request, Response } from 'express';
import { escapeHtml } from '../../domain/html';
import { admitPage } from '../admit';
import { renderPage, send, speak, wantedBy } from './page';
import { paragraph } from './parts';
import type { PageTools } from './tools';

/** What opens the settings on a page of the site that has the few lines for it. */
const ANCHOR = 'privacy-settings';

/**
 * What the banner's settings explain, and the way to them. The choice itself is kept by the browser for the site's own
 * origin, so that it can only be changed there (decision 034).
 */
export async function preferencesPage(tools: PageTools, request: Request, response: Response): Promise<void> {
  const { context, limiter, addressOf } = tools;
  const site = await admitPage(context, limiter, String(request.params.token), addressOf(request));
  const source = await context.pageSources.find(site);
  const { settings, url } = source;
  const shown = { ...source, frames: source.proven };
  const spoken = speak(wantedBy(request, settings), shown, context.program);
  const { banner, texts, say, wanted } = spoken;
  const categories = settings.categories.map(({ key, required }) => {
    const { name = key, description = '' } = banner.categories[key] ?? {};
    const tag = required ? ` <span class="tag">(${escapeHtml(banner.always_active)})</span>` : '';
    return `<h2>${escapeHtml(name)}${tag}</h2><p>${escapeHtml(description)}</p>`;
  });
  const body = [
    paragraph(say(texts.pages.preferences_text, { reopen: banner.reopen })),
    `<p><a class="act" href="${escapeHtml(addressOfSettings(url))}" target="_top" rel="noopener noreferrer">${escapeHtml(say(texts.pages.open_settings))}</a></p>`,
    `<div lang="${escapeHtml(wanted)}" dir="auto">${categories.join('')}</div>`,
  ].join('');
  const page = { title: banner.settings_title, body, listed: true, translated: true };
  send(response, renderPage(page, spoken, shown));
}

/** The site's start page, and where on it. The contract takes no other address than one of the web. */
function addressOfSettings(url: string): string {
  const address = new URL(url);
  address.hash = ANCHOR;
  return address.href;
}
