import { domainToASCII } from 'node:url';
import { ValidationError } from './errors';
import { webUrl } from './web-address';

/**
 * The contract's rule for e-mail addresses, for those that come from the operator and not through the API: what
 * they may not hold.
 */
const NOT =
  '\\s@<>"(),:;\\[\\]\\\\\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\xad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200d\\u2060-\\u2065\\u206a-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0\\ufff0-\\ufffb\\ue000-\\uf8ff';
const PATTERN = new RegExp(`^[^${NOT}]{1,64}@[^${NOT}]{1,189}\\.[^${NOT}.]{2,63}$`);

/**
 * What is never shown, or looks different everywhere, beyond what a pattern of the contract can name: tags, what Unicode
 * adds later, and characters of private use.
 */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Co}]/u;

/** Whether every character of a text can be seen, and means the same to all. */
export const isSeen = (text: string): boolean => !UNSEEN.test(text);

export const isEmail = (text: string): boolean => text.length <= 254 && PATTERN.test(text) && isSeen(text);

/** A domain in lower-case A-labels (RFC 5890), without a final dot; undefined when it is no domain name. */
export function normaliseDomain(domain: string): string | undefined {
  // Also converts an ideographic final dot to an ASCII one.
  const ascii = domainToASCII(domain).replace(/\.$/, '');
  if (ascii === 'localhost') return ascii;
  const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
  return ascii.length <= 253 && new RegExp(`^(${label}\\.)+${label}$`).test(ascii) ? ascii : undefined;
}

/** The same for a field of a request. Throws `ValidationError`. */
export function readDomain(domain: string, path: string): string {
  const ascii = normaliseDomain(domain);
  if (ascii !== undefined) return ascii;
  throw ValidationError.of(path, 'must be a domain name such as www.example.com', 'domain');
}

/**
 * Whether an `Origin` header belongs to one of the domains (any port; `www.` stands for its domain). Only web pages have
 * visitors: one of `ftp:` or of a browser extension never does.
 */
export function originBelongs(origin: string | undefined, domains: ReadonlySet<string>): boolean {
  const hostname = origin === undefined ? undefined : webUrl(origin)?.hostname;
  if (hostname === undefined) return false;
  return domains.has(hostname) || (hostname.startsWith('www.') && domains.has(hostname.slice(4)));
}

/**
 * The page without what may identify the visitor: query, fragment and credentials are cut off.
 * The input has passed the contract's pattern for web addresses.
 */
export function stripPageUrl(url: string): string {
  const end = url.search(/[?#]/);
  const page = end === -1 ? url : url.slice(0, end);
  return page.replace(/^(https?:\/\/)[^/]*@/, '$1');
}
