import type { Context } from '../../context';
import { escapeHtml } from '../../domain/html';
import { TOPIC_NAMES, TOPICS } from '../../domain/notices';
import type { NotificationSettings } from '../../domain/types';
import {
  choicesIn,
  chooseByLink,
  preferencesOf,
  present,
  unsubscribeOf,
} from '../../services/mail/member-links';
import { type Asked, form, type MailPage, text } from './page';

const page = (title: string, body: string, status = 200): MailPage => ({
  status,
  language: 'en',
  title,
  body,
});
const INVALID = page(
  'This link is not valid.',
  text('Log in to the console to choose what you are told.'),
  404,
);

/** Ends the mails about some topics; also the one-click request of mail programs (RFC 8058). */
export async function unsubscribePage(context: Context, { request, fields: sent }: Asked): Promise<MailPage> {
  const { user = '', list = '', signature = '' } = request.params as Record<string, string>;
  const found = await unsubscribeOf(context, { user, list, signature });
  if (found === undefined) return INVALID;
  const names = found.topics.map((topic) => TOPIC_NAMES[topic]).join(', ');
  if (sent === undefined) return page(`No more mails about ${names}?`, form('', 'Stop these mails'));
  await chooseByLink(context, found.userId, Object.fromEntries(found.topics.map((topic) => [topic, 'off'])));
  return page(`You will get no more mails about ${names}.`, '');
}

/** What a member is told, and how, without a login. */
export async function preferencesPage(context: Context, { request, fields: sent }: Asked): Promise<MailPage> {
  const { user = '', signature = '' } = request.params as Record<string, string>;
  const userId = await preferencesOf(context, { user, signature });
  if (userId === undefined) return INVALID;
  const chosen =
    sent === undefined
      ? await present(context, userId)
      : await chooseByLink(context, userId, choicesIn(sent));
  const note = sent === undefined ? '' : text('Your choice is saved.');
  return page('Choose what you are told', note + form(fields(chosen), 'Save'));
}

const MODES = [
  ['at_once', 'At once'],
  ['daily', 'Once a day'],
  ['off', 'Not at all'],
] as const;

const fields = (chosen: NotificationSettings): string =>
  TOPICS.map((topic) => {
    const name = TOPIC_NAMES[topic];
    const choices = MODES.map(
      ([mode, words]) =>
        `<label><input type="radio" name="${topic}" value="${mode}"${chosen[topic] === mode ? ' checked' : ''}> ${words}</label>`,
    );
    return `<fieldset><legend>${escapeHtml(name.charAt(0).toUpperCase() + name.slice(1))}</legend>${choices.join('')}</fieldset>`;
  }).join('');
