import { domainToASCII, domainToUnicode } from 'node:url';

/** What has other spellings than by case. */
const BEYOND_ASCII = /[^ -~]/;
/** Other ASCII characters would make `node:url` read a part of a web address, and drop the rest. */
const CONVERTIBLE = /^[a-z0-9._\-\u0080-\u{10ffff}]+$/u;

/**
 * By what two spellings of an e-mail address are the same: case, composed or decomposed characters (NFC), and the
 * domain in Unicode or in A-labels (RFC 5890). To compare and to find, never to show: that is the address as typed.
 */
export function emailKey(email: string): string {
  const [local, domain] = apart(email);
  return local + inAscii(domain);
}

/**
 * All keys by which an address is looked up, at most seven. Versions before stored it in lower case as it was typed:
 * composed or decomposed, with the domain in Unicode or in A-labels. First the one as typed now, since they could
 * store two spellings of one address as two accounts.
 */
export function emailKeys(email: string): string[] {
  const [local, domain] = apart(email);
  const ascii = inAscii(domain);
  const unicode = inUnicode(ascii);
  const domains = [ascii, unicode, unicode.normalize('NFD')];
  const spelled = [local, local.normalize('NFD')].flatMap((one) => domains.map((other) => one + other));
  return [...new Set([email.toLowerCase(), ...spelled])];
}

/** The local part with its `@`, and the domain. */
function apart(email: string): [local: string, domain: string] {
  // Twice, because lower case is not always composed.
  const text = email.normalize('NFC').toLowerCase().normalize('NFC');
  const end = text.lastIndexOf('@') + 1;
  return [text.slice(0, end), text.slice(end)];
}

/** What is no domain name stays as it is. */
function inAscii(domain: string): string {
  if (!BEYOND_ASCII.test(domain) || !CONVERTIBLE.test(domain)) return domain;
  // An ideographic final dot becomes an ASCII one.
  return domainToASCII(domain).replace(/\.$/, '') || domain;
}

const inUnicode = (ascii: string): string =>
  ascii.includes('xn--') && CONVERTIBLE.test(ascii) ? domainToUnicode(ascii) || ascii : ascii;
