/** The result of a long task that yields, run to its end. */
export function atOnce<Result>(task: Generator<unknown, Result>): Result {
  for (;;) {
    const step = task.next();
    if (step.done) return step.value;
  }
}
