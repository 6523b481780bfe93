import type { Placed } from '../../server/src/db/tenants';
import { type Admission, FairQueue, type Room } from '../../server/src/webhooks/fair-queue';
import { SendingSlots } from '../../server/src/webhooks/sending-slots';

const ANYBODY: Admission = { room: () => 'more', webhook: () => 'now' };

const of = (site: string, account: string, maker = 'founder'): Placed => ({ site, account, maker });

/** Everybody who waits, in the order of their turns. */
function served(queue: FairQueue, admission: Admission = ANYBODY): string[] {
  const order: string[] = [];
  for (let next = queue.next(admission); next !== undefined; next = queue.next(admission))
    order.push(next.webhookId);
  return order;
}

describe('who waits is served', () => {
  test('by turns of the accounts, and of the sites of one', () => {
    const queue = new FairQueue();
    for (let n = 1; n <= 4; n += 1) queue.add(`big ${n}`, of('big', 'one'));
    queue.add('small 1', of('small', 'one'));
    queue.add('other 1', of('other', 'two'));
    expect(served(queue)).toEqual(['big 1', 'other 1', 'small 1', 'big 2', 'big 3', 'big 4']);
    expect(queue.next(ANYBODY)).toBeUndefined();
  });

  test('by turns of whoever began an account, whom they invited, and whom these invited', () => {
    const queue = new FairQueue();
    for (let n = 1; n <= 3; n += 1) queue.add(`second ${n}`, of(`s${n}`, 'one', `by invited ${n}`));
    for (let n = 1; n <= 3; n += 1) queue.add(`first ${n}`, of(`f${n}`, 'one', 'account 1'));
    queue.add('first 4', of('f4', 'one', 'account 2'));
    for (let n = 1; n <= 2; n += 1) queue.add(`own ${n}`, of('o', 'one'));
    expect(served(queue)).toEqual([
      ...['second 1', 'first 1', 'own 1', 'second 2', 'first 4', 'own 2', 'second 3', 'first 2', 'first 3'],
    ]);
  });

  test('whoever of an account has nothing yet comes before those that have', () => {
    const queue = new FairQueue();
    for (let n = 1; n <= 3; n += 1) queue.add(`busy ${n}`, of(`b${n}`, 'one'));
    queue.add('idle', of('idle', 'one'));
    queue.add('other', of('any', 'two'));
    const room = (place: readonly string[]): Room => (place.at(-1) === 'idle' ? 'first' : 'more');
    expect(served(queue, { ...ANYBODY, room })).toEqual(['idle', 'other', 'busy 1', 'busy 2', 'busy 3']);
  });

  test('once, however often it is added', () => {
    const queue = new FairQueue();
    for (let n = 0; n < 3; n += 1) queue.add('a', of('s', 'x'));
    expect(served(queue)).toEqual(['a']);
  });

  test('whoever may not be served keeps its place and nobody back', () => {
    const queue = new FairQueue();
    queue.add('a', of('full', 'x'));
    queue.add('b', of('free', 'x'));
    queue.add('c', of('any', 'full'));
    queue.add('d', of('busy', 'y'));
    queue.add('e', of('busy', 'y'));
    const admission: Admission = {
      room: (place) => (place.at(-1) === 'full' ? 'none' : 'more'),
      webhook: (webhook) => (webhook === 'd' ? 'later' : 'now'),
    };
    expect(served(queue, admission).sort()).toEqual(['b', 'e']);
    expect(served(queue).sort()).toEqual(['a', 'c', 'd']);
  });

  test('after a few looks, however many wait', () => {
    const queue = new FairQueue();
    for (let n = 0; n < 5_000; n += 1) queue.add(`${n}`, of(`site ${n}`, `${n}`));
    let looks = 0;
    const room = (): Room => {
      looks += 1;
      return 'more';
    };
    expect(queue.next({ ...ANYBODY, room })?.webhookId).toBe('0');
    // The account, its part, who made the site, and the site.
    expect(looks).toBe(4);
  });

  test('one that will be added again is forgotten until then', () => {
    const queue = new FairQueue();
    queue.add('a', of('s', 'x'));
    expect(served(queue, { ...ANYBODY, webhook: () => 'never' })).toEqual([]);
    expect(served(queue)).toEqual([]);
  });
});

describe('slots', () => {
  /** Takes one slot for a new webhook after the other, until there is none. */
  const fill = (slots: SendingSlots, site: string, account: string, maker?: string): number => {
    let count = 0;
    while (slots.take(`${site} ${account} ${count}`, of(site, account, maker)) > 0) count += 1;
    return count;
  };

  test('of one site are half of all, of one account three quarters, however many webhooks it has', () => {
    const slots = new SendingSlots();
    expect(fill(slots, 'a', 'one')).toBe(32);
    expect(fill(slots, 'b', 'one')).toBe(16);
    expect(fill(slots, 'c', 'one')).toBe(0);
    expect(slots.full).toBe(false);
  });

  test('of all whom an account has invited are half of its part, and of those whom these invited half of that', () => {
    const slots = new SendingSlots();
    expect(fill(slots, 'a', 'one', 'by invited 1') + fill(slots, 'b', 'one', 'by invited 2')).toBe(12);
    expect(fill(slots, 'c', 'one', 'account 1') + fill(slots, 'd', 'one', 'account 2')).toBe(12);
    expect(fill(slots, 'e', 'one', 'by invited 3')).toBe(0);
    expect(fill(slots, 'f', 'one') + fill(slots, 'g', 'one')).toBe(24);
    expect(slots.shared.free).toBe(16);
  });

  test('are left for whoever began an account, also when others have taken what is not its own since', () => {
    const slots = new SendingSlots();
    expect(fill(slots, 'a', 'one', 'account 1')).toBe(24);
    for (let n = 0; n < 4; n += 1) fill(slots, `site ${n}`, `account ${n}`);
    expect(fill(slots, 'b', 'one', 'account 2')).toBe(0);
    expect(fill(slots, 'c', 'one')).toBeGreaterThan(0);
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
      if (slots.take(id, of(account, account)) > 0) held[account]?.push(id);
    };
    for (let n = 0; n < 64; n += 1) take('one');
    for (let n = 0; n < 200; n += 1) {
      for (const account of ['two', 'one']) {
        const id = held[account]?.shift();
        if (id !== undefined) slots.end(id, of(account, account), true);
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
    const tenant = of('s', 'a');
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
