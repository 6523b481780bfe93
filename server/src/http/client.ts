import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';
import type { Config } from '../config';
import { keptAgent, maskAddress } from '../domain/mask';
import type { Client } from '../ingest/decision';

/** Finds the address that a request came from, behind the proxies that are trusted. */
export type AddressOf = (request: IncomingMessage) => string;

/** `onStranger` gets the address of each peer that is not trusted, though it sends an `X-Forwarded-For`. */
export function addressFinder(
  proxies: Config['trustProxy'],
  onStranger: (address: string) => void = () => undefined,
): AddressOf {
  const own = (request: IncomingMessage): string => request.socket.remoteAddress ?? '';
  if (proxies === false) return own;
  const isTrusted = trustOf(proxies);
  return (request) => {
    const peer = own(request);
    if (isTrusted(peer, 0)) return withoutPort(proxyAddr(request, isTrusted));
    if (request.headers['x-forwarded-for'] !== undefined) onStranger(peer);
    return peer;
  };
}

/** Who reaches the port directly could put any address into the header: even a counted proxy must be where proxies are. */
function trustOf(proxies: Exclude<Config['trustProxy'], false>): (address: string, hop: number) => boolean {
  if (Array.isArray(proxies)) return proxyAddr.compile(proxies);
  const isNearest = proxyAddr.compile(proxies.nearest);
  return (address, hop) => (hop === 0 ? isNearest(address, hop) : hop < proxies.hops);
}

/** Whether the peer of a connection is a proxy that is trusted, which speaks for many clients. */
export function proxyTeller(proxies: Config['trustProxy']): (address: string) => boolean {
  if (proxies === false) return () => false;
  const isTrusted = trustOf(proxies);
  return (address) => address !== '' && isTrusted(address, 0);
}

const tellers = new WeakMap<object, (address: string) => boolean>();

/** A header of a request, if a proxy that is trusted has sent it: anybody else could write any. */
export function headerOfProxy(
  proxies: Config['trustProxy'],
  { headers, socket }: IncomingMessage,
  name: string,
): string | undefined {
  if (proxies === false) return undefined;
  let isProxy = tellers.get(proxies);
  if (isProxy === undefined) {
    isProxy = proxyTeller(proxies);
    tellers.set(proxies, isProxy);
  }
  const value = isProxy(socket.remoteAddress ?? '') ? headers[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Some proxies add the port, which would make every connection a separate client. */
const withoutPort = (address: string): string =>
  /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;

export function clientOf(request: IncomingMessage, address: string): Client {
  const { headers } = request;
  const userAgent = headers['user-agent'];
  return {
    ipMasked: maskAddress(address),
    userAgent: userAgent === undefined ? null : keptAgent(userAgent),
    gpc: headers['sec-gpc'] === '1',
    recordedBy: 'visitor',
  };
}
