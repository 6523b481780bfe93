import { isIPv4, isIPv6 } from 'node:net';

/**
 * Masks an address so that it names no household: IPv4 keeps two octets, IPv6 the first 48 bits (GDPR Art. 25).
 * `203.0.113.9` becomes `203.0.***.***`, `2001:db8:85a3::1` becomes `2001:db8:85a3:****:****:****:****:****`.
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
  const bare = mapped.replace(/%.*$/, '');
  if (!isIPv6(bare)) return '***.***.***.***';
  return `${firstGroups(bare, 3).join(':')}:****:****:****:****:****`;
}

/** Who may send from many addresses is one sender: of IPv6 the first 64 bits, the whole of IPv4. For limits only: never store or log it. */
export function networkOf(address: string): string {
  return isIPv6(address) && !address.includes('.')
    ? firstGroups(address.replace(/%.*$/, ''), 4).join(':')
    : address;
}

function firstGroups(address: string, count: number): string[] {
  const [head = '', tail] = address.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  // With `::` the groups that are not written are zero.
  const all = tail === undefined ? left : [...left, ...Array(8).fill('0')];
  return all.slice(0, count).map((group) => group.replace(/^0+(?=.)/, ''));
}
