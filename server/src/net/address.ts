import { BlockList, isIP, isIPv6 } from 'node:net';

/** An address in canonical form: IPv4-mapped IPv6 becomes IPv4, and a zone is removed. */
export interface Address {
  text: string;
  family: 'ipv4' | 'ipv6';
  /** The IPv4 address that a translator makes of this IPv6 address. */
  embedded: string | undefined;
}

/**
 * Undefined for what is not an address in the usual notation (127.1 and 0x7f.1 are not: WHATWG URL rewrites
 * them before).
 */
export function readAddress(text: string): Address | undefined {
  const bare = text.split('%', 1)[0] as string;
  if (!isIPv6(bare))
    return isIP(bare) === 4 ? { text: bare, family: 'ipv4', embedded: undefined } : undefined;
  const groups = groupsOf(bare);
  const inner = ipv4Of(groups);
  switch (groups.slice(0, 6).join(':')) {
    case '0:0:0:0:0:ffff':
      return { text: inner, family: 'ipv4', embedded: undefined };
    case '0:0:0:0:0:0':
      // :: and ::1 are addresses of their own.
      return { text: bare, family: 'ipv6', embedded: groups[6] === '0' ? undefined : inner };
    case '0:0:0:0:ffff:0':
    case '64:ff9b:0:0:0:0':
      return { text: bare, family: 'ipv6', embedded: inner };
    default:
      return { text: bare, family: 'ipv6', embedded: undefined };
  }
}

/**
 * A network such as `10.0.0.0/8` or `fd00:1::/64`; a single address stands for itself.
 * Throws an `Error` whose message completes "set it to …".
 */
export function readNetwork(cidr: string): (address: Address) => boolean {
  const [text = '', length, more] = cidr.trim().split('/');
  const bits = isIP(text) === 4 ? 32 : 128;
  const prefix = length === undefined ? bits : Number(length);
  if (
    isIP(text) === 0 ||
    more !== undefined ||
    !/^\d{0,3}$/.test(length ?? '') ||
    length === '' ||
    prefix > bits
  )
    throw new Error('networks such as 10.0.0.0/8 and fd00:1::/64, separated by commas');
  const family = bits === 32 ? 'ipv4' : 'ipv6';
  if (readAddress(text)?.family !== family)
    throw new Error('the IPv4 network itself instead of ::ffff:0:0/96');
  const list = new BlockList();
  list.addSubnet(text, prefix, family);
  // A BlockList lets an IPv6 network match IPv4 addresses; ::/0 must not open them.
  return (address) => address.family === family && list.check(address.text, family);
}

/** The eight groups of a valid IPv6 address, lower-case hex without leading zeros. */
function groupsOf(address: string): string[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const left = head === '' ? [] : head.split(':');
  if (tail === undefined) return left;
  const right = tail === '' ? [] : tail.split(':');
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
}

function ipv4Of(groups: string[]): string {
  const value = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return value.flatMap((group) => [group >> 8, group & 255]).join('.');
}
