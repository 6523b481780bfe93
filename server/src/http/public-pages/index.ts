import type { Express, Request, Response } from 'express';
import type { Context } from '../../context';
import type { MailTexts } from '../../domain/mail/texts';
import { toApiError } from '../answer';
import type { Askers } from '../probes';
import { cookiesFragment, cookiesPage } from './cookies-page';
import { cookiesScript } from './cookies-script';
import { renderProblem, send, speakToStranger } from './page';
import { preferencesFragment, preferencesPage } from './preferences-page';
import { requestPage } from './request-page';
import { statusPage } from './status-page';
import type { PageTools } from './tools';

type Page = (tools: PageTools, request: Request, response: Response) => Promise<void>;

/** Pages of a site that it can link to, without scripts, cookies or a login, and parts for its own; outside of the contract. */
const PAGES: readonly (readonly [path: string, page: Page, methods: ('get' | 'post')[]])[] = [
  ['/pages/:token/request', requestPage, ['get', 'post']],
  ['/pages/:token/status/:request/:signature', statusPage, ['get']],
  ['/pages/:token/preferences', preferencesPage, ['get']],
  ['/pages/:token/preferences/fragment', preferencesFragment, ['get']],
  ['/pages/:token/cookies', cookiesPage, ['get']],
  ['/pages/:token/cookies/fragment', cookiesFragment, ['get']],
  ['/pages/:token/cookies/embed.js', cookiesScript, ['get']],
];

export function mountPublicPages(app: Express, context: Context, askers: Askers): void {
  const tools: PageTools = { context, ...askers };
  for (const [path, page, methods] of PAGES) {
    const answer = async (request: Request, response: Response): Promise<void> => {
      const { exchange } = response.locals;
      exchange.operationId = 'pages';
      try {
        await page(tools, request, response);
      } catch (thrown) {
        if (response.headersSent) throw thrown;
        const { status, headers } = toApiError(thrown, context.log, exchange);
        const spoken = speakToStranger(request);
        response.set(headers);
        send(response, renderProblem(problemOf(status, spoken.texts), spoken), status);
      }
    };
    for (const method of methods) app[method](path, answer);
  }
}

/** What is said to a visitor, to whom no contract means anything. */
function problemOf(status: number, { pages, invalid }: MailTexts): string {
  if (status === 404) return invalid;
  if (status === 429) return pages.busy;
  return status < 500 && status !== 403 ? pages.send_again : pages.unavailable;
}
