import { textOf, utf8 } from './bytes.js';
import type { Checkpoint } from './note.js';

/** What was looked at. */
export type StepName =
  | 'runtime'
  | 'file'
  | 'keys'
  | 'trust'
  | 'checkpoint'
  | 'consistency'
  | 'cosignature'
  | 'time-stamp'
  | 'record'
  | 'context'
  | 'attachment';

/** One step of a verification. */
export interface Step {
  step: StepName;
  /**
   * Whether it holds; `unknown` where this program, or this file, cannot say; `unproven` where the file says something that
   * no signature covers, on which no verdict depends.
   */
  ok: boolean | 'unknown' | 'unproven';
  /** What holds, fails or is not known, in words. */
  what: string;
  /** Where in the file: a line of `evidence.ndjson`, or a file of the pack. */
  where: string;
}

/** What a verification has found. */
export interface Verification {
  /**
   * `verified`: nothing failed, every record that is in the file is proven, and a key that you trust has signed; what is
   * `unproven` the file only says. `incomplete`: nothing failed, but a step that matters is unknown. `failed`: at least one
   * step does not hold.
   */
  verdict: 'verified' | 'incomplete' | 'failed';
  kind: 'pack' | 'receipt' | 'other';
  /** The token of the site. */
  site: string | undefined;
  /** The name of the log. */
  origin: string | undefined;
  /** Leaves of the tree that the proofs are against. */
  size: number | undefined;
  /** The heads that a listed key has signed, that of the proofs first. */
  heads: Checkpoint[];
  /** Records of the file by what was found of them. */
  records: { proven: number; pending: number; failed: number };
  /** Each step in its order: of those that hold and those that do not, the first 1,000. */
  steps: Step[];
  /** Steps beyond these. */
  leftOut: number;
}

/** Steps that are listed of each outcome. A hostile file must not fill the memory with its faults. */
const LISTED = 1000;
/** Characters of what is said of one step. */
const LONGEST = 1000;
/** What others vouch for is more than a verdict needs. */
const EXTRA: readonly StepName[] = ['cosignature', 'time-stamp'];

/** Collects the steps of one verification. */
export class Report {
  readonly found = {
    verdict: 'verified',
    kind: 'other',
    heads: [],
    records: { proven: 0, pending: 0, failed: 0 },
    steps: [],
    leftOut: 0,
  } as unknown as Verification;
  readonly #counts = new Map<Step['ok'], number>();

  readonly #onStep: ((step: Step) => void) | undefined;

  constructor(onStep: ((step: Step) => void) | undefined) {
    this.#onStep = onStep;
  }

  add(step: StepName, ok: Step['ok'], what: string, where: string): void {
    const { found } = this;
    const counts = this.#counts;
    const one = { step, ok, what: short(what), where: short(where) };
    const count = (counts.get(ok) ?? 0) + 1;
    counts.set(ok, count);
    if (count <= LISTED) found.steps.push(one);
    else found.leftOut += 1;
    if (ok === false) found.verdict = 'failed';
    else if (ok === 'unknown' && found.verdict === 'verified' && !EXTRA.includes(step))
      found.verdict = 'incomplete';
    this.#onStep?.(one);
  }
}

export const short = (text: string, most = LONGEST): string => copyOf(text.slice(0, most));

/** A part of a text, also within another one, keeps the whole of it in memory. */
const copyOf = (text: string): string => textOf(utf8(text));

/** Ends a verification: what follows could not be understood. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly where: string,
    readonly step: StepName = 'file',
  ) {
    super(message);
  }
}

/** What a text says. @throws {Refusal} when it cannot be read */
export async function orRefuse<Read>(
  read: (text: string) => Read | Promise<Read>,
  text: string,
  where: string,
  step: StepName,
): Promise<Read> {
  try {
    return await read(text);
  } catch (error) {
    refuse((error as Error).message, where, step);
  }
}

/** @throws {Refusal} always */
export function refuse(what: string, where: string, step?: StepName): never {
  throw new Refusal(what, where, step);
}
