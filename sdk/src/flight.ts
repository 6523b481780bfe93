/** The longest delay of a timer: 2^31 - 1 ms; more would fire at once. */
const LONGEST_TIMER = 2_147_483_647;

/**
 * A request that ends when the caller aborts, or when `timeout` milliseconds have passed (0 for no limit).
 * @param make makes the request with the signal that ends it
 */
export function flight(
  signal: AbortSignal | undefined,
  timeout: number,
  make: (end: AbortSignal) => Request,
) {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const request = make(stop.signal);
  let timedOut = false;

  // Holds the request as long as it is a listener: a collected request no longer aborts its body (undici).
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
