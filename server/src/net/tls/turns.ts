/**
 * What OpenSSL is given in one turn of the event loop, over all connections, and of one at once, in bytes. Reading all that
 * has come would be up to 2 MB; half of this makes large downloads a fifth slower.
 */
const [TURN, AT_ONCE] = [32 * 1024, 16 * 1024] as const;

let left: number = TURN;
let isSet = false;
/** In the order in which they are called. */
const waiting = new Set<() => void>();

/** How much may be given at once in this turn; if nothing, `next` is called in a later one. */
export function leftFor(next: () => void): number {
  if (left <= 0) waitFor(next);
  return Math.min(Math.max(left, 0), AT_ONCE);
}

/** Calls it in a later turn. */
export function waitFor(next: () => void): void {
  waiting.add(next);
  set();
}

export function spend(cost: number): void {
  left -= cost;
  set();
}

function set(): void {
  if (isSet) return;
  isSet = true;
  setImmediate(begin);
}

/** Whoever waits goes before what comes in this turn. */
function begin(): void {
  isSet = false;
  left = TURN;
  for (const next of [...waiting]) {
    if (left <= 0) break;
    waiting.delete(next);
    next();
  }
  if (waiting.size > 0) set();
}
