import type { Express, Request, Response } from 'express';
import type { Context } from '../../context';
import { ApiError } from '../../domain/errors';
import { TurnsOfEach } from '../../domain/fair-turns';
import { admitLink } from '../admit';
import { limitMailPages } from '../limits';
import { isOfOtherPage } from '../other-pages';
import type { Askers } from '../probes';
import { readForm } from './form-body';
import { preferencesPage, unsubscribePage } from './member-pages';
import { type Asked, type MailPage, sendPage } from './page';
import { answerPage, disownPage, invalidPage, stopPage, verifyPage } from './requester-pages';
import { sendFile, type Wanted } from './send-file';

type Page = (context: Context, asked: Asked) => Promise<MailPage | Wanted>;

/** The pages that links in mails lead to: without scripts, cookies or a login, and outside of the contract. */
const PAGES: readonly (readonly [string, Page])[] = [
  ['/mail/verify/:token/:request/:signature', verifyPage],
  ['/mail/disown/:token/:request/:signature', disownPage],
  ['/mail/answer/:token/:request/:signature', answerPage],
  ['/mail/stop/:token/:hash/:signature', stopPage],
  ['/mail/notices/:user/:signature', preferencesPage],
  ['/mail/unsubscribe/:user/:list/:signature', unsubscribePage],
];

/** Forms of one link are taken one after the other: they wait for the same row, and others need the connections. */
const OF_ONE_LINK = new TurnsOfEach(1, { each: 20, all: 20, wait: 4_000 }, 200);

export function mountMailPages(app: Express, context: Context, { addressOf, limiter }: Askers): void {
  const { turns } = context;
  for (const [path, page] of PAGES) {
    const answer = async (request: Request, response: Response): Promise<void> => {
      const { exchange } = response.locals;
      exchange.operationId = 'mail';
      try {
        const address = addressOf(request);
        limitMailPages(limiter, { address, isOther: isOfOtherPage(request, context) });
        const { token } = request.params;
        const site =
          token === undefined ? undefined : await admitLink(context, limiter, String(token), address);
        const isForm = request.method === 'POST';
        const fields = isForm ? await readForm(exchange) : undefined;
        const inTurn = () => turns.take(site, address, () => page(context, { request, fields }));
        const made = await (isForm ? OF_ONE_LINK.take([request.path], inTurn) : inTurn());
        if (!('file_id' in made)) sendPage(response, made);
        else if (
          site === undefined ||
          !(await sendFile(context, { ...made, address, place: site }, response))
        )
          sendPage(response, invalidPage(request));
      } catch (error) {
        if (!(error instanceof ApiError) || response.headersSent) throw error;
        response.set(error.headers);
        const { status, message: title } = error;
        sendPage(
          response,
          status === 404 ? invalidPage(request) : { status, language: 'en', title, body: '' },
        );
      }
    };
    app.get(path, answer);
    app.post(path, answer);
  }
}
