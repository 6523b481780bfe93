/** Computes an expensive result at most once per period in milliseconds; callers in between share it. */
export function sharedFor<T>(milliseconds: number, make: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  let until = 0;
  return () => {
    if (kept !== undefined && performance.now() < until) return kept;
    until = performance.now() + milliseconds;
    const made = make();
    kept = made;
    made.catch(() => {
      if (kept === made) kept = undefined;
    });
    return made;
  };
}
