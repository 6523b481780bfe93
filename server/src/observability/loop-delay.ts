/** How often the event loop is asked whether it is free, in milliseconds. */
const INTERVAL = 20;

/**
 * Measures how much later than asked a timer fires, in seconds: so long nothing else was done either. The
 * result ends it.
 */
export function watchLoop(observe: (seconds: number) => void): () => void {
  let due = performance.now() + INTERVAL;
  const timer = setInterval(() => {
    const now = performance.now();
    observe(Math.max(0, now - due) / 1000);
    due = now + INTERVAL;
  }, INTERVAL);
  timer.unref();
  return () => clearInterval(timer);
}
