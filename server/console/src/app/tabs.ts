import type { Output } from '@avow/sdk';

/** Who is logged in, for how long, with which token. */
export type Session = Output<'login'>;

/** What tabs of one browser tell each other; pages of other origins cannot listen. */
type Message = { kind: 'ask' } | { kind: 'begun'; session: Session } | { kind: 'ended'; userId: number };

interface Mine {
  get(): Session | undefined;
  begun(session: Session): void;
  ended(userId: number): void;
}

/** Says that some tab may be logged in, and nothing else: without it a new tab asks nobody. */
const HINT = 'avow.tabs';
/** How long a new tab waits for an answer, in milliseconds: only after a browser was closed without log-out. */
const PATIENCE = 1_000;

/** Shares the session with the other open tabs, without leaving it in any storage that outlives them. */
export function joinTabs(mine: Mine) {
  const channel = new BroadcastChannel('avow.session');
  const tell = (message: Message): void => channel.postMessage(message);
  let answered = (): void => undefined;
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    const own = mine.get();
    if (data.kind === 'ask' && own !== undefined && isAlive(own)) tell({ kind: 'begun', session: own });
    if (data.kind === 'begun') mine.begun(data.session);
    if (data.kind === 'ended') mine.ended(data.userId);
    if (data.kind === 'begun') answered();
  };
  return {
    begin(session: Session): void {
      localStorage.setItem(HINT, 'open');
      tell({ kind: 'begun', session });
    },

    end(userId: number): void {
      localStorage.removeItem(HINT);
      tell({ kind: 'ended', userId });
    },

    /** Resolves when another tab has answered, or none does. */
    async ask(): Promise<void> {
      if (localStorage.getItem(HINT) === null) return;
      const answer = new Promise<boolean>((resolve) => {
        answered = () => resolve(true);
        setTimeout(resolve, PATIENCE, false);
      });
      tell({ kind: 'ask' });
      if (!(await answer)) localStorage.removeItem(HINT);
    },
  };
}

const isAlive = ({ expires_at }: Session): boolean => Date.parse(expires_at) > Date.now();
