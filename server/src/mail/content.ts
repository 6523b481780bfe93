import { rowOf, type Vault } from '../security/vault';

/** What a mail says, and to whom. */
export interface MailContent {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The name that it is from; otherwise that of MAIL_FROM. */
  fromName?: string | undefined;
  /** Where an answer goes. */
  replyTo?: string | undefined;
  /** The URL of the one-click way to get no more of its kind (RFC 8058). */
  unsubscribe?: string | undefined;
  /** What stands for `secretMark(0)`, `secretMark(1)` and so on in a field of `MARKED`: it is sent, and shown to nobody else. */
  secrets?: readonly string[] | undefined;
}

/** Private-use characters (Unicode §23.5), which no text from outside keeps. */
const FIRST_MARK = 0xe000;
const MARKS = /[\ue000-\uf8ff]/g;

/** The fields that have secrets. Never an address: limits and refusals were asked of it as it stands. */
const MARKED: readonly string[] = ['subject', 'text', 'html', 'unsubscribe'] satisfies (keyof MailContent)[];

/** Where a secret stands in a mail until it is sent. */
export const secretMark = (at: number): string => String.fromCharCode(FIRST_MARK + at);

/** A text from outside, which can hold no mark, nor what would end a header line. */
export const inMail = (text: string, most: number): string =>
  text
    .replace(MARKS, '')
    .replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]+/gu, (controls) =>
      /^[\n\r\t]+$/.test(controls) ? controls : ' ',
    )
    .slice(0, most);

/** The same in one line. */
export const inMailLine = (text: string, most: number): string =>
  inMail(text, most).replace(/\s+/g, ' ').trim();

/** How a mail is named, and what it holds; null once that is erased. */
export interface StoredMail {
  environment_id: string;
  mail_id: string;
  content: Buffer | null;
}

const rowOfMail = ({ environment_id, mail_id }: Omit<StoredMail, 'content'>): string =>
  rowOf(environment_id, mail_id);

export const sealContent = (vault: Vault, mail: Omit<StoredMail, 'content'>, content: MailContent): Buffer =>
  vault.of('mail').seal(JSON.stringify(content), rowOfMail(mail));

/** Undefined once it is erased. Throws when no key opens it for this mail. */
export const openContent = (vault: Vault, mail: StoredMail): MailContent | undefined =>
  mail.content === null ? undefined : JSON.parse(vault.of('mail').open(mail.content, rowOfMail(mail)));

/** With its secrets in place, as it is sent. */
export const withSecrets = ({ secrets = [], ...content }: MailContent): MailContent =>
  mapped(content, (mark) => secrets[mark.charCodeAt(0) - FIRST_MARK] ?? '');

/** As others than its receiver may see it. */
export const withoutSecrets = ({ secrets: _, ...content }: MailContent): MailContent =>
  mapped(content, () => '…');

const mapped = (content: MailContent, to: (mark: string) => string): MailContent =>
  Object.fromEntries(
    Object.entries(content).map(([name, text]) => [
      name,
      MARKED.includes(name) ? String(text).replace(MARKS, to) : text,
    ]),
  ) as unknown as MailContent;
