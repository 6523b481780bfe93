import type { Output } from '@avow/sdk';
import { useSyncExternalStore } from 'react';

/** Who is logged in, for how long, with which token. */
export type Session = Output<'login'>;

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

/** The session of this tab. It ends with the tab: nothing is left behind on a shared computer. */
export const session = {
  get: (): Session | undefined => current,

  /** Begins a session, or ends it with undefined. */
  set(next: Session | undefined): void {
    current = next;
    if (next === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(next));
    for (const notify of listeners) notify();
  },

  subscribe(notify: () => void): () => void {
    listeners.add(notify);
    return () => listeners.delete(notify);
  },
};

/** The session, and a new render when it begins or ends. */
export const useSession = (): Session | undefined => useSyncExternalStore(session.subscribe, session.get);
