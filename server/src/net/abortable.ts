import { setMaxListeners } from 'node:events';
import { Failure } from './failure';

/** Waits for work that cannot be stopped, but only until the signal fires. Throws the signal's reason. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    // One signal may end any number of waits; Node warns of a leak above ten listeners.
    setMaxListeners(0, signal);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * A controller that also aborts, as STOPPED, when one of the signals does; `release` detaches it from
 * longer-lived signals.
 */
export function follow(...signals: (AbortSignal | undefined)[]): {
  controller: AbortController;
  release(): void;
} {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new Failure('STOPPED'));
  const followed = signals.filter((signal) => signal !== undefined);
  // As above.
  setMaxListeners(0, ...followed);
  for (const signal of followed) {
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  }
  const release = (): void => {
    for (const signal of followed) signal.removeEventListener('abort', stop);
  };
  return { controller, release };
}

/**
 * A signal that aborts after so many milliseconds, as TIMEOUT, or with one of these, as STOPPED; `release` ends it. Not
 * `AbortSignal.any`, which does not keep what it follows from being collected as garbage, a time-out first of all.
 */
export function deadline(
  ms: number,
  ...signals: (AbortSignal | undefined)[]
): { signal: AbortSignal; release(): void } {
  const { controller, release } = follow(...signals);
  const timer = setTimeout(() => controller.abort(new Failure('TIMEOUT')), ms);
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      release();
    },
  };
}

/** Waits for work, but only until the signal fires: then undefined. */
export function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
