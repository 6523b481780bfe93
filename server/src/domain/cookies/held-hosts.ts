import { isHostLength, MAX_HOSTS } from './result';

/** Names of this length or less, of the characters that addresses have. */
const HOST = /^[a-z0-9.-]+$/;
/** The longest text that is read: what pages say is theirs. */
const MOST = 60_000;

/** Hosts from which a page says that its banner holds something; pages may say anything. */
export function readHosts(said: unknown): string[] {
  if (typeof said !== 'string' || said.length > MOST) return [];
  try {
    const hosts: unknown = JSON.parse(said);
    return Array.isArray(hosts) ? keepHosts(hosts) : [];
  } catch {
    return [];
  }
}

/** Those that are hosts, each once. */
export const keepHosts = (hosts: readonly unknown[]): string[] =>
  [
    ...new Set(
      hosts.filter(
        (host): host is string => typeof host === 'string' && isHostLength(host) && HOST.test(host),
      ),
    ),
  ]
    .slice(0, MAX_HOSTS)
    .sort();
