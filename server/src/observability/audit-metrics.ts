import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics of the samples that compare evidence logs with their records. */
export interface AuditMetrics {
  /** Counts leaves that were compared. */
  compared(leaves: number): void;
  /** How many logs do not fit, as a process that samples has counted them. */
  damaged(logs: number): void;
}

export function createAuditMetrics(registry: Registry): AuditMetrics {
  const registers = [registry];
  const leaves = new Counter({
    name: 'avow_ledger_audit_leaves_total',
    help: 'Leaves of evidence logs that samples compared with their records.',
    registers,
  });
  let counted: number | undefined;
  return {
    compared: (n) => leaves.inc(n),
    damaged(logs) {
      // Only where it is counted: other processes would report that all is well.
      if (counted === undefined)
        new Gauge({
          name: 'avow_ledger_audit_damaged_logs',
          help: 'Evidence logs that do not fit the records of their site.',
          ...{ aggregator: 'max' as const, registers },
          collect() {
            this.set(counted ?? 0);
          },
        });
      counted = logs;
    },
  };
}
