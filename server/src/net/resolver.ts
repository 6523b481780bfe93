import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { setMaxListeners } from 'node:events';
import { isIP } from 'node:net';
import { HOSTS_FILE, hostsFile } from './hosts-file';
import { fullNames } from './search-list';

/** Resolves a name to all of its addresses. Gives up, at the latest, when the signal says so. */
export type Lookup = (name: string, signal?: AbortSignal) => Promise<LookupAddress[]>;

/** How long the answer to a name may take in all, in milliseconds: less than a connection may. */
const ANSWER_MS = 4_000;
/** How long a name server may take before it, or the next one, is asked again. */
const SERVER_MS = 1_500;
const TRIES = 2;
/** How long the other family of addresses is waited for when one is there (RFC 8305, 3, asks for 50). */
const OTHER_FAMILY_MS = 300;
/** Answers of a name server that say for sure that there is nothing. */
const MISSING = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ENONAME']);

export interface NameResolver {
  lookup: Lookup;
  /** The texts that a name publishes; none when there are none. Throws when nobody knows. */
  texts(name: string, signal?: AbortSignal): Promise<string[]>;
}

export interface ResolverOptions {
  /** DNS_SERVERS; empty: those of the system. */
  servers?: readonly string[];
  hostsPath?: string;
  resolvConf?: string;
}

/**
 * Asks the DNS by c-ares, which waits for any number of silent name servers without a thread, and can be
 * told to stop: getaddrinfo holds one of the few threads of this process for half a minute. Like it, this
 * reads the hosts file first, knows `localhost` (RFC 6761), and completes short names by the search list.
 * Every question has a channel of its own, so that it is cancelled alone and sees today's name servers.
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

/** Runs questions until they are answered, the time is over, or the signal fires: then they are cancelled. */
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

/** Both families at once; IPv4 stands first, since of a machine's two networks it is the one that works. */
async function askBoth(resolver: Resolver, name: string, errors: unknown[]): Promise<LookupAddress[]> {
  const found: LookupAddress[] = [];
  let timer: NodeJS.Timeout | undefined;
  const ask = async (family: 4 | 6): Promise<void> => {
    try {
      const addresses = await (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name));
      found.push(...addresses.map((address) => ({ address, family })));
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

/** Codes as getaddrinfo has them: a name server that refuses must not look like a receiver that does. */
function unresolved(errors: readonly unknown[], isOver: boolean): Error {
  const isSure = !isOver && errors.length > 0 && errors.every(isMissing);
  const code = isSure ? 'ENOTFOUND' : 'EAI_AGAIN';
  return Object.assign(new Error('the name does not resolve'), { code });
}
