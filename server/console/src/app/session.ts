import { endToken } from './end-token';
import { presence } from './presence';
import { ofTab } from './storage';
import { createStore } from './store';
import { joinTabs, type Kept, type Session } from './tabs';

export type { Session };

const KEY = 'avow.session';
const MINUTE = 60_000;
const current = createStore(read());
/** The token that this tab itself has begun. */
let own: string | undefined;

function read(): Kept | undefined {
  let kept: Kept | undefined;
  try {
    kept = (JSON.parse(ofTab.get(KEY) ?? 'null') as Kept | null) ?? undefined;
  } catch {
    return undefined;
  }
  return kept && checked(kept);
}

/** The session if it may go on; else it ends on the server, too, and nothing of it stays in the tab. */
function checked(kept: Kept): Kept | undefined {
  if (presence.isGood(kept)) return kept;
  ofTab.set(KEY, undefined);
  endToken(kept.token);
  return undefined;
}

function store(next: Kept | undefined): void {
  const before = current.get();
  // Whoever waits, and what is kept, hears of the end first.
  if (before !== undefined && next !== undefined && before.user.id !== next.user.id) current.set(undefined);
  ofTab.set(KEY, next && JSON.stringify(next));
  current.set(next);
}

const tabs = joinTabs({
  get: current.get,
  // Another tab has logged in or renewed the session. A tab that is logged in with another account keeps its
  // session.
  begun: (next) => {
    const mine = current.get();
    if (mine === undefined || mine.user.id === next.user.id) store(next);
  },
  ended: (userId) => {
    const mine = current.get();
    if (mine?.user.id !== userId) return;
    presence.endOwn(mine);
    store(undefined);
  },
});

const keep = (): void => {
  const mine = current.get();
  if (mine !== undefined) presence.keep(mine);
};

keep();
setInterval(keep, MINUTE);
addEventListener('pagehide', keep);
document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && keep());
// A page that comes back from the browser's memory has heard nothing in the meantime.
addEventListener('pageshow', ({ persisted }) => {
  const mine = current.get();
  if (!persisted || mine === undefined || checked(mine) !== undefined) return;
  store(undefined);
  void tabs.ask();
});

const madeUp = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/**
 * The session of the console. Each tab stores it for itself, and a new tab gets it from an open one. It ends
 * with a log-out, or five minutes after the last tab was closed, and nothing is left on a shared computer.
 */
export const session = {
  get: current.get,
  subscribe: current.subscribe,

  /** Starts a session in every tab; undefined ends it. */
  set(next: Session | undefined): void {
    const before = current.get();
    if (next === undefined) {
      if (before !== undefined) presence.end(before.user);
      store(undefined);
      if (before !== undefined) tabs.end(before.user.id);
      return;
    }
    const sitting = before?.user.id === next.user.id ? before.sitting : madeUp();
    const kept = { ...next, sitting };
    own = next.token;
    presence.begin(kept);
    store(kept);
    tabs.begin(kept);
  },

  /** Whether this tab itself has begun it, not another one. */
  isOwn: (): boolean => own !== undefined && own === current.get()?.token,

  /** Asks the open tabs for the session if this tab has none. */
  async start(): Promise<void> {
    if (current.get() === undefined) await tabs.ask();
  },
};

/** The session; renders again when it changes. */
export const useSession = current.useValue;
