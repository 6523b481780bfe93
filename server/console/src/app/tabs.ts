import type { Output } from '@avow/sdk';
import { presence, type Sitting } from './presence';

/** The user, the token and its expiry. */
export interface Session extends Output<'login'> {
  /** The question of a tab that it was begun for. */
  answers?: string;
}

/** A session as tabs have it. */
export type Kept = Session & Sitting;

/** Messages between the tabs of a browser; pages of other origins cannot read them. */
type Message = { kind: 'ask' } | { kind: 'begun'; session: Kept } | { kind: 'ended'; userId: number };

interface OwnTab {
  get(): Kept | undefined;
  begun(session: Kept): void;
  ended(userId: number): void;
}

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
    begin: (session: Kept): void => send({ kind: 'begun', session }),

    end: (userId: number): void => send({ kind: 'ended', userId }),

    /** Resolves when another tab has answered, or after the wait. */
    async ask(): Promise<void> {
      if (!presence.isAnybody()) return;
      const answer = new Promise<void>((resolve) => {
        answered = resolve;
        setTimeout(resolve, MAX_WAIT);
      });
      send({ kind: 'ask' });
      await answer;
    },
  };
}

const isValid = ({ expires_at }: Session): boolean => Date.parse(expires_at) > Date.now();
