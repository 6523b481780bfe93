import type { Client } from 'pg';
import { Batch, doing, preparing, type Step, type StepResult } from './batch';

/** A connection and what PostgreSQL has prepared on it. */
export class Session {
  private readonly prepared = new Set<string>();

  constructor(private readonly client: Client) {}

  /** Sends the steps in one piece; without BEGIN they are one transaction. Rejects with the first failure. */
  async run(steps: Step[]): Promise<StepResult[]> {
    for (const step of steps) if (!this.prepared.has(step.name)) await this.prepare(step);
    return this.submit(doing(steps));
  }

  private async prepare(step: Step): Promise<void> {
    await this.submit(preparing(step));
    this.prepared.add(step.name);
  }

  private submit(send: ConstructorParameters<typeof Batch>[0]): Promise<StepResult[]> {
    return new Promise((resolve, reject) => this.client.query(new Batch(send, resolve, reject)));
  }
}
