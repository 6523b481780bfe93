import { setImmediate as turn } from 'node:timers/promises';
import { isKnownHost } from '../domain/cookies/classification';
import { isHostLength, MAX_HOSTS } from '../domain/cookies/result';
import { hostOf } from '../net/target';
import { BANNER_SOURCE } from './banner-probe';
import { PageTokens, type Resource } from './page-tokens';

/** How much of a page is read, in UTF-16 units. */
export const MAX_SOURCE = 2 * 1024 * 1024;
/** How much is read before yielding to the event loop. */
const PIECE = 16 * 1024;
/** The overlap of pieces, longer than any host name or banner keyword, so that none is missed at a cut. */
const OVERLAP = 300;
/** The maximum number of names in inline scripts that are looked up. */
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
  // A path as long as a request allows would be read once more for each resource.
  const origin = URL.canParse('/', base) ? new URL('/', base).href : base;
  const tokens = new PageTokens(text, (resource) => noteHost(hosts, resource, origin));
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

/** The scripts that a page's source loads. */
export async function scriptsOf(html: string, base: string, signal?: AbortSignal): Promise<string[]> {
  const text = html.slice(0, MAX_SOURCE);
  const scripts: string[] = [];
  const tokens = new PageTokens(text, ({ address, tag }) => {
    if (tag === 'script' && scripts.length < MAX_NAMED && URL.canParse(address, base))
      scripts.push(new URL(address, base).href);
  });
  for (let at = 0; at < text.length && !signal?.aborted; at += PIECE) {
    tokens.write(text.slice(at, at + PIECE));
    await turn();
  }
  tokens.end();
  return scripts;
}

async function* pieces(text: string, signal: AbortSignal | undefined): AsyncGenerator<string> {
  for (let at = 0; at < text.length && !signal?.aborted; at += PIECE) {
    yield text.slice(at, at + PIECE + OVERLAP);
    await turn();
  }
}

function noteHost(hosts: Set<string>, { address }: Resource, origin: string): void {
  if (hosts.size >= MAX_HOSTS || !URL.canParse(address, origin)) return;
  const url = new URL(address, origin);
  const host = hostOf(url);
  if (/^https?:$/.test(url.protocol) && isHostLength(host)) hosts.add(host);
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
