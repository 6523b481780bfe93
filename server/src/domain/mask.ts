import { isIPv4, isIPv6 } from 'node:net';

/**
 * Masks an address so that it identifies no household: IPv4 keeps two octets, IPv6 the first 48 bits (GDPR Art.
 * 25). `203.0.113.9` becomes `203.0.***.***`, `2001:db8:85a3::1` becomes
 * `2001:db8:85a3:****:****:****:****:****`.
 */
export function maskAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  const octets = /^::ffff:([0-9a-f]{1,4}):[0-9a-f]{1,4}$/i.exec(address)?.[1];
  if (octets !== undefined)
    return `${Number.parseInt(octets, 16) >> 8}.${Number.parseInt(octets, 16) & 255}.***.***`;
  if (isIPv4(mapped)) {
    const [a, b] = mapped.split('.');
    return `${a}.${b}.***.***`;
  }
  const bare = withoutZone(mapped);
  if (!isIPv6(bare)) return '***.***.***.***';
  return `${firstGroups(bare, 3).join(':')}:****:****:****:****:****`;
}

/**
 * The stored part of a User-Agent: printable characters only, because headers arrive as Latin-1, up to a
 * limit.
 */
export const keptAgent = (text: string): string => text.replace(/[^\x20-\x7e\xa0-\xff]/g, '').slice(0, 512);

/**
 * The network that counts as one sender: the first 64 bits of IPv6, the whole of IPv4, also where it is
 * written as IPv6. For limits only: never store or log it.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const bare = withoutZone(address).toLowerCase();
  if (!isIPv6(bare)) return address;
  const groups = allGroups(bare);
  if (groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff') return mappedIn(groups);
  return groups.slice(0, 4).join(':');
}

/**
 * The block of networks that is usually given to one customer: the first 48 bits of IPv6, the whole of IPv4.
 * For limits only, as the network.
 */
export const blockOf = (address: string): string => networkOf(address).split(':').slice(0, 3).join(':');

/**
 * The network whose senders take turns as one: the first 64 bits of IPv6, the first 24 of IPv4. Kept as a
 * keyed fingerprint only.
 */
export function subnetOf(address: string): string {
  const network = networkOf(address);
  return isIPv4(network) ? network.replace(/\.\d+$/, '') : network;
}

/**
 * The networks around an address of which one customer, or one page's owner, may have any number at no cost: the first 48
 * bits of IPv6, the first 24 of IPv4.
 */
export const groupOf = (address: string): string => subnetOf(address).split(':').slice(0, 3).join(':');

/** The IPv4 address in the last groups of `::ffff:203.0.113.9` or `::ffff:cb00:7109`. */
function mappedIn(groups: readonly string[]): string {
  const [high = '', low] = groups.slice(6);
  if (low === undefined) return high;
  const bits = (Number.parseInt(high, 16) << 16) | Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}

const withoutZone = (address: string): string => address.split('%', 1)[0] as string;

const firstGroups = (address: string, count: number): string[] =>
  allGroups(address.toLowerCase()).slice(0, count);

/** Every group without leading zeros; an IPv4 address at the end stays one group. */
function allGroups(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const places = 8 - left.length - right.length - ((right.at(-1) ?? '').includes('.') ? 1 : 0);
  // With `::` the groups that are not written are zero.
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, places)).fill('0');
  return [...left, ...zeros, ...right].map((group) => group.replace(/^0+(.)/, '$1'));
}
