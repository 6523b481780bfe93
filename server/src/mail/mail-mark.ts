import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * What stands behind the id of a mail in its Message-ID, and is told nowhere else: whoever reports that it came back has
 * had it, or has carried it. In hexadecimal digits, because some mail servers change the case of letters.
 */
const markOf = (secret: Buffer, mailId: string): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['mail', mailId]))
    .digest('hex')
    .slice(0, 32);

/** By what mail servers know a mail: the left part of its Message-ID, and its envelope's id (RFC 3461 §4.4). */
export const nameOf = (secret: Buffer, mailId: string): string => `${mailId}.${markOf(secret, mailId)}`;

export const isMark = (secret: Buffer, mailId: string, mark: string): boolean => {
  const wanted = Buffer.from(markOf(secret, mailId));
  const given = Buffer.from(mark);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
};
