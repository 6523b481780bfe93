import type { SetStatement } from '../db/set-statement';
import { toArrays } from '../db/set-statement';
import type { Step, StepResult } from './batch';
import type { Session } from './session';

/** Counts what a group cost, for the metrics and the benchmark. */
export interface Cost {
  statements: number;
}

const BEGIN: Step = { name: 'avow_begin', text: 'BEGIN', values: [] };
const HASTE: Step = { name: 'avow_haste', text: 'SET LOCAL lock_timeout = 200', values: [] };
const COMMIT: Step = { name: 'avow_commit', text: 'COMMIT', values: [] };
const ROLLBACK: Step = { name: 'avow_rollback', text: 'ROLLBACK', values: [] };

/**
 * A transaction whose statements are collected and sent together; after a failure PostgreSQL skips the rest,
 * including COMMIT.
 */
export class Transaction {
  private steps: Step[] = [BEGIN];
  private begun = false;

  /** @param hasty gives up at once when somebody else holds a lock */
  constructor(
    private readonly session: Session,
    private readonly cost: Cost,
    hasty = false,
  ) {
    if (hasty) this.steps.push(HASTE);
  }

  /** A statement for many rows, with extra values after their arrays; does nothing when there are no rows. */
  write<Row>(statement: SetStatement<Row>, rows: readonly Row[], ...further: string[]): void {
    if (rows.length > 0) this.steps.push(toStep(statement, rows, further));
  }

  /** Sends a statement for many rows, after those that were gathered, and waits for what it returns. */
  async claim<Row>(statement: SetStatement<Row>, rows: readonly Row[]): Promise<Row[]> {
    const [claimed = []] = await this.read<Row>([toStep(statement, rows)]);
    return claimed;
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
    const steps = [...this.steps, ...more];
    this.steps = [];
    this.begun = true;
    this.cost.statements += steps.length;
    return (await this.session.run(steps)).slice(-more.length);
  }
}

const toStep = <Row>(
  { columns, ...step }: SetStatement<Row>,
  rows: readonly Row[],
  further: string[] = [],
): Step => ({
  ...step,
  values: [...toArrays(rows, columns), ...further],
});
