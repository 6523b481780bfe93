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

/** Resumes every call that waited, with the new session. */
export const loggedInAgain = (next: Session): void => session.set(next);

// Also when it was another tab that logged in again.
session.subscribe(() => {
  const next = session.get();
  if (pending === undefined || next === undefined) return;
  pending.resolve(next);
  set(undefined);
});

/** Fails the calls that waited; nothing that was typed is lost. */
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
