import { createHash } from 'node:crypto';
import { BlockList, isIPv6 } from 'node:net';
import { blockOf, groupOf } from '../domain/mask';
import { DAY_MS } from '../domain/time';

/** Mails that requests from one block of addresses cause of one site in a day, of the 500 of all strangers. */
export const OF_ONE_BLOCK = 25;
/** The same to one mailbox, of all sites: a third of what strangers can have sent there, so that no network uses up all. */
export const TO_ONE_MAILBOX = 5;
/** And of one site, whose strangers can have five sent there: who asks for it themselves, from elsewhere, is left three. */
export const OF_ONE_SITE = 2;
/** Addresses of a proxy that nobody trusts, behind which all have one: it says nothing of who asks. */
const PROXIES = new BlockList();
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  PROXIES.addSubnet(network, bits, 'ipv4');
PROXIES.addSubnet('fc00::', 7, 'ipv6');
PROXIES.addAddress('::1', 'ipv6');

/** Blocks and sites that are counted at once; beyond them those that came first are forgotten. */
const MOST = 100_000;

/**
 * Counts, in one process, the mails that strangers cause by where they come from, so that nobody uses up all that a
 * site sends in a day. Kept in memory alone: whence a request came is stored nowhere.
 */
export class StrangerShare {
  private readonly counts = new Map<string, number>();
  private end = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Counts one mail to a mailbox; false when the block has caused its share of the site, or the network (/24, /48 of IPv6:
   * addresses of one cost little) its share of the mailbox.
   */
  take(site: string, address: string, mailbox: string): boolean {
    if (this.now() >= this.end) {
      this.counts.clear();
      this.end = this.now() + DAY_MS;
    }
    const [block, network] = [blockOf(address), groupOf(address)];
    const whose = createHash('sha256').update(mailbox).digest('base64url');
    const isProxy = PROXIES.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
    if (!isProxy && !this.count(`${whose} ${network} ${site}`, OF_ONE_SITE)) return false;
    if (!isProxy && !this.count(`${whose} ${network}`, TO_ONE_MAILBOX)) return false;
    return this.count(`${site} ${block}`, OF_ONE_BLOCK);
  }

  private count(key: string, most: number): boolean {
    const count = (this.counts.get(key) ?? 0) + 1;
    if (count > most) return false;
    if (count === 1 && this.counts.size >= MOST)
      this.counts.delete(this.counts.keys().next().value as string);
    this.counts.set(key, count);
    return true;
  }
}
