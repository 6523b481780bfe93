import type { Vault } from '../security/vault';

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
  /** What stands for `secretMark(0)`, `secretMark(1)` and so on in everything above: it is sent, and shown to nobody else. */
  secrets?: readonly string[] | undefined;
}

/** Private-use characters (Unicode §23.5), which no text from outside keeps. */
const FIRST_MARK = 0xe000;
const MARKS = /[\ue000-\uf8ff]/g;

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

export const sealContent = (vault: Vault, content: MailContent): Buffer =>
  vault.seal(JSON.stringify(content));

/** Throws when no key opens it. */
export const openContent = (vault: Vault, sealed: Buffer): MailContent => JSON.parse(vault.open(sealed));

/** With its secrets in place, as it is sent. */
export const withSecrets = ({ secrets = [], ...content }: MailContent): MailContent =>
  mapped(content, (mark) => secrets[mark.charCodeAt(0) - FIRST_MARK] ?? '');

/** As others than its receiver may see it. */
export const withoutSecrets = ({ secrets: _, ...content }: MailContent): MailContent =>
  mapped(content, () => '…');

const mapped = (content: MailContent, to: (mark: string) => string): MailContent =>
  Object.fromEntries(
    Object.entries(content).map(([name, text]) => [name, String(text).replace(MARKS, to)]),
  ) as unknown as MailContent;
