import { createHmac } from 'node:crypto';
import { emailKey, emailKeys } from '../domain/email-keys';
import type { Mailing } from './mailing';

/** Where dots in the local part change nothing. */
const WITHOUT_DOTS = new Set(['gmail.com', 'googlemail.com']);

/** The mailbox of an address: without a subaddress (RFC 5233), of which one mailbox has as many as somebody likes. */
export function mailboxOf(key: string): string {
  const at = key.lastIndexOf('@');
  const domain = key.slice(at + 1);
  const [, local = ''] = /^([^+]+)\+/.exec(key.slice(0, at)) ?? [undefined, key.slice(0, at)];
  return `${WITHOUT_DOTS.has(domain) ? local.replaceAll('.', '') : local}@${domain}`;
}

const hashed = (secret: Buffer, key: string): Buffer =>
  createHmac('sha256', secret)
    .update(`address ${mailboxOf(key)}`)
    .digest();

/**
 * The keyed hash by which mails to an address are counted and found; two spellings of one address have the same, and so
 * have its subaddresses.
 */
export const addressHash = async (mailing: Pick<Mailing, 'secret'>, address: string): Promise<Buffer> =>
  hashed(await mailing.secret(), emailKey(address));

/** All hashes by which mails to an address are found. */
export async function addressHashes(mailing: Pick<Mailing, 'secret'>, address: string): Promise<Buffer[]> {
  const secret = await mailing.secret();
  return [...new Set([emailKey(address), ...emailKeys(address)])].map((key) => hashed(secret, key));
}
