import type { Database } from './database';

/** The number of rows that the answers say are stored. */
export interface Promised {
  decisions: number;
  impressions: number;
}

const nothing = (): Promised => ({ decisions: 0, impressions: 0 });

/** Counts answered requests and compares them with the rows in the database at the end. */
export class Ledger {
  private promised = nothing();

  constructor(private readonly database: Database) {}

  add(kind: Partial<Promised>, answers: number): void {
    for (const name of ['decisions', 'impressions'] as const) {
      this.promised[name] += (kind[name] ?? 0) * answers;
    }
  }

  /**
   * Throws when an acknowledged row is missing, or a stored row was never acknowledged. Returns the numbers.
   */
  async check(): Promise<Record<string, [promised: number, stored: number]>> {
    const { decisions, impressions } = this.promised;
    const [stored = {}] = await this.database.sql<Record<string, number>>(
      `SELECT (SELECT count(*) FROM consents) AS consents,
         (SELECT count(*) FROM session_choices) AS session_choices,
         (SELECT count(*) FROM idempotency_keys) AS idempotency_keys,
         (SELECT coalesce(sum(n), 0)::bigint FROM daily_counts WHERE metric = 'decision') AS daily_decisions,
         (SELECT coalesce(sum(n), 0)::bigint FROM hourly_counts WHERE metric = 'decision') AS hourly_decisions,
         (SELECT coalesce(sum(n), 0)::bigint FROM daily_counts WHERE metric = 'impression') AS daily_impressions`,
    );
    const compared: Record<string, [number, number]> = {
      consents: [decisions, Number(stored.consents)],
      session_choices: [decisions, Number(stored.session_choices)],
      // What banners report needs none.
      idempotency_keys: [0, Number(stored.idempotency_keys)],
      daily_decisions: [decisions, Number(stored.daily_decisions)],
      hourly_decisions: [decisions, Number(stored.hourly_decisions)],
      daily_impressions: [impressions, Number(stored.daily_impressions)],
    };
    for (const [name, [promised, found]] of Object.entries(compared)) {
      if (promised !== found)
        throw new Error(`${promised} rows of ${name} were acknowledged, but ${found} are stored`);
    }
    return compared;
  }

  /** Forgets everything, after the tables were emptied. */
  clear(): void {
    this.promised = nothing();
  }
}
