import { type Session, session } from './session';
import { createStore } from './store';

interface Asked {
  /** Whose session it is about. */
  before: Session;
  promise: Promise<Session>;
  resolve(session: Session): void;
  reject(): void;
}

/** A question who is there, for calls that wait for the next session of the same person, in whichever tab it begins. */
function createQuestion() {
  const asked = createStore<Asked | undefined>(undefined);

  /** Lets the waiting calls fail; nothing that was typed is lost. */
  const cancel = (): void => {
    asked.get()?.reject();
    asked.set(undefined);
  };

  // Other tabs also tell of a session that is the same as before.
  session.subscribe(() => {
    const [waiting, next] = [asked.get(), session.get()];
    if (waiting === undefined || next?.token === waiting.before.token) return;
    // Nobody has asked for this in the name of somebody else.
    if (next?.user.id !== waiting.before.user.id) return cancel();
    asked.set(undefined);
    waiting.resolve(next as Session);
  });

  return {
    cancel,

    /** Asks once for all waiting calls. Rejects when the user gives up. */
    ask(before: Session): Promise<Session> {
      const waiting = asked.get();
      if (waiting !== undefined) return waiting.promise;
      const { promise, resolve, reject } = Promise.withResolvers<Session>();
      asked.set({ before, promise, resolve, reject: () => reject(new Error('Not now')) });
      return promise;
    },

    /** Whether a call waits. */
    usePending: (): boolean => asked.useValue() !== undefined,
  };
}

/** Asks whose session has ended to log in. */
export const relogin = createQuestion();

/** Asks for a proof of who is there, for what a log-in of long ago does not permit. */
export const reproof = createQuestion();
