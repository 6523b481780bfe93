/** How long a task runs before it yields to the event loop, in milliseconds. */
const SLICE = 5;

/** Long tasks that wait to go on. */
const waiting: (() => void)[] = [];

/**
 * Waits for a round of the event loop of its own. One long task goes on in each: a hundred at once would otherwise
 * hold it for a hundred slices.
 */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn);
  });

function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(goOn);
}

/**
 * Runs a long task that yields between its pieces, so that waiting requests are answered in between.
 * @param pause what it waits for before it goes on
 */
export async function runYielding<Result>(
  task: Generator<unknown, Result>,
  pause = nextTurn,
): Promise<Result> {
  let since = performance.now();
  for (;;) {
    const step = task.next();
    if (step.done) return step.value;
    if (performance.now() - since < SLICE) continue;
    await pause();
    since = performance.now();
  }
}

/** Characters that are yielded at once. */
const PIECE = 65_536;

/**
 * Joins the small pieces of a long text into larger ones; waiting requests are answered in between. An empty
 * piece only marks progress.
 * @param pause what is waited for before it goes on
 */
export async function* inChunks(pieces: Iterable<string>, pause = nextTurn): AsyncGenerator<string> {
  let text = '';
  let since = performance.now();
  for (const piece of pieces) {
    text += piece;
    if (text.length >= PIECE) {
      yield text;
      text = '';
    }
    if (performance.now() - since < SLICE) continue;
    await pause();
    since = performance.now();
  }
  if (text !== '') yield text;
}
