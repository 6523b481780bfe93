import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { abortable } from './abortable';
import { RefusedError } from './failure';
import type { Policy } from './policy';

/** Names that never stand for a public host: RFC 6761, RFC 6762, RFC 8375, and .internal (ICANN, 2024). */
const INWARD = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/;

/** Parses the URL of a webhook. Throws `RefusedError`. */
export function readTarget(text: string, policy: Policy): URL {
  if (!URL.canParse(text))
    throw new RefusedError('is not a valid absolute URL: write it like https://receiver.example.com/');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(policy.allowHttp && url.protocol === 'http:')) {
    throw new RefusedError(
      policy.allowHttp
        ? 'must begin with https:// or http://'
        : 'must begin with https://, since webhooks carry personal data',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new RefusedError(
      'must not hold a user name or password: remove them, and verify the signature instead',
    );
  }
  return url;
}

/** The host of a URL as the resolver and TLS want it: without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/**
 * All addresses of a host, each of which may be connected to. Throws `RefusedError` when one of them may not,
 * the resolver's error when there is none, and the signal's reason.
 */
export async function vettedAddresses(
  host: string,
  policy: Policy,
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  const family = isIP(host);
  const addresses =
    family === 0 ? await abortable(policy.lookup(host, signal), signal) : [{ address: host, family }];
  if (addresses.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
  for (const { address } of addresses) {
    refuseAddress(address, policy);
    // A public address for an internal name belongs to somebody else.
    if (INWARD.test(host) && !policy.opened(address))
      throw new RefusedError('has a name for internal use that leads to the public Internet');
  }
  return addresses;
}

/** Throws `RefusedError` unless the address may be connected to. */
export function refuseAddress(address: string, policy: Policy): void {
  const reason = policy.check(address);
  if (reason !== undefined) throw new RefusedError(`leads to an address that may not be reached (${reason})`);
}

/** Throws `RefusedError` unless this port of the address may be connected to. */
export function refusePort(port: number, address: string, policy: Policy): void {
  if (!policy.allowsPort(port, address)) throw new RefusedError('names a port that may not be reached');
}
