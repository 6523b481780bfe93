import type { Worker } from 'node:cluster';

/** How often a process is asked, in milliseconds. */
const INTERVAL = 1_000;
/** So many questions in a row may stay unanswered. */
const MAX_UNANSWERED = 15;
/** Until a process listens: while its program is loaded it answers nothing, and a busy machine takes long. */
const MAX_AT_START = 30;

interface Beat {
  avow?: 'ping' | 'pong';
}

/**
 * Asks one of several processes, from its first moment, whether its event loop still runs, and calls when it
 * has been silent for too long. Questions are counted instead of seconds: a machine that slept, or a first process that was busy
 * itself, blames nobody.
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

/** In one of several processes: answers what `watchHeartbeat` asks. */
export function answerHeartbeat(): void {
  process.on('message', ({ avow }: Beat) => {
    if (avow === 'ping')
      process.send?.({ avow: 'pong' } satisfies Beat, undefined, undefined, () => undefined);
  });
}
