import type { Output } from '@avow/sdk';

/** The user, the token and its expiry. */
export type Session = Output<'login'>;

/** Messages between the tabs of a browser; pages of other origins cannot read them. */
type Message = { kind: 'ask' } | { kind: 'begun'; session: Session } | { kind: 'ended'; userId: number };

interface OwnTab {
  get(): Session | undefined;
  begun(session: Session): void;
  ended(userId: number): void;
}

/** Marks that a tab may be logged in. Without this mark a new tab does not ask. */
const HINT = 'avow.tabs';
/**
 * How long a new tab waits for an answer, in milliseconds. No answer comes only after the browser was closed
 * without a log-out.
 */
const MAX_WAIT = 1_000;

/** Shares the session with the other open tabs, without storing it anywhere that outlives them. */
export function joinTabs(own: OwnTab) {
  const channel = new BroadcastChannel('avow.session');
  const send = (message: Message): void => channel.postMessage(message);
  let answered = (): void => undefined;
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    const current = own.get();
    if (data.kind === 'ask' && current !== undefined && isValid(current))
      send({ kind: 'begun', session: current });
    if (data.kind === 'begun') own.begun(data.session);
    if (data.kind === 'ended') own.ended(data.userId);
    if (data.kind === 'begun') answered();
  };
  return {
    begin(session: Session): void {
      localStorage.setItem(HINT, 'open');
      send({ kind: 'begun', session });
    },

    end(userId: number): void {
      localStorage.removeItem(HINT);
      send({ kind: 'ended', userId });
    },

    /** Resolves when another tab has answered, or after the wait. */
    async ask(): Promise<void> {
      if (localStorage.getItem(HINT) === null) return;
      const answer = new Promise<boolean>((resolve) => {
        answered = () => resolve(true);
        setTimeout(resolve, MAX_WAIT, false);
      });
      send({ kind: 'ask' });
      if (!(await answer)) localStorage.removeItem(HINT);
    },
  };
}

const isValid = ({ expires_at }: Session): boolean => Date.parse(expires_at) > Date.now();
