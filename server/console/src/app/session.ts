import { createStore } from './store';
import { joinTabs, type Session } from './tabs';

export type { Session };

const KEY = 'avow.session';
const current = createStore(read());

function read(): Session | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '') as Session;
  } catch {
    return undefined;
  }
}

function store(next: Session | undefined): void {
  const before = current.get();
  // Whoever waits, and what is kept, hears of the end first.
  if (before !== undefined && next !== undefined && before.user.id !== next.user.id) current.set(undefined);
  if (next === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, JSON.stringify(next));
  current.set(next);
}

const tabs = joinTabs({
  get: current.get,
  // Another tab has logged in or renewed the session. A tab that is logged in with another account keeps its
  // session.
  begun: (next) => {
    const own = current.get();
    if (own === undefined || own.user.id === next.user.id) store(next);
  },
  ended: (userId) => {
    if (current.get()?.user.id === userId) store(undefined);
  },
});

/**
 * The session of the console. Each tab stores it for itself, and a new tab gets it from an open one. So it
 * ends with the last tab, and nothing is left on a shared computer.
 */
export const session = {
  get: current.get,
  subscribe: current.subscribe,

  /** Starts a session in every tab; undefined ends it. */
  set(next: Session | undefined): void {
    const before = current.get();
    store(next);
    if (next !== undefined) tabs.begin(next);
    else if (before !== undefined) tabs.end(before.user.id);
  },

  /** Asks the open tabs for the session if this tab has none. */
  async start(): Promise<void> {
    if (current.get() === undefined) await tabs.ask();
  },
};

/** The session; renders again when it changes. */
export const useSession = current.useValue;
