import { Gauge, type Registry } from 'prom-client';

/** Of the Global Vendor List, for the metrics. */
export interface TcfMetrics {
  /** As the process that looks for a newer one has found it. */
  list(state: { version: number | null; stored_at: Date | null; problem: string | null }): void;
}

export function createTcfMetrics(registry: Registry): TcfMetrics {
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers: [registry] });
  const version = gauge(
    'avow_vendor_list_version',
    'The version of the Global Vendor List; 0 before the first.',
  );
  const stored = gauge('avow_vendor_list_stored_timestamp_seconds', 'When it was stored.');
  const failing = gauge('avow_vendor_list_failing', 'Whether the last look for a newer one failed.');
  return {
    list: (state) => {
      version.set(state.version ?? 0);
      if (state.stored_at !== null) stored.set(state.stored_at.getTime() / 1000);
      failing.set(state.problem === null ? 0 : 1);
    },
  };
}
