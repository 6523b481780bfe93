import fc from 'fast-check';
import { loadContract } from '../../server/src/contract/operations';
import { type RawAnswer, raw } from '../helpers/http/raw';
import type { TestServer } from '../helpers/server';
import type { Mutated } from './mutations';
import { type Parts, write } from './requests';

/**
 * A long run of the same tests, with other cases: FUZZ_SEED=1 FUZZ_RUNS=1000 FUZZ_FIELDS=5000 npm test --
 * test/contract-fuzz. It runs weekly; each short one proves every operation too, with fewer cases.
 */
export const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);
/** Cases of each operation in each suite. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 20);
/** A file may take so many milliseconds, shared by its operations. */
const BUDGET = process.env.FUZZ_RUNS === undefined ? 30_000 : 3_600_000;

export const { operations } = loadContract();

/**
 * Runs a property with the seed of this run; a failure prints the seed, the path to the case, and the
 * smallest case.
 */
export async function check<T extends Parts | Mutated>(
  cases: fc.Arbitrary<T>,
  operationsInFile: number,
  property: (input: T) => Promise<void>,
): Promise<void> {
  const shown = cases.map((one) => Object.assign(one, { [fc.toStringMethod]: () => summary(one) }));
  // The time limit leaves the last case running: it must not write while the next operation looks.
  let last: Promise<void> = Promise.resolve();
  const run = (input: T): Promise<void> => {
    last = property(input);
    return last;
  };
  const limit = Math.max(BUDGET / operationsInFile, 3_000);
  const all = { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: limit, markInterruptAsFailure: false };
  try {
    await fc.assert(fc.asyncProperty(shown, run), all);
  } catch (error) {
    // On a busy machine even one case can take longer than that, and one there must be.
    if (!/interrupted after 0 tests/.test(String(error))) throw error;
    await fc.assert(fc.asyncProperty(shown, run), { seed: SEED, numRuns: 1 });
  }
  await last;
}

const summary = (one: Parts | Mutated): string =>
  'what' in one ? `${one.what}: ${line(one.parts)}` : line(one);

/** A request, cut to what a line of a report can hold. */
export function line(parts: Parts): string {
  const { method, path, headers, body } = write(parts);
  const part = (text: string): string => text.slice(0, 500);
  return `${method} ${part(path)} ${part(JSON.stringify(headers))} ${part(String(body))}`;
}

/**
 * Sends a request with a new bearer token of a person, where the operation takes one and the request has
 * none.
 */
export async function send(server: TestServer, userId: number, parts: Parts): Promise<RawAnswer> {
  const request = write(parts);
  const headers = { ...parts.headers };
  if (parts.operation.bearer && !('Authorization' in headers)) {
    // A second ahead, because a revocation ends the tokens of its own millisecond too.
    const { token } = await server.service.context.tokens.issue(userId, new Date(Date.now() + 1000), {
      how: 'password',
    });
    headers.Authorization = `Bearer ${token}`;
  }
  return raw(server.url, { ...request, headers });
}

/** Fails with all that is needed to send the request again. */
export function expectThat(holds: boolean, why: string, parts: Parts, answer: RawAnswer): void {
  if (holds) return;
  throw new Error(
    `${parts.operation.id}: ${why}\n  sent: ${line(parts)}\n  got: ${answer.status} ${answer.text.slice(0, 800)}`,
  );
}
