import { useSyncExternalStore } from 'react';
import { joinTabs, type Session } from './tabs';

export type { Session };

const KEY = 'avow.session';
const listeners = new Set<() => void>();
let current = read();

function read(): Session | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '') as Session;
  } catch {
    return undefined;
  }
}

function keep(next: Session | undefined): void {
  current = next;
  if (next === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, JSON.stringify(next));
  for (const notify of listeners) notify();
}

const tabs = joinTabs({
  get: () => current,
  // Another tab has logged in, or renewed the session; a tab of somebody else stays theirs.
  begun: (next) => {
    if (current === undefined || current.user.id === next.user.id) keep(next);
  },
  ended: (userId) => {
    if (current?.user.id === userId) keep(undefined);
  },
});

/**
 * The session of the console. Each tab keeps it for itself, and a new tab is given it by an open one: it ends
 * with the last tab, and nothing is left behind on a shared computer.
 */
export const session = {
  get: (): Session | undefined => current,

  /** Begins a session, or ends it with undefined, in every tab. */
  set(next: Session | undefined): void {
    const before = current;
    keep(next);
    if (next !== undefined) tabs.begin(next);
    else if (before !== undefined) tabs.end(before.user.id);
  },

  /** Asks the open tabs for the session, when this one has none. */
  async start(): Promise<void> {
    if (current === undefined) await tabs.ask();
  },

  subscribe(notify: () => void): () => void {
    listeners.add(notify);
    return () => listeners.delete(notify);
  },
};

/** The session, and a new render when it begins or ends. */
export const useSession = (): Session | undefined => useSyncExternalStore(session.subscribe, session.get);
