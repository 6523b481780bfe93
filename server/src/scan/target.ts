import { isIP } from 'node:net';
import { registrableOf, siteOf } from '../domain/cookies/party';
import { ValidationError } from '../domain/errors';
import { groupOf } from '../domain/mask';
import type { Policy } from '../net/policy';
import { hostOf } from '../net/target';

/** The only ports of pages. */
export const PORTS = [80, 443];

/** The port that a web address is connected to. */
export const portOf = (url: URL): number =>
  url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);

/** A page that may be scanned. */
export interface Page {
  url: string;
  host: string;
  /** The host without `www.`: it has one scan at a time. */
  domain: string;
  /** The registrable domain, whose subdomains cost nothing; of an address the networks around it. */
  registrable: string;
  isIP: boolean;
}

/**
 * The page to scan, and its domain, which has one scan at a time. Refuses early what can be refused without
 * DNS; the connector decides at every connection. Throws `ValidationError`.
 */
export function readPage(text: string, policy: Policy, field = 'body.url'): Page {
  const refuse = (message: string): ValidationError => ValidationError.of(field, message, 'url');
  if (!URL.canParse(text)) throw refuse('must be an absolute http or https URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refuse('must begin with https:// or http://');
  if (url.username !== '' || url.password !== '') throw refuse('must not hold a user name or password');
  const host = hostOf(url).replace(/\.$/, '');
  if (isIP(host) !== 0 && policy.check(host) !== undefined) throw refuse('must be on a public host');
  const address = isIP(host) === 0 ? undefined : host;
  if (!PORTS.includes(portOf(url)) && !mayBeOpen(portOf(url), address, policy))
    throw refuse('must use the usual port: 80 for http, 443 for https');
  return {
    url: text.split('#', 1)[0] as string,
    host,
    domain: siteOf(host),
    registrable: isIP(host) === 0 ? registrableOf(host) : `network ${groupOf(host)}`,
    isIP: isIP(host) !== 0,
  };
}

/** When private networks are allowed, a name is accepted here; its addresses are checked when connecting. */
const mayBeOpen = (port: number, address: string | undefined, policy: Policy): boolean =>
  address === undefined ? policy.opensAny : policy.allowsPort(port, address);
