import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Mailing } from '../../mail/mailing';

/** What a link in a mail allows its bearer. */
export type LinkPurpose =
  | 'verify'
  | 'disown'
  | 'status'
  | 'stop'
  | 'answer'
  | 'notices'
  | 'unsubscribe'
  | 'form';

const LENGTH = 32;

/** The last part of a link: 24 bytes of an HMAC-SHA256 in base64url, over what the link is for and about. */
export async function signLink(
  mailing: Pick<Mailing, 'secret'>,
  purpose: LinkPurpose,
  about: readonly string[],
): Promise<string> {
  const text = JSON.stringify(['link', purpose, ...about]);
  const signature = createHmac('sha256', await mailing.secret())
    .update(text)
    .digest('base64url');
  return signature.slice(0, LENGTH);
}

export async function isSigned(
  mailing: Pick<Mailing, 'secret'>,
  purpose: LinkPurpose,
  about: readonly string[],
  signature: string,
): Promise<boolean> {
  const wanted = Buffer.from(await signLink(mailing, purpose, about));
  const given = Buffer.from(signature);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
