import { ofBrowser } from './storage';

/** Of a session: whose it is, and between which log-in and log-out in this browser. */
export interface Sitting {
  user: { id: number };
  sitting: string;
}

/** How long a stored session may be taken up again after an open tab was last seen with it, in milliseconds. */
const AWAY_MS = 5 * 60_000;
/** When the mark of tabs that were closed without a log-out is cleared away: no session lives longer. */
const OLD_MS = 12 * 60 * 60_000;
/** `server/docs/site/try/session.ts` reads these marks, too. */
const PREFIX = 'avow.seen.';

const keyOf = ({ user }: Pick<Sitting, 'user'>): string => PREFIX + user.id;

function markAt(key: string) {
  const [sitting = '', at = ''] = ofBrowser.get(key)?.split(' ') ?? [];
  // A clock that was set back makes a mark of the future, which is as old as one of the past.
  return { sitting, age: at === '' ? Number.POSITIVE_INFINITY : Math.abs(Date.now() - Number(at)) };
}

const write = (one: Sitting): void => ofBrowser.set(keyOf(one), `${one.sitting} ${Date.now()}`);
const all = (): string[] => ofBrowser.keys().filter((key) => key.startsWith(PREFIX));

/**
 * Marks of who has the console open in this browser. A session that a tab has stored is good only with its mark:
 * a log-out takes the mark away, and it grows old when all tabs are closed.
 */
export const presence = {
  begin(one: Sitting): void {
    for (const key of all()) if (markAt(key).age >= OLD_MS) ofBrowser.set(key, undefined);
    write(one);
  },

  /** Somebody is still there. Never brings back a mark that a log-out in another tab took away. */
  keep(one: Sitting): void {
    if (markAt(keyOf(one)).sitting === one.sitting) write(one);
  },

  end(user: Sitting['user']): void {
    ofBrowser.set(keyOf({ user }), undefined);
  },

  /** After a log-out in another tab, which may have begun the next session already. */
  endOwn(one: Sitting): void {
    if (markAt(keyOf(one)).sitting === one.sitting) presence.end(one.user);
  },

  isGood(one: Sitting): boolean {
    const { sitting, age } = markAt(keyOf(one));
    if (sitting === '' || sitting !== one.sitting) return false;
    // A tab that the browser put to sleep to save memory was never closed.
    return age < AWAY_MS || (document as { wasDiscarded?: boolean }).wasDiscarded === true;
  },

  /** Whether another tab may have a session to give. */
  isAnybody: (): boolean => all().some((key) => markAt(key).age < AWAY_MS),
};
