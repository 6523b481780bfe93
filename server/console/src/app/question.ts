import { type Session, session } from './session';
import { createStore } from './store';

/**
 * A log-in, after the session has ended; or a proof of who is there, for which the log-in is too old, or was at a
 * provider where the account itself has to be proved.
 */
export type Kind = 'login' | 'proof' | 'own proof';

interface Asked {
  kind: Kind;
  /** Whose session it is about. */
  before: Session;
  /** Known to this tab, and to a tab that its dialog opens: only a session with it is an answer. */
  id: string;
  until: number;
  promise: Promise<void>;
  resolve(): void;
  /** Without a reason, the waiting calls fail as they did before. */
  reject(reason?: Error): void;
}

/** How long calls wait for an answer, in milliseconds: later, somebody else may sit there. */
const WAIT_MS = 5 * 60_000;
const LATE = 'Nobody confirmed it within five minutes, so this was not done. Try again.';
const ENDED = 'Your session had ended, so this was not done. Try again.';
const ELSEWHERE = 'Somebody logged in elsewhere in the meantime, so this was not done. Try again.';

const asked = createStore<Asked | undefined>(undefined);
let answered: string | undefined;

function settle(reason?: Error): void {
  const waiting = asked.get();
  asked.set(undefined);
  waiting?.reject(reason);
}

// Other tabs also tell of a session that is the same as before.
session.subscribe(() => {
  const [waiting, next] = [asked.get(), session.get()];
  if (waiting === undefined || next?.token === waiting.before.token) return;
  // Nobody has asked for this in the name of somebody else.
  if (next?.user.id !== waiting.before.user.id) return settle();
  // Nor has the person whom another tab asked, who has not seen this one.
  if (next.answers !== waiting.id) return settle(elsewhere());
  // A timer may be late where a computer has slept.
  if (Date.now() > waiting.until) return settle(new Error(LATE));
  answered = waiting.id;
  asked.set(undefined);
  waiting.resolve();
});

/** Why a call is not made again in the name of a session that another tab has begun. */
export const elsewhere = (): Error => new Error(ELSEWHERE);

/** The question who is there, for calls that wait for its answer in this tab. */
export const question = {
  /** Asks once for all waiting calls; resolves when the session is renewed. */
  ask(kind: Kind, before: Session): Promise<void> {
    const waiting = asked.get();
    if (waiting?.kind === kind) return waiting.promise;
    // Whoever logs in because the session has ended is not told of what a proof is wanted for.
    if (waiting?.kind === 'login') return Promise.reject(new Error(ENDED));
    if (waiting !== undefined) settle(new Error(ENDED));
    const [id, until] = [crypto.getRandomValues(new Uint32Array(4)).join('-'), Date.now() + WAIT_MS];
    asked.set({ kind, before, id, until, ...Promise.withResolvers<void>() });
    setTimeout(() => asked.get()?.id === id && settle(new Error(LATE)), WAIT_MS);
    return (asked.get() as Asked).promise;
  },

  /** Begins the session that was asked for. */
  answer: (id: string, next: Session): void => session.set({ ...next, answers: id }),

  /** Lets the waiting calls fail, also when another page is shown, on which nobody sees them; nothing that was typed is lost. */
  cancel: (): void => settle(),

  /** Whether the session was begun by this tab, or as an answer to it. */
  hasRenewed: (): boolean =>
    session.isOwn() || (answered !== undefined && session.get()?.answers === answered),

  /** What is asked now. */
  useAsked: asked.useValue,
};
