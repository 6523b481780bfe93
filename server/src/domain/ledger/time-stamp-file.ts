/** `PKIStatusInfo` with the status `granted`, in DER. */
const GRANTED = Buffer.from('3003020100', 'hex');

/**
 * A stored token as the file that `openssl ts -verify -in` and others take (.tsr): the response of RFC 3161 that
 * brought it, as far as it says anything.
 */
export function timeStampFile(token: Buffer): Buffer {
  const length = GRANTED.length + token.length;
  const digits = length.toString(16).padStart(2, '0');
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  // DER: lengths from 128 on follow their own length.
  const head = length < 0x80 ? bytes : Buffer.concat([Buffer.of(0x80 + bytes.length), bytes]);
  return Buffer.concat([Buffer.of(0x30), head, GRANTED, token]);
}
