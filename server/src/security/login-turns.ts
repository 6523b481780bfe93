import { emailKey } from '../domain/email-keys';
import { FairTurns, type Sender } from '../domain/fair-turns';
import { blockOf, networkOf } from '../domain/mask';

/**
 * Turns of one process. Known people and strangers have two each of the thread pool's four threads, so that
 * no number of strangers takes all; looks are short reads, which tell the ones from the others. What a log-in writes may
 * wait for a lock, and keeps no look waiting.
 */
const TURNS = {
  looks: new FairTurns(2, { each: 100, all: 1_000 }),
  entries: new FairTurns(2),
  known: new FairTurns(2),
  strangers: new FairTurns(2),
};

/** Who asks for something that costs a hash, and whose turn it takes. */
export interface Asking {
  turns: keyof typeof TURNS;
  sender: Sender;
}

/** Somebody from anywhere: blocks of addresses take turns, then the networks of a block. */
export const fromAddress = (address: string): Sender => [blockOf(address), networkOf(address)];

export const looking = (address: string): Asking => ({ turns: 'looks', sender: fromAddress(address) });
/** Whoever has been let in, or refused, and is noted now. */
export const entering = (address: string): Asking => ({ turns: 'entries', sender: fromAddress(address) });
export const stranger = (address: string): Asking => ({ turns: 'strangers', sender: fromAddress(address) });
/**
 * Somebody who comes from a known network, holds a link, or is logged in: groups of accounts take turns, then who is
 * in a group, which is an address, or all links that one person has made. Whoever belongs to no group is one.
 */
export const known = (group: number | undefined, who: string): Asking => {
  const name = emailKey(who);
  return { turns: 'known', sender: [group === undefined ? `address ${name}` : `group ${group}`, name] };
};

/** Does the work when it is their turn. Rejects with 429 or 503 when too much waits. */
export const inTurn = <Result>({ turns, sender }: Asking, work: () => Promise<Result>): Promise<Result> =>
  TURNS[turns].take(sender, work);
