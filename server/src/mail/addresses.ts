import { createHmac } from 'node:crypto';
import { emailKey, emailKeys } from '../domain/email-keys';
import type { Mailing } from './mailing';

/** Where dots in the local part change nothing. */
const WITHOUT_DOTS = new Set(['gmail.com']);
/** Domains that have the same mailboxes as another. */
const SAME = new Map([['googlemail.com', 'gmail.com']]);

/** The mailbox of an address: without a subaddress (RFC 5233), of which one mailbox has as many as somebody likes. */
export function mailboxOf(key: string): string {
  const at = key.lastIndexOf('@');
  const written = key.slice(at + 1);
  const domain = SAME.get(written) ?? written;
  const [, local = ''] = /^([^+]+)\+/.exec(key.slice(0, at)) ?? [undefined, key.slice(0, at)];
  return `${WITHOUT_DOTS.has(domain) ? local.replaceAll('.', '') : local}@${domain}`;
}

const hashed = (secret: Buffer, mailbox: string): Buffer =>
  createHmac('sha256', secret).update(`address ${mailbox}`).digest();

/** A mailbox of two domains was hashed by either, and a wish for no more mails may have been stored so. */
const hashedBefore = (mailbox: string): string[] =>
  [...SAME].flatMap(([other, domain]) =>
    mailbox.endsWith(`@${domain}`) ? [mailbox.slice(0, -domain.length) + other] : [],
  );

/**
 * The keyed hash by which mails to an address are counted and found; two spellings of one address have the same, and so
 * have its subaddresses.
 */
export const addressHash = async (mailing: Pick<Mailing, 'secret'>, address: string): Promise<Buffer> =>
  hashed(await mailing.secret(), mailboxOf(emailKey(address)));

/** All hashes by which mails to an address are found. */
export async function addressHashes(mailing: Pick<Mailing, 'secret'>, address: string): Promise<Buffer[]> {
  const secret = await mailing.secret();
  const mailboxes = [emailKey(address), ...emailKeys(address)].map(mailboxOf);
  return [...new Set([...mailboxes, ...mailboxes.flatMap(hashedBefore)])].map((one) => hashed(secret, one));
}
