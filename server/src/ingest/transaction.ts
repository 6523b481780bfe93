import type { SetStatement } from '../db/set-statement';
import { toArrays } from '../db/set-statement';
import type { Step, StepResult } from './batch';
import type { Session } from './session';

/** Counts what a group cost, for the metrics and the benchmark. */
export interface Cost {
  statements: number;
}

/** A step, and what becomes of its rows. */
export interface Look {
  step: Step;
  // biome-ignore lint/suspicious/noExplicitAny: rows are what the statement selects
  take(rows: any[]): void;
}

// Each statement must see what others committed before it.
const BEGIN: Step = { name: 'avow_begin', text: 'BEGIN ISOLATION LEVEL READ COMMITTED', values: [] };
/** How long a transaction waits for a lock that must not wait for long, in milliseconds. */
export const SHORT_LOCK = 100;
const LIMIT_WAITS: Step = {
  name: 'avow_limit_waits',
  text: `SET LOCAL lock_timeout = ${SHORT_LOCK}`,
  values: [],
};
const COMMIT: Step = { name: 'avow_commit', text: 'COMMIT', values: [] };
const ROLLBACK: Step = { name: 'avow_rollback', text: 'ROLLBACK', values: [] };

/**
 * A transaction whose statements are collected and sent together; after a failure PostgreSQL skips the rest,
 * including COMMIT.
 */
export class Transaction {
  private steps: Step[] = [BEGIN];
  private begun = false;

  /** @param shortWaits gives up soon when somebody else holds a lock */
  constructor(
    private readonly session: Session,
    private readonly cost: Cost,
    private readonly shortWaits = false,
  ) {}

  /** A statement for many rows, with extra values after their arrays; does nothing when there are no rows. */
  write<Row>(statement: SetStatement<Row>, rows: readonly Row[], ...further: (string | null)[]): void {
    if (rows.length > 0) this.steps.push(toStep(statement, rows, further));
  }

  /** A statement by itself. */
  add(step: Step): void {
    this.steps.push(step);
  }

  /** A statement before all others. */
  first(step: Step): void {
    this.steps.splice(1, 0, step);
  }

  /** Sends statements, after those that were gathered, and waits for the rows of each. */
  async read<Row>(steps: Step[]): Promise<Row[][]> {
    return (await this.send(steps)).map(({ rows }) => rows);
  }

  /** Resolves once everything is on disk; throws the first failure, and then nothing is stored. */
  async commit(): Promise<void> {
    const [commit] = await this.send([COMMIT]);
    this.begun = false;
    if (commit?.tag !== 'COMMIT') throw new Error(`PostgreSQL answered COMMIT with ${commit?.tag}`);
  }

  /** Takes everything back; a connection that broke has done so already. */
  async rollback(): Promise<void> {
    this.steps = [];
    if (this.begun) await this.send([ROLLBACK]).catch(() => undefined);
  }

  /** Sends what was gathered and some more; the answers to these. */
  private async send(more: Step[]): Promise<StepResult[]> {
    // By itself, because the statements that a new connection has to prepare wait for locks too.
    if (this.shortWaits && !this.begun) await this.run([...this.steps.splice(0, 1), LIMIT_WAITS]);
    const steps = [...this.steps.splice(0), ...more];
    return (await this.run(steps)).slice(-more.length);
  }

  private run(steps: Step[]): Promise<StepResult[]> {
    this.begun = true;
    this.cost.statements += steps.length;
    return this.session.run(steps);
  }
}

/** A statement for many rows, with extra values after their arrays. */
export const toStep = <Row>(
  { columns, ...step }: SetStatement<Row>,
  rows: readonly Row[],
  further: (string | null)[] = [],
): Step => ({
  ...step,
  values: [...toArrays(rows, columns), ...further],
});
