/** How often the delay of the event loop is sampled, in milliseconds. */
const INTERVAL = 20;

/**
 * Measures how late a timer fires, in seconds, which is how long the event loop was blocked. The returned
 * function stops it.
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
