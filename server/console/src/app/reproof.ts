import { type Session, session } from './session';
import { createStore } from './store';

interface Pending {
  /** The session that the proof is asked of. */
  before: Session | undefined;
  promise: Promise<Session>;
  resolve(session: Session): void;
  reject(): void;
}

const pending = createStore<Pending | undefined>(undefined);

/** Asks once, for all calls that wait, for a proof of who is there. Rejects when the user gives up. */
export function askToProve(): Promise<Session> {
  const waiting = pending.get();
  if (waiting !== undefined) return waiting.promise;
  const { promise, resolve, reject } = Promise.withResolvers<Session>();
  pending.set({ before: session.get(), promise, resolve, reject: () => reject(new Error('Not proved')) });
  return promise;
}

/** Resumes the waiting calls with the new token. */
export const proved = (next: Session): void => session.set(next);

// Works for a proof in another tab, too. Other tabs also tell of a session that is the same as before.
session.subscribe(() => {
  const [waiting, next] = [pending.get(), session.get()];
  if (waiting === undefined || next?.token === waiting.before?.token) return;
  // Nobody has asked for this in the name of somebody else.
  if (next === undefined || next.user.id !== waiting.before?.user.id) return cancelProof();
  pending.set(undefined);
  waiting.resolve(next);
});

/** Lets the waiting calls fail; nothing that was typed is lost. */
export function cancelProof(): void {
  pending.get()?.reject();
  pending.set(undefined);
}

/** Whether a call waits for the proof. */
export const useProofPending = (): boolean => pending.useValue() !== undefined;
