/** Runs a task that yields between its pieces without waiting for anything. */
export function runToEnd<Result>(task: Generator<unknown, Result>): Result {
  for (;;) {
    const step = task.next();
    if (step.done) return step.value;
  }
}
