import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics of those who vouch for evidence logs. */
export interface VouchingMetrics {
  /** Counts a request to a witness or authority. */
  vouched(kind: 'witness' | 'authority', result: 'vouched' | 'failed' | 'rolled_back'): void;
  /** How many pairs of a log and a voucher fail, as a process that asks has counted them. */
  unvouched(counted: { failing: number; rolledBack: number }): void;
}

export function createVouchingMetrics(registry: Registry): VouchingMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'avow_ledger_vouching_total',
    help: 'Evidence logs that a witness or time-stamping authority was asked about.',
    labelNames: ['kind', 'result'],
    registers,
  });
  let counted: Parameters<VouchingMetrics['unvouched']>[0] | undefined;
  const gauge = (name: string, help: string, value: () => number): void => {
    // Every process that asks counts the same: of several, the greatest counts.
    new Gauge({
      ...{ name, help, aggregator: 'max', registers },
      collect() {
        this.set(value());
      },
    });
  };
  return {
    vouched: (kind, result) => requests.labels(kind, result).inc(),
    unvouched(now) {
      // Only where it is counted: other processes would report that all is well.
      if (counted === undefined) {
        gauge(
          'avow_ledger_unvouched_logs',
          'Evidence logs that a witness or authority has not vouched for in more than a day, once for each of them.',
          () => counted?.failing ?? 0,
        );
        gauge(
          'avow_ledger_rolled_back_logs',
          'Evidence logs of which a witness has signed a different history, once for each witness.',
          () => counted?.rolledBack ?? 0,
        );
      }
      counted = now;
    },
  };
}
