/** Waits for work that cannot be stopped, but no longer than the signal allows. Throws the signal's reason. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** A signal of its own that any of the others fires too; `release` lets go of the long-lived ones. */
export function follow(signals: (AbortSignal | undefined)[]): {
  controller: AbortController;
  release(): void;
} {
  const controller = new AbortController();
  const stop = (event: Event): void => controller.abort((event.target as AbortSignal).reason);
  const followed = signals.filter((signal) => signal !== undefined);
  for (const signal of followed) {
    if (signal.aborted) controller.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  }
  const release = (): void => {
    for (const signal of followed) signal.removeEventListener('abort', stop);
  };
  return { controller, release };
}
