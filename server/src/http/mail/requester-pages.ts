import type { Request } from 'express';
import type { Context } from '../../context';
import { escapeHtml } from '../../domain/html';
import { dayIn, fill, mailTexts } from '../../domain/mail/texts';
import { acceptedLanguages } from '../../domain/public-pages/language';
import { isCode, openFiles, sendCode } from '../../services/mail/answer-access';
import {
  disownRequest,
  isOwned,
  type Linked,
  linkedRequest,
  type RequestLink,
  stopMails,
  stopSite,
  verifyAddress,
} from '../../services/mail/requester-links';
import { filesEnd, statusPath } from '../../services/mail/requester-mails';
import { type Asked, form, hidden, type MailPage, text } from './page';
import type { Wanted } from './send-file';

/** The words of a page for whoever made a request, in the language of the request. */
function wordsOf({ site, row }: Linked) {
  const { language, rtl, texts } = mailTexts(row.language);
  const say = (words: string): string => fill(words, { site: site.name });
  const page = (title: string, body: string, status = 200): MailPage => ({
    status,
    language,
    rtl,
    title,
    body,
  });
  return { texts, say, page };
}

/** In the language of the browser, because nothing is known of the request. */
export function invalidPage(request: Request): MailPage {
  const [wanted = 'en'] = acceptedLanguages(request.headers['accept-language']);
  const { language, rtl, texts } = mailTexts(wanted);
  return { status: 404, language, rtl, title: texts.invalid, body: '' };
}

const linkOf = ({ params }: Request): RequestLink => ({
  token: String(params.token),
  request_id: String(params.request),
  signature: String(params.signature),
});

/** A click confirms, and no program that looks at links in mails. */
export async function verifyPage(context: Context, { request, fields }: Asked): Promise<MailPage> {
  const linked = await linkedRequest(context, 'verify', linkOf(request));
  if (linked === undefined) return invalidPage(request);
  const { texts, say, page } = wordsOf(linked);
  if (fields !== undefined) await verifyAddress(context, linked);
  if (fields !== undefined || isOwned(linked.row))
    return page(texts.confirmed, await confirmedBody(context, linked));
  return page(say(texts.received_subject), text(say(texts.received_text)) + form('', texts.confirm));
}

/** The site, and the way to what becomes of the request. */
async function confirmedBody({ mail }: Context, { site, row }: Linked): Promise<string> {
  const { texts } = mailTexts(row.language);
  const path = await statusPath(mail, site, row);
  return `${text(site.name, true)}<p><a href="${escapeHtml(path)}">${escapeHtml(texts.pages.status_title)}</a></p>`;
}

/** Somebody else has sent a request with this address. */
export async function disownPage(context: Context, { request, fields }: Asked): Promise<MailPage> {
  const linked = await linkedRequest(context, 'disown', linkOf(request));
  if (linked === undefined) return invalidPage(request);
  const { texts, page } = wordsOf(linked);
  if (fields !== undefined) await disownRequest(context, linked);
  if (fields !== undefined || linked.row.disowned_at !== null) return page(texts.disowned, '');
  const { request_type, request_id } = linked.row;
  return page(
    linked.site.name,
    text(`${texts.types[request_type]} (${request_id})`) + form('', texts.disown),
  );
}

/** Also the one-click request of mail programs (RFC 8058). */
export async function stopPage(context: Context, { request, fields }: Asked): Promise<MailPage> {
  const { token, hash, signature } = request.params as Record<string, string>;
  const link = { token: token ?? '', hash: hash ?? '', signature: signature ?? '' };
  const site = await stopSite(context, link);
  if (site === undefined) return invalidPage(request);
  const [wanted = site.settings.default_language] = acceptedLanguages(request.headers['accept-language']);
  const { language, rtl, texts } = mailTexts(wanted);
  const say = (words: string): string => fill(words, { site: site.name });
  if (fields === undefined)
    return {
      ...{ status: 200, language, rtl, title: site.name },
      body: text(texts.answers_stay) + form('', say(texts.stop)),
    };
  await stopMails(context, site, link.hash);
  return { status: 200, language, rtl, title: say(texts.stopped), body: text(texts.answers_stay) };
}

/** The files of an answer, behind the mailed link and a code of another mail. */
export async function answerPage(context: Context, { request, fields }: Asked): Promise<MailPage | Wanted> {
  const linked = await linkedRequest(context, 'answer', linkOf(request));
  const files = linked === undefined ? [] : await openFiles(context.db, linked.row);
  if (linked === undefined || files.length === 0) return invalidPage(request);
  const { texts, say, page } = wordsOf(linked);
  const title = say(texts.answered_subject);
  const ask = form(hidden('action', 'code'), texts.send_code);
  if (fields === undefined) return page(title, text(filesUntil(linked, texts.files_text)) + ask);
  if (fields.get('action') === 'code') {
    const sent = await sendCode(context, linked);
    if (!sent) return page(title, text(texts.too_many_codes), 429);
    return page(title, text(texts.code_sent) + codeForm(texts));
  }
  const code = (fields.get('code') ?? '').slice(0, 40);
  if (!(await isCode(context, linked, code)))
    return page(title, text(texts.wrong_code) + codeForm(texts) + ask, 403);
  const wanted = fields.get('file');
  if (wanted !== undefined) return { ...linked, file_id: wanted };
  const list = files.map(({ file_id, name, bytes }) => {
    const fieldset = hidden('code', code) + hidden('file', file_id);
    return `<li><p><bdi>${escapeHtml(name)}</bdi> <span class="soft">${sizeOf(bytes)}</span></p>${form(fieldset, texts.download, name)}</li>`;
  });
  return page(title, `<ul>${list.join('')}</ul>`);
}

const filesUntil = ({ site, row }: Linked, words: string): string => {
  const { language } = mailTexts(row.language);
  return fill(words, { date: dayIn(language, site.settings.time_zone, filesEnd(row)) });
};

const codeForm = (texts: { code: string; open: string }): string =>
  form(
    `<p><label for="code">${escapeHtml(texts.code)}</label><input id="code" type="text" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="20" required></p>`,
    texts.open,
  );

const sizeOf = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
