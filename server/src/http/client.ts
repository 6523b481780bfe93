import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';
import type { Client } from '../api/handler';
import { maskAddress } from '../domain/mask';

/** Finds the address that a request came from, behind the proxies that are trusted. */
export type AddressOf = (request: IncomingMessage) => string;

export function addressFinder(trustProxy: false | number | string[]): AddressOf {
  if (trustProxy === false) return (request) => request.socket.remoteAddress ?? '';
  const trusted =
    typeof trustProxy === 'number'
      ? (_: string, hop: number) => hop < trustProxy
      : proxyAddr.compile(trustProxy);
  return (request) => proxyAddr(request, trusted);
}

export function clientOf(request: IncomingMessage, address: string): Client {
  const { headers } = request;
  const userAgent = headers['user-agent'];
  return {
    ipMasked: maskAddress(address),
    userAgent: userAgent === undefined ? null : printable(userAgent).slice(0, 512),
    gpc: headers['sec-gpc'] === '1',
  };
}

/** Headers arrive as Latin-1: keep what prints. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e\xa0-\xff]/g, '');
