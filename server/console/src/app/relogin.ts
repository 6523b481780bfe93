import { type Session, session } from './session';
import { createStore } from './store';

interface Pending {
  promise: Promise<Session>;
  resolve(session: Session): void;
  reject(): void;
}

const pending = createStore<Pending | undefined>(undefined);

/** Asks for the password once for all waiting calls. Rejects when the user gives up. */
export function askToLogIn(): Promise<Session> {
  const waiting = pending.get();
  if (waiting !== undefined) return waiting.promise;
  const { promise, resolve, reject } = Promise.withResolvers<Session>();
  pending.set({ promise, resolve, reject: () => reject(new Error('Not logged in')) });
  return promise;
}

/** Resumes the waiting calls with the new session. */
export const loggedInAgain = (next: Session): void => session.set(next);

// Works for a login in another tab, too.
session.subscribe(() => {
  const [waiting, next] = [pending.get(), session.get()];
  if (waiting === undefined || next === undefined) return;
  waiting.resolve(next);
  pending.set(undefined);
});

/** Lets the waiting calls fail; nothing that was typed is lost. */
export function cancelLogin(): void {
  pending.get()?.reject();
  pending.set(undefined);
}

/** Whether a call is waiting for the password. */
export const useLoginPending = (): boolean => pending.useValue() !== undefined;
