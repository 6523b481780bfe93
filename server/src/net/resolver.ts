import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { setMaxListeners } from 'node:events';
import { isIP } from 'node:net';
import { HOSTS_FILE, hostsFile } from './hosts-file';
import { fullNames } from './search-list';

/** Resolves a name to all its addresses. Stops at the latest when the signal fires. */
export type Lookup = (name: string, signal?: AbortSignal) => Promise<LookupAddress[]>;

/** How long resolving a name may take in total, in milliseconds: less than a connection may. */
const ANSWER_MS = 4_000;
/** How long a name server may take before the query is repeated or sent to the next one. */
const SERVER_MS = 1_500;
const TRIES = 2;
/** How long to wait for the other address family once one has arrived (RFC 8305, section 3, asks for 50). */
const OTHER_FAMILY_MS = 300;
/** Addresses of each family that anybody looks at: a name may have thousands, and each is checked and tried. */
const ADDRESSES = 8;
/** Error codes that definitely mean no record. */
const MISSING = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ENONAME']);

export interface NameResolver {
  lookup: Lookup;
  /** The TXT records of a name, possibly none. Throws when the query fails. */
  texts(name: string, signal?: AbortSignal): Promise<string[]>;
}

export interface ResolverOptions {
  /** DNS_SERVERS; empty: those of the system. */
  servers?: readonly string[];
  hostsPath?: string;
  resolvConf?: string;
}

/**
 * Queries the DNS with c-ares, which needs no thread while it waits for silent name servers and can be
 * cancelled; getaddrinfo blocks one of the process's few threads for half a minute. Like getaddrinfo, this
 * reads the hosts file first, knows `localhost` (RFC 6761), and completes short names with the search list.
 * Every query has its own channel, so that it can be cancelled separately and uses the current name servers.
 */
export function createResolver(options: ResolverOptions = {}): NameResolver {
  const { servers = [], hostsPath = HOSTS_FILE, resolvConf } = options;
  const listed = hostsFile(hostsPath);
  return {
    lookup: async (host, signal) => {
      const name = host.toLowerCase();
      const here = await listed(name.replace(/\.$/, ''));
      if (here.length > 0) return here.map((address) => ({ address, family: isIP(address) }));
      if (/(^|\.)localhost\.?$/.test(name)) return LOOPBACK;
      const names = await fullNames(name, resolvConf);
      return within(signal, servers, async (resolver, over) => {
        const errors: unknown[] = [];
        for (const full of names) {
          if (over()) break;
          const found = await askBoth(resolver, full, errors);
          if (found.length > 0) return found;
        }
        throw unresolved(errors, over());
      });
    },
    texts: (name, signal) =>
      within(signal, servers, async (resolver, over) => {
        try {
          return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
        } catch (error) {
          if (isMissing(error) && !over()) return [];
          throw unresolved([error], over());
        }
      }),
  };
}

const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Runs queries until they are answered; cancels them on timeout or when the signal fires. */
async function within<T>(
  signal: AbortSignal | undefined,
  servers: readonly string[],
  ask: (resolver: Resolver, over: () => boolean) => Promise<T>,
): Promise<T> {
  const resolver = new Resolver({ timeout: SERVER_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  let over = signal?.aborted ?? false;
  const stop = (): void => {
    over = true;
    resolver.cancel();
  };
  const timer = setTimeout(stop, ANSWER_MS);
  if (signal !== undefined) setMaxListeners(0, signal);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await ask(resolver, () => over);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** Both families at once, IPv4 first, because it is more likely to work. */
async function askBoth(resolver: Resolver, name: string, errors: unknown[]): Promise<LookupAddress[]> {
  const found: LookupAddress[] = [];
  let timer: NodeJS.Timeout | undefined;
  const ask = async (family: 4 | 6): Promise<void> => {
    try {
      const addresses = await (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name));
      found.push(...addresses.slice(0, ADDRESSES).map((address) => ({ address, family })));
      timer ??= setTimeout(() => resolver.cancel(), OTHER_FAMILY_MS);
    } catch (error) {
      errors.push(error);
    }
  };
  await Promise.all([ask(4), ask(6)]);
  clearTimeout(timer);
  return found.sort((a, b) => a.family - b.family);
}

const isMissing = (error: unknown): boolean => MISSING.has(String((error as { code?: unknown }).code));

/** Codes as in getaddrinfo: a refusing name server must not look like a refusing receiver. */
function unresolved(errors: readonly unknown[], isOver: boolean): Error {
  const isSure = !isOver && errors.length > 0 && errors.every(isMissing);
  const code = isSure ? 'ENOTFOUND' : 'EAI_AGAIN';
  return Object.assign(new Error('the name does not resolve'), { code });
}
