import { setImmediate as turn } from 'node:timers/promises';
import { isKnownHost } from '../domain/cookies/classification';
import { MAX_HOSTS } from '../domain/cookies/result';
import { upToHost, webUrl } from '../domain/web-address';
import { hostOf } from '../net/target';
import { BANNER_SOURCE } from './banner-probe';
import { PageTokens } from './page-tokens';

/** How much of a page is read, in UTF-16 units. */
export const MAX_SOURCE = 2 * 1024 * 1024;
/** How much is read before yielding to the event loop. */
const PIECE = 16 * 1024;
/** The overlap of pieces, longer than any host name or banner keyword, so that none is missed at a cut. */
const OVERLAP = 300;
/** The maximum number of names in inline scripts that are looked up, of hosts that addresses name, and of scripts. */
const MAX_NAMED = 10_000;
/** A host name in the code of a snippet, after the slashes of its URL. */
const NAMED = /\/\/([a-z0-9.-]{4,253})[/'"]/gi;

/**
 * Hosts that a page's source makes a browser contact, and whether it has a banner; scripts are not run. The
 * source is untrusted: reading it takes linear time and yields to other work.
 */
export async function readSource(
  html: string,
  base: string,
  signal?: AbortSignal,
): Promise<{ hosts: string[]; banner: boolean }> {
  const text = html.slice(0, MAX_SOURCE);
  const hosts = new Set<string>();
  const origin = originOf(base);
  const named = new Set<string>();
  const tokens = new PageTokens(text, ({ address }) => noteHost(hosts, named, address, origin));
  for (let at = 0; at < text.length && !signal?.aborted; at += PIECE) {
    tokens.write(text.slice(at, at + PIECE));
    await turn();
  }
  tokens.end();
  for await (const piece of pieces(tokens.code(), signal)) noteSnippets(hosts, piece);
  let banner = false;
  for await (const piece of pieces(tokens.outsideComments(), signal)) {
    banner = BANNER_SOURCE.test(piece);
    if (banner) break;
  }
  return { hosts: [...hosts], banner };
}

/** Whether a page's source loads a script that is the one. None is kept: there may be thousands. */
export async function loadsScript(
  html: string,
  base: string,
  isIt: (script: URL) => boolean,
  signal?: AbortSignal,
): Promise<boolean> {
  const text = html.slice(0, MAX_SOURCE);
  const origin = originOf(base);
  let scripts = 0;
  let found = false;
  const tokens = new PageTokens(text, ({ address, tag }) => {
    if (tag !== 'script' || found || scripts >= MAX_NAMED) return;
    scripts += 1;
    const script = webUrl(address, origin);
    found = script !== undefined && isIt(script);
  });
  for (let at = 0; at < text.length && !found && !signal?.aborted; at += PIECE) {
    tokens.write(text.slice(at, at + PIECE));
    await turn();
  }
  tokens.end();
  return found;
}

/** Its path would be read once more for each address of the page. */
const originOf = (base: string): string => webUrl('/', base)?.href ?? base;

async function* pieces(text: string, signal: AbortSignal | undefined): AsyncGenerator<string> {
  for (let at = 0; at < text.length && !signal?.aborted; at += PIECE) {
    yield text.slice(at, at + PIECE + OVERLAP);
    await turn();
  }
}

/** Notes the host of an address that names one; others are of the page's own, which whoever asked for it knows. */
function noteHost(hosts: Set<string>, named: Set<string>, address: string, origin: string): void {
  if (hosts.size >= MAX_HOSTS || named.size >= MAX_NAMED) return;
  const own = upToHost(address);
  if (own === undefined || own === '' || named.has(own)) return;
  named.add(own);
  const url = webUrl(own, origin);
  if (url !== undefined) hosts.add(hostOf(url));
}

/** Snippets load their script from code, so known hosts are searched in it. */
function noteSnippets(hosts: Set<string>, code: string): void {
  let named = 0;
  for (const [, name = ''] of code.matchAll(NAMED)) {
    if (hosts.size >= MAX_HOSTS || named >= MAX_NAMED) return;
    named += 1;
    if (isKnownHost(name)) hosts.add(name.toLowerCase());
  }
}
