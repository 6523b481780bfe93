import { setImmediate as turn } from 'node:timers/promises';

/** How long a task works before others have their turn, in milliseconds. */
const SLICE = 10;

/** Runs a long task that yields between its pieces; requests that wait are answered in between. */
export async function inTurns<Result>(task: Generator<unknown, Result>): Promise<Result> {
  let since = performance.now();
  for (;;) {
    const step = task.next();
    if (step.done) return step.value;
    if (performance.now() - since < SLICE) continue;
    await turn();
    since = performance.now();
  }
}

/** Runs such a task without a break. */
export function atOnce<Result>(task: Generator<unknown, Result>): Result {
  for (;;) {
    const step = task.next();
    if (step.done) return step.value;
  }
}

/** Characters that are handed on at once. */
const PIECE = 65_536;

/**
 * The pieces of a long text, small ones together; requests that wait are answered in between. An empty piece
 * says that work was done.
 */
export async function* inPieces(pieces: Iterable<string>): AsyncGenerator<string> {
  let text = '';
  let since = performance.now();
  for (const piece of pieces) {
    text += piece;
    if (text.length >= PIECE) {
      yield text;
      text = '';
    }
    if (performance.now() - since < SLICE) continue;
    await turn();
    since = performance.now();
  }
  if (text !== '') yield text;
}
