/** The longest delay of a timer, 2^31 - 1 ms; a longer one would fire at once. */
const LONGEST_TIMER = 2_147_483_647;

/**
 * A request that is aborted when the caller's signal aborts or after `timeout` milliseconds (0 for no limit).
 * @param make makes the request with the signal that aborts it
 */
export function cancellableRequest(
  signal: AbortSignal | undefined,
  timeout: number,
  make: (signal: AbortSignal) => Request,
) {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const request = make(stop.signal);
  let timedOut = false;

  // Refers to the request to keep it from being garbage-collected: after that undici no longer aborts its
  // body.
  const abort = () => request && stop.abort(signal?.reason);
  const expire = () => {
    timedOut = true;
    stop.abort();
  };
  signal?.addEventListener('abort', abort, { once: true });
  const timer = timeout > 0 && timeout <= LONGEST_TIMER ? setTimeout(expire, timeout) : undefined;

  return {
    request,
    timedOut: () => timedOut,
    stopTimer: () => clearTimeout(timer),
    stopListening: () => signal?.removeEventListener('abort', abort),
  };
}
