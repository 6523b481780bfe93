import { useSyncExternalStore } from 'react';
import { type Session, session } from './session';

interface Pending {
  promise: Promise<Session>;
  resolve(session: Session): void;
  reject(): void;
}

const listeners = new Set<() => void>();
let pending: Pending | undefined;

function set(next: Pending | undefined): void {
  pending = next;
  for (const notify of listeners) notify();
}

/** Asks for the password once, however many calls wait for it. Rejects when the person gives up. */
export function askToLogIn(): Promise<Session> {
  if (pending === undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<Session>();
    set({ promise, resolve, reject: () => reject(new Error('Not logged in')) });
  }
  return (pending as Pending).promise;
}

/** Every call that waited goes on with the new session. */
export function loggedInAgain(next: Session): void {
  session.set(next);
  pending?.resolve(next);
  set(undefined);
}

/** The calls that waited fail as they had; nothing that was typed is lost. */
export function gaveUpLogin(): void {
  pending?.reject();
  set(undefined);
}

/** Whether a call waits for the password. */
export const useLoginAsked = (): boolean =>
  useSyncExternalStore(
    (notify) => {
      listeners.add(notify);
      return () => listeners.delete(notify);
    },
    () => pending !== undefined,
  );
