import type { Client } from 'pg';
import { Batch, doing, preparing, type Step, type StepResult } from './batch';

/** A connection and what PostgreSQL has prepared on it. */
export class Session {
  /** By the monotonic clock. As long as it lives, the database has what was stored since then. */
  readonly openedAt = performance.now();
  private readonly prepared = new Set<string>();
  private readonly inPreparation = new Map<string, Promise<void>>();

  constructor(private readonly client: Client) {}

  /** Sends the steps in one piece; without BEGIN they are one transaction. Rejects with the first failure. */
  async run(steps: Step[]): Promise<StepResult[]> {
    for (const step of steps) {
      if (!this.prepared.has(step.name)) {
        // Two at once would prepare it twice, which PostgreSQL refuses.
        await (this.inPreparation.get(step.name) ?? this.prepare(step));
      }
    }
    return this.submit(doing(steps));
  }

  private prepare(step: Step): Promise<void> {
    const preparation = this.submit(preparing(step))
      .then(() => void this.prepared.add(step.name))
      .finally(() => this.inPreparation.delete(step.name));
    this.inPreparation.set(step.name, preparation);
    return preparation;
  }

  private submit(send: ConstructorParameters<typeof Batch>[0]): Promise<StepResult[]> {
    return new Promise((resolve, reject) => this.client.query(new Batch(send, resolve, reject)));
  }
}
