import { isHostLength } from './cookies/result';

/** The most that stands where an address says its host: a name of the DNS (253), a dot at its end, and a port. */
const MAX_AUTHORITY = 260;
/** Scheme, slashes, and what is behind them: a backslash is a slash, and there may be any number of them. */
const AHEAD = /^(?:([a-z][a-z0-9+.-]*):)?([\\/]*)([^\\/?#]*)/i;

/**
 * An address up to the end of its host, as parsers of URLs read it (url.spec.whatwg.org): `//a.test` of `//a.test/b`, and
 * nothing of one that names no host. Undefined when it is none of the web, or its host is longer than any that leads
 * somewhere: reading one takes time by the square of its length.
 */
export function upToHost(address: string): string | undefined {
  // Blanks ahead mean nothing, nor do tabs and line breaks anywhere.
  const text = address.replace(/^[\0- ]+/, '').replace(/[\t\n\r]/g, '');
  const [ahead = '', scheme = '', slashes = '', authority = ''] = AHEAD.exec(text) ?? [];
  if (scheme === '' && slashes.length < 2) return '';
  if (scheme !== '' && !/^https?$/i.test(scheme)) return undefined;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return host.length > MAX_AUTHORITY ? undefined : ahead;
}

/** An address of the web with a host that may lead somewhere, parsed once; undefined for any other. */
export function webUrl(address: string, base?: URL | string): URL | undefined {
  if (upToHost(address) === undefined) return undefined;
  try {
    const url = new URL(address, base);
    return /^https?:$/.test(url.protocol) && isHostLength(url.hostname) ? url : undefined;
  } catch {
    return undefined;
  }
}
