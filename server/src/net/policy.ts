import { readAddress, readNetwork } from './address';
import { shared } from './lookups';
import { CLOSED, type NamedNetwork, SPECIAL } from './networks';
import { createResolver, type Lookup } from './resolver';

export type { Lookup } from './resolver';

/** Which hosts may be reached. Webhook receivers and cookie scans have separate policies. */
export interface Policy {
  readonly allowHttp: boolean;
  readonly lookup: Lookup;
  /** Why an address is refused, for instance `loopback, RFC 1122`; undefined: it may be connected to. */
  check(address: string): string | undefined;
  /** Whether the operator opened the address: it is then more than public. */
  opened(address: string): boolean;
  /** Whether the operator opened anything at all. */
  readonly opensAny: boolean;
  /** Whether this port of an address may be connected to. */
  allowsPort(port: number, address: string): boolean;
}

export interface PolicyOptions {
  /** WEBHOOK_ALLOW_NETWORKS: networks that are open although they are not public. */
  allowNetworks: string[];
  /** WEBHOOK_ALLOW_HTTP */
  allowHttp: boolean;
  /** Defaults to the system's name servers, without a limit of queries. */
  lookup?: Lookup;
  /** The only ports, but for addresses that the operator opened; unset: any port. */
  ports?: readonly number[];
}

/** Throws an `Error` for a network that cannot be read (see `readNetwork`). */
export function createPolicy(options: PolicyOptions): Policy {
  const allowed = options.allowNetworks.map(readNetwork);
  const reasonIn = (networks: readonly Matcher[], address: NonNullable<ReturnType<typeof readAddress>>) =>
    networks.find(({ contains }) => contains(address))?.name;
  const opened = (text: string): boolean => {
    const address = readAddress(text);
    return (
      address !== undefined && allowed.some((contains) => contains(address)) && check(text) === undefined
    );
  };
  const check = (text: string): string | undefined => {
    const address = readAddress(text);
    if (address === undefined) return 'not an IP address';
    const closed = reasonIn(CLOSED_NETWORKS, address);
    if (closed !== undefined) return closed;
    if (!allowed.some((contains) => contains(address))) return reasonIn(SPECIAL_NETWORKS, address);
    // An allowed translation prefix must not lead to blocked networks.
    return address.embedded === undefined ? undefined : check(address.embedded);
  };
  const { allowHttp, lookup = createResolver().lookup, ports } = options;
  const allowsPort = (port: number, address: string): boolean =>
    ports === undefined || ports.includes(port) || opened(address);
  return { allowHttp, lookup: shared(lookup), check, opened, opensAny: allowed.length > 0, allowsPort };
}

interface Matcher {
  name: string;
  contains: ReturnType<typeof readNetwork>;
}

const matchers = (networks: readonly NamedNetwork[]): Matcher[] =>
  networks.map(([cidr, name]) => ({ name, contains: readNetwork(cidr) }));

const CLOSED_NETWORKS = matchers(CLOSED);
const SPECIAL_NETWORKS = matchers(SPECIAL);
