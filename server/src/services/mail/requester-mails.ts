import type { Knex } from 'knex';
import type { Changer } from '../../db/daily-limits';
import type { DsarRow, EnvironmentRow, MailRow } from '../../db/models';
import { dayIn, fill, mailTexts } from '../../domain/mail/texts';
import { DAY_MS } from '../../domain/time';
import { addressHash, mailboxOf } from '../../mail/addresses';
import { inMail, inMailLine, secretMark } from '../../mail/content';
import { layOut, type MailParts } from '../../mail/layout';
import { ANSWER_CODE, type Cause } from '../../mail/limits';
import type { Mailing } from '../../mail/mailing';
import { COURTESIES, queueMail } from '../../mail/queue-mail';
import { StrangerShare } from '../../mail/stranger-share';
import { signLink } from './links';
import { isMailed } from './mailing-of';

/** Days after the answer for which its files can be downloaded. */
export const ANSWER_DAYS = 30;

type Site = Pick<EnvironmentRow, 'id' | 'token' | 'name' | 'settings'>;

/** What differs from mail to mail. */
interface Letter {
  kind: string;
  cause: Cause;
  parts: Omit<MailParts, 'language' | 'rtl' | 'heading' | 'footer'>;
  /** What stands for `secretMark(0)`. */
  secret?: string;
  usefulUntil?: Date;
  isTooMany?: boolean;
  changer?: Changer;
}

/** The longest name of a site in a mail. */
const NAME = 80;
const siteName = ({ name }: Site): string => inMailLine(name, NAME);

/** The texts of a request's language, their gaps filled with the site's name. */
function textsFor(site: Site, { language: wanted }: DsarRow) {
  const { language, rtl, texts } = mailTexts(wanted);
  const zone = site.settings.time_zone;
  return {
    ...{ language, rtl, texts },
    say: (text: string, values: Record<string, string> = {}) =>
      fill(text, { site: siteName(site), ...values }),
    day: (at: Date) => dayIn(language, zone, at),
  };
}

/**
 * Queues a mail about a request, in the language that it asks for. Whoever has not confirmed that the request is theirs can
 * say that it is not.
 */
async function send(
  mailing: Mailing,
  trx: Knex.Transaction,
  site: Site,
  row: DsarRow,
  letter: Letter,
): Promise<MailRow['state']> {
  const { language, rtl, texts, say } = textsFor(site, row);
  const hash = (await addressHash(mailing, row.email)).toString('base64url');
  const stop = `${mailing.publicUrl()}/mail/stop/${site.token}/${hash}/${secretMark(1)}`;
  const disown = `${mailing.publicUrl()}/mail/disown/${site.token}/${row.request_id}/${secretMark(3)}`;
  const isCourtesy = COURTESIES.has(letter.kind);
  const content = layOut({
    ...{ language, rtl, heading: letter.parts.subject },
    ...letter.parts,
    footer: [
      {
        text: texts.pages.status_title,
        url: `${mailing.publicUrl()}${statusBase(site, row)}${secretMark(2)}`,
      },
      { text: say(texts.why) },
      ...(row.email_verified_at === null ? [{ text: texts.disown, url: disown }] : []),
      ...(isCourtesy ? [{ text: say(texts.stop), url: stop }] : []),
    ],
  });
  return queueMail(mailing, trx, {
    ...{ kind: letter.kind, audience: 'visitor', cause: letter.cause },
    ...{ environmentId: site.id, requestId: row.request_id },
    ...(letter.usefulUntil === undefined ? {} : { usefulUntil: letter.usefulUntil }),
    changer: letter.changer,
    ...(letter.isTooMany === true ? { isTooMany: true } : {}),
    // Whoever asks for a code has opened the link of another mail.
    isUnconfirmed: letter.cause === 'member' && letter.kind !== ANSWER_CODE && row.email_verified_at === null,
    isDisowned: row.disowned_at !== null,
    content: {
      ...content,
      ...{
        to: row.email,
        fromName: siteName(site),
        replyTo: site.settings.controller.email,
        ...(isCourtesy && { unsubscribe: stop }),
      },
      secrets: [
        letter.secret ?? '',
        await signLink(mailing, 'stop', [site.id, hash]),
        await signLink(mailing, 'status', verifyAbout(row)),
        await signLink(mailing, 'disown', verifyAbout(row)),
      ],
    },
  });
}

/** The page that says what has become of a request, without its signature. */
const statusBase = ({ token }: Pick<Site, 'token'>, { request_id }: DsarRow): string =>
  `/pages/${token}/status/${request_id}/`;

/** Its path, for whoever has shown another link of the same mail. */
export const statusPath = async (
  mailing: Pick<Mailing, 'secret'>,
  site: Pick<Site, 'token'>,
  row: DsarRow,
): Promise<string> => statusBase(site, row) + (await signLink(mailing, 'status', verifyAbout(row)));

/** What a link is about that proves an address: another address or request has another link. */
export const verifyAbout = ({ environment_id, request_id, email_key }: DsarRow): string[] => [
  environment_id,
  request_id,
  email_key,
];

const share = new StrangerShare();
/** Who has taken theirs, and what came of it: a request that a deadlock has undone runs again, and takes it once. */
const taken = new WeakMap<object, boolean>();

/**
 * Tells that a request came, with the link that proves the address. Nothing that a stranger wrote is in it.
 * @param asked the request as it came, the same in each run
 */
export async function mailReceived(
  mailing: Mailing,
  trx: Knex.Transaction,
  site: Site,
  row: DsarRow,
  asked: { address: string },
): Promise<void> {
  if (!isMailed(site, row)) return;
  const hasShare = taken.get(asked) ?? share.take(site.id, asked.address, mailboxOf(row.email_key));
  taken.set(asked, hasShare);
  const { texts, say, day } = textsFor(site, row);
  const url = `${mailing.publicUrl()}/mail/verify/${site.token}/${row.request_id}/${secretMark(0)}`;
  await send(mailing, trx, site, row, {
    ...{
      kind: 'request_received',
      cause: 'stranger',
      isTooMany: !hasShare,
    },
    secret: await signLink(mailing, 'verify', verifyAbout(row)),
    parts: {
      subject: say(texts.received_subject),
      paragraphs: [say(texts.received_text)],
      facts: [
        [texts.fact_type, texts.types[row.request_type]],
        [texts.fact_received, day(row.created_at)],
        [texts.fact_due, day(row.due_at)],
        [texts.fact_reference, row.request_id],
      ],
      action: { label: texts.confirm, url },
    },
  });
}

/** Tells that the deadline is extended, and why (GDPR Art. 12(3)). */
export async function mailExtended(
  mailing: Mailing,
  trx: Knex.Transaction,
  site: Site,
  row: DsarRow,
  changer: Changer,
): Promise<void> {
  if (!isMailed(site, row) || row.extended_until === null) return;
  const { texts, say, day } = textsFor(site, row);
  await send(mailing, trx, site, row, {
    ...{ kind: 'request_extended', cause: 'member', changer },
    parts: {
      subject: say(texts.extended_subject),
      paragraphs: [say(texts.extended_text, { date: day(row.extended_until) })],
      quote: inMail(row.extension_reason ?? '', 2_000),
      facts: [[texts.fact_reference, row.request_id]],
      notes: [texts.remedy],
    },
  });
}

/** What a link is about that leads to the files of an answer: a request that was reopened has another one. */
export const answerAbout = ({ environment_id, request_id, resolved_at }: DsarRow): string[] => [
  environment_id,
  request_id,
  resolved_at?.toISOString() ?? '',
];

/** When the files of an answer can no longer be downloaded. */
export const filesEnd = ({ resolved_at }: DsarRow): Date =>
  new Date((resolved_at?.getTime() ?? 0) + ANSWER_DAYS * DAY_MS);

/** After these the person is told where to complain (GDPR Art. 12(4)). */
const REMEDIED = new Set<DsarRow['resolution']>(['refused', 'partially_fulfilled', 'not_verified']);

/** Tells the answer, with a link to its files. */
export async function mailAnswered(
  mailing: Mailing,
  trx: Knex.Transaction,
  site: Site,
  row: DsarRow,
  answer: { text: string | undefined; hasFiles: boolean },
  changer: Changer,
): Promise<MailRow['state'] | undefined> {
  if (!isMailed(site, row) || row.resolution === null || row.resolved_at === null) return undefined;
  const { texts, say, day } = textsFor(site, row);
  const url = `${mailing.publicUrl()}/mail/answer/${site.token}/${row.request_id}/${secretMark(0)}`;
  return send(mailing, trx, site, row, {
    ...{ kind: 'request_answered', cause: 'member', changer },
    ...(answer.hasFiles ? { secret: await signLink(mailing, 'answer', answerAbout(row)) } : {}),
    parts: {
      subject: say(texts.answered_subject),
      paragraphs: [say(texts[row.resolution])],
      quote: answer.text === undefined ? undefined : inMail(answer.text, 10_000),
      facts: [
        [texts.fact_type, texts.types[row.request_type]],
        [texts.fact_reference, row.request_id],
      ],
      ...(answer.hasFiles ? { action: { label: texts.files_action, url } } : {}),
      notes: [
        ...(answer.hasFiles ? [say(texts.files_text, { date: day(filesEnd(row)) })] : []),
        ...(REMEDIED.has(row.resolution) ? [texts.remedy] : []),
      ],
    },
  });
}

/** Sends the code that opens the files; resolves with what becomes of its mail. */
export async function mailCode(
  mailing: Mailing,
  trx: Knex.Transaction,
  site: Site,
  row: DsarRow,
  { code, expiresAt }: { code: string; expiresAt: Date },
): Promise<MailRow['state']> {
  const { texts, say } = textsFor(site, row);
  return send(mailing, trx, site, row, {
    ...{ kind: ANSWER_CODE, cause: 'member', secret: code, usefulUntil: expiresAt },
    parts: { subject: say(texts.code_subject), paragraphs: [texts.code_text], code: secretMark(0) },
  });
}
