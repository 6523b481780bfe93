import type { Worker } from 'node:cluster';

/** How often a process is pinged, in milliseconds. */
const INTERVAL = 1_000;
/** The number of consecutive pings that may stay unanswered. */
const MAX_UNANSWERED = 15;
/**
 * The same until a process listens: it cannot answer while it loads its program, which takes long on a busy
 * machine.
 */
const MAX_AT_START = 30;

interface Beat {
  avow?: 'ping' | 'pong';
}

/**
 * Pings one of several processes from its start, and calls back when its event loop has been silent for too
 * long. Counts pings instead of seconds, so that a suspended machine or a busy first process blames nobody.
 */
export function watchHeartbeat(worker: Worker, onSilent: (seconds: number) => void): void {
  let unanswered = 0;
  let most = MAX_AT_START;
  const timer = setInterval(() => {
    if (unanswered >= most) {
      clearInterval(timer);
      onSilent((most * INTERVAL) / 1000);
      return;
    }
    unanswered += 1;
    if (worker.isConnected())
      worker.send({ avow: 'ping' } satisfies Beat, undefined, undefined, () => undefined);
  }, INTERVAL);
  timer.unref();
  worker.on('message', ({ avow }: Beat) => {
    if (avow === 'pong') unanswered = 0;
  });
  worker.once('listening', () => {
    most = MAX_UNANSWERED;
  });
  worker.once('exit', () => clearInterval(timer));
}

/** In one of several processes: answers the pings of `watchHeartbeat`. */
export function answerHeartbeat(): void {
  process.on('message', ({ avow }: Beat) => {
    if (avow === 'ping')
      process.send?.({ avow: 'pong' } satisfies Beat, undefined, undefined, () => undefined);
  });
}
