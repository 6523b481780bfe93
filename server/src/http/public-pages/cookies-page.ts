import type { Request, Response } from 'express';
import { StoredFile } from '../../bundles/packed';
import type { PageSource } from '../../bundles/page-sources';
import { dayIn } from '../../domain/mail/texts';
import type { CookieDeclaration } from '../../domain/public-pages/declaration';
import { declarationHtml } from '../../domain/public-pages/declaration-html';
import { admitPage } from '../admit';
import { sendStored } from '../files';
import { limitDeclarations } from '../limits';
import { FRAGMENT_HEADERS, MAX_AGE } from './fragment';
import { pageHeaders, renderPage, type SpokenOfSite, speak, wantedBy } from './page';
import type { PageTools } from './tools';

const HTML = 'text/html; charset=utf-8';
const VARY = { Vary: 'Accept-Encoding, Accept-Language' };

/** The declaration as a page of its own. */
export async function cookiesPage(tools: PageTools, request: Request, response: Response): Promise<void> {
  const { source, shown, spoken, count } = await visit(tools, request);
  const title = titleOf(tools, spoken);
  const form = {
    name: 'page',
    contentType: HTML,
    *write(declaration: CookieDeclaration): Generator<unknown, string> {
      const body = yield* fragment(declaration, source, spoken);
      return renderPage({ title, body, listed: true, translated: true }, spoken, shown).html;
    },
  };
  const file = await tools.context.declarations.find(source, spoken.wanted, form, count);
  const headers = { ...pageHeaders(shown, true), ...VARY, 'Cache-Control': 'no-cache' };
  sendStored(response.locals.exchange, new StoredFile(file, 'no-cache'), tools.context.log, headers);
}

/** The same without anything around it, for a page of the site. Any page may read it. */
export async function cookiesFragment(tools: PageTools, request: Request, response: Response): Promise<void> {
  const { source, spoken, count } = await visit(tools, request);
  const form = {
    name: 'fragment',
    contentType: HTML,
    write: (declaration: CookieDeclaration) => fragment(declaration, source, spoken),
  };
  const file = await tools.context.declarations.find(source, spoken.wanted, form, count);
  const { exchange } = response.locals;
  exchange.open = true;
  const stored = new StoredFile(file, `public, max-age=${MAX_AGE}`);
  sendStored(exchange, stored, tools.context.log, FRAGMENT_HEADERS);
}

async function visit({ context, limiter, addressOf }: PageTools, request: Request) {
  const address = addressOf(request);
  const site = await admitPage(context, limiter, String(request.params.token), address);
  const source = await context.pageSources.find(site);
  const shown = { ...source, frames: source.proven };
  const spoken = speak(wantedBy(request, source.settings), shown, context.program);
  const count = (bytes: number): void => limitDeclarations(limiter, address, bytes);
  return { source, shown, spoken, count };
}

/** The product's own title of a banner, because a site's may say something else. */
const titleOf = ({ context }: PageTools, { language, banner }: SpokenOfSite): string =>
  context.program.texts[language]?.title ?? banner.cookies;

function* fragment(
  declaration: CookieDeclaration,
  { settings }: PageSource,
  spoken: SpokenOfSite,
): Generator<unknown, string> {
  const { language, rtl, texts, banner } = spoken;
  const day = dayIn(language, settings.time_zone, new Date(declaration.updated_at));
  return yield* declarationHtml(declaration, { language, rtl, pages: texts.pages, banner, day });
}
