import { type Session, session } from './session';
import { createStore } from './store';

interface Pending {
  /** The session that has ended. */
  before: Session;
  promise: Promise<Session>;
  resolve(session: Session): void;
  reject(): void;
}

const pending = createStore<Pending | undefined>(undefined);

/** Asks whose session has ended for the password, once for all waiting calls. Rejects when the user gives up. */
export function askToLogIn(before: Session): Promise<Session> {
  const waiting = pending.get();
  if (waiting !== undefined) return waiting.promise;
  const { promise, resolve, reject } = Promise.withResolvers<Session>();
  pending.set({ before, promise, resolve, reject: () => reject(new Error('Not logged in')) });
  return promise;
}

/** Resumes the waiting calls with the new session, unless it is somebody else's. */
export const loggedInAgain = (next: Session): void => session.set(next);

// Works for a login in another tab, too. Other tabs also tell of a session that is the same as before.
session.subscribe(() => {
  const [waiting, next] = [pending.get(), session.get()];
  if (waiting === undefined || next?.token === waiting.before.token) return;
  // Nobody has asked for this in the name of somebody else.
  if (next?.user.id !== waiting.before.user.id) return cancelLogin();
  waiting.resolve(next as Session);
  pending.set(undefined);
});

/** Lets the waiting calls fail; nothing that was typed is lost. */
export function cancelLogin(): void {
  pending.get()?.reject();
  pending.set(undefined);
}

/** Whether a call is waiting for the password. */
export const useLoginPending = (): boolean => pending.useValue() !== undefined;
