import { FairQueue } from '../../server/src/webhooks/fair-queue';
import { SendingSlots } from '../../server/src/webhooks/sending-slots';

const ANYBODY = { account: () => true, site: () => true, webhook: () => 'now' as const };

/** Everybody who waits, in the order of their turns. */
function served(queue: FairQueue, admission: Parameters<FairQueue['next']>[0] = ANYBODY): string[] {
  const order: string[] = [];
  for (let next = queue.next(admission); next !== undefined; next = queue.next(admission))
    order.push(next.webhookId);
  return order;
}

describe('who waits is served', () => {
  test('by turns of the accounts, and of the sites of one', () => {
    const queue = new FairQueue();
    for (let n = 1; n <= 4; n += 1) queue.add(`big ${n}`, { site: 'big', account: 'one' });
    queue.add('small 1', { site: 'small', account: 'one' });
    queue.add('other 1', { site: 'other', account: 'two' });
    expect(served(queue)).toEqual(['big 1', 'other 1', 'small 1', 'big 2', 'big 3', 'big 4']);
    expect(queue.next(ANYBODY)).toBeUndefined();
  });

  test('once, however often it is added', () => {
    const queue = new FairQueue();
    for (let n = 0; n < 3; n += 1) queue.add('a', { site: 's', account: 'x' });
    expect(served(queue)).toEqual(['a']);
  });

  test('whoever may not be served keeps its place and nobody back', () => {
    const queue = new FairQueue();
    queue.add('a', { site: 'full', account: 'x' });
    queue.add('b', { site: 'free', account: 'x' });
    queue.add('c', { site: 'any', account: 'full' });
    queue.add('d', { site: 'busy', account: 'y' });
    queue.add('e', { site: 'busy', account: 'y' });
    const admission = {
      account: (account: string) => account !== 'full',
      site: (site: string) => site !== 'full',
      webhook: (webhook: string) => (webhook === 'd' ? ('later' as const) : ('now' as const)),
    };
    expect(served(queue, admission).sort()).toEqual(['b', 'e']);
    expect(served(queue).sort()).toEqual(['a', 'c', 'd']);
  });

  test('one that will be added again is forgotten until then', () => {
    const queue = new FairQueue();
    queue.add('a', { site: 's', account: 'x' });
    expect(served(queue, { ...ANYBODY, webhook: () => 'never' })).toEqual([]);
    expect(served(queue)).toEqual([]);
  });
});

describe('slots', () => {
  /** Takes one slot for a new webhook after the other, until there is none. */
  const fill = (slots: SendingSlots, site: string, account: string): number => {
    let count = 0;
    while (slots.take(`${site} ${account} ${count}`, { site, account }) > 0) count += 1;
    return count;
  };

  test('of one site are half of all, of one account three quarters, however many webhooks it has', () => {
    const slots = new SendingSlots();
    expect(fill(slots, 'a', 'one')).toBe(32);
    expect(fill(slots, 'b', 'one')).toBe(16);
    expect(fill(slots, 'c', 'one')).toBe(0);
    expect(slots.full).toBe(false);
  });

  test('are left for the next account, however many have taken all that they may', () => {
    const slots = new SendingSlots();
    for (let n = 0; n < 6; n += 1) {
      expect(fill(slots, `site ${n}`, `account ${n}`)).toBeGreaterThan(0);
    }
  });

  test('of accounts that keep taking become equal as deliveries end', () => {
    const slots = new SendingSlots();
    const held: Record<string, string[]> = { one: [], two: [] };
    let made = 0;
    const take = (account: string) => {
      const id = `${account} ${made++}`;
      if (slots.take(id, { site: account, account }) > 0) held[account]?.push(id);
    };
    for (let n = 0; n < 64; n += 1) take('one');
    for (let n = 0; n < 200; n += 1) {
      for (const account of ['two', 'one']) {
        const id = held[account]?.shift();
        if (id !== undefined) slots.end(id, { site: account, account }, true);
        take(account);
        take(account);
      }
    }
    const [one, two] = [held.one?.length ?? 0, held.two?.length ?? 0];
    expect(Math.abs(one - two)).toBeLessThanOrEqual(2);
    expect(one + two).toBeLessThan(64);
  });

  test('of a webhook double with each success, up to eight, and are one again after a failure', () => {
    const slots = new SendingSlots();
    const tenant = { site: 's', account: 'a' };
    const taken: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      taken.push(slots.take('w', tenant));
      slots.end('w', tenant, true);
    }
    expect(taken).toEqual([1, 2, 3, 5]);
    slots.end('w', tenant, false);
    expect(slots.take('w', tenant)).toBe(0);
  });
});
