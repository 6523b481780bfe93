import type { Request, Response } from 'express';
import type { PageSource } from '../../bundles/page-sources';
import { loadContract, type Operation } from '../../contract/operations';
import { type FieldError, ValidationError } from '../../domain/errors';
import { dayIn } from '../../domain/mail/texts';
import type { Site } from '../../ingest/site';
import { issueForm, stateOfForm } from '../../services/public-form';
import { admitPage } from '../admit';
import { toApiError } from '../answer';
import { readBody } from '../body';
import { limitCostly, limitStored } from '../limits';
import { runForPage } from '../run';
import { visitorValidator } from '../validators';
import { renderPage, type Shown, type SpokenOfSite, send, speak, wantedBy } from './page';
import { facts, paragraph } from './parts';
import { formBody, isTrapped, type Typed, typedIn } from './request-form';
import type { PageTools } from './tools';

const SUBMIT = loadContract().operations.find(({ id }) => id === 'submitDsar') as Operation;

/** A form as browsers send it; ten thousand letters of any script take that much. */
const FORM = {
  bodyTypes: ['application/x-www-form-urlencoded'],
  bodyRequired: true,
  bodyLimit: 128 * 1024,
};

/** One visit of the page. */
interface Visit {
  tools: PageTools;
  response: Response;
  address: string;
  site: Site;
  source: PageSource;
  shown: Shown;
  spoken: SpokenOfSite;
}

/** The form with which anybody makes a request about their data (GDPR Art. 12(2)). */
export async function requestPage(tools: PageTools, request: Request, response: Response): Promise<void> {
  const { context, limiter } = tools;
  const address = tools.addressOf(request);
  const site = await admitPage(context, limiter, String(request.params.token), address);
  const isSent = request.method === 'POST';
  if (isSent) {
    limitCostly(limiter, site, address, SUBMIT);
    limitStored(limiter, address, SUBMIT);
  }
  const sender = { operation: SUBMIT, address, limiter, site };
  const body = isSent ? await readBody(response.locals.exchange, FORM, sender) : undefined;
  const source = await context.pageSources.find(site);
  const shown = { ...source, frames: source.proven };
  const spoken = speak(wantedBy(request, source.settings), shown, context.program);
  const visit = { tools, response, address, site, source, shown, spoken };
  if (!isSent) return sendForm(visit, {}, [], 200);
  return take(visit, (body?.json ?? {}) as Record<string, string>);
}

/** Stores the request, or shows the form again with what was typed: nothing that a person sends is dropped. */
async function take(visit: Visit, fields: Record<string, string>): Promise<void> {
  const { context } = visit.tools;
  const typed = typedIn(fields);
  const state = await stateOfForm(context.mail, visit.site.id, fields.form ?? '');
  // An early one is sent again by the same form, a moment later.
  if (state === 'early' && !isTrapped(fields))
    return sendForm(visit, typed, [], 422, fields.form, 'too_quick');
  if (state !== 'good' || isTrapped(fields))
    return sendForm(visit, typed, [], 422, state === 'early' ? fields.form : undefined);
  const key = fields.form as string;
  try {
    const errors = await submit(visit, typed, key);
    if (errors.length > 0) await sendForm(visit, typed, errors, 422, key);
  } catch (error) {
    const { exchange } = visit.response.locals;
    const { status, headers } = toApiError(error, context.log, exchange);
    visit.response.set(headers);
    // It has made another request, so what was changed since needs a form of its own.
    if (status === 409) return sendForm(visit, typed, [], status);
    // The same form makes the same request, if it was stored after all.
    await sendForm(visit, typed, [], status, key);
  }
}

/** Makes the request as the operation of the contract does, once for each form; returns what is wrong with it. */
async function submit(visit: Visit, typed: Typed, key: string): Promise<FieldError[]> {
  const { tools, response, site, address } = visit;
  const { context, limiter } = tools;
  const { exchange } = response.locals;
  const params = { token: site.token };
  const json = { ...typed, language: visit.spoken.wanted };
  const errors = visitorValidator(SUBMIT)({ params, query: {}, key, body: json });
  if (errors.length > 0) return errors;
  exchange.request.headers['idempotency-key'] = key;
  const body = { raw: Buffer.from(JSON.stringify(json)), json };
  try {
    const stored = await runForPage(context, exchange, {
      ...{ operation: SUBMIT, params, query: {}, body, address, limiter, site, isForm: true },
    });
    sendReceipt(visit, typed, stored as Receipt);
    return [];
  } catch (error) {
    if (error instanceof ValidationError) return error.errors;
    throw error;
  }
}

async function sendForm(
  { tools, response, site, shown, spoken }: Visit,
  typed: Typed,
  errors: FieldError[],
  status: number,
  given?: string,
  refused: 'send_again' | 'too_quick' = 'send_again',
): Promise<void> {
  const form = given ?? (await issueForm(tools.context.mail, site.id));
  const { pages } = spoken.texts;
  const alert = status === 200 ? undefined : pages[status === 422 || status === 409 ? refused : 'busy'];
  const body = formBody(spoken, { typed, errors, form, alert });
  const page = { title: spoken.texts.pages.request_title, body, translated: status === 200 };
  send(response, renderPage(page, spoken, shown), status);
}

interface Receipt {
  request_id: string;
  due_at: string;
}

function sendReceipt(
  { tools, response, source, shown, spoken }: Visit,
  typed: Typed,
  receipt: Receipt,
): void {
  const { texts, language, say } = spoken;
  const { mail_requesters, time_zone } = source.settings;
  const isMailed = tools.context.mail.isConfigured && mail_requesters !== false;
  // The same to everybody: whether a mail is withheld would say how many there were, or who has unsubscribed.
  const body =
    (isMailed ? paragraph(say(texts.pages.confirm_text)) : '') +
    facts([
      [texts.fact_type, texts.types[typed.request_type as keyof typeof texts.types]],
      [texts.fact_due, dayIn(language, time_zone, new Date(receipt.due_at))],
      [texts.fact_reference, receipt.request_id],
    ]);
  send(response, renderPage({ title: texts.pages.sent, body }, spoken, shown), 201);
}
