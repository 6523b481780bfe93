import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';
import { keptAgent, maskAddress } from '../domain/mask';
import type { Client } from '../ingest/decision';

/** Finds the address that a request came from, behind the proxies that are trusted. */
export type AddressOf = (request: IncomingMessage) => string;

export function addressFinder(trustProxy: false | number | string[]): AddressOf {
  if (trustProxy === false) return (request) => request.socket.remoteAddress ?? '';
  const trusted =
    typeof trustProxy === 'number'
      ? (_: string, hop: number) => hop < trustProxy
      : proxyAddr.compile(trustProxy);
  return (request) => withoutPort(proxyAddr(request, trusted));
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
