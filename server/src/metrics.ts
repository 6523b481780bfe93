import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Prometheus metrics of one process. Labels never hold anything of a person. */
export interface Metrics {
  registry: Registry;
  /** Counts an answered request; seconds of work. */
  request(operation: string, status: number, seconds: number): void;
  /** Counts a committed group of visitor entries. */
  group(entries: number, statements: number): void;
  /** Counts an attempt to deliver an event; seconds until its answer. */
  delivery(result: 'delivered' | 'failed' | 'fenced', seconds: number): void;
  /** Counts a cookie scan; seconds from its claim to its result. */
  scan(result: 'done' | 'failed' | 'fenced', seconds: number): void;
}

export function createMetrics(waiting: () => number): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: 'avow_http_requests_total',
    help: 'Answered requests.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'avow_http_request_duration_seconds',
    help: 'Time from the request to its answer.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const entries = new Counter({
    name: 'avow_ingest_entries_total',
    help: 'Visitor entries committed or tried.',
    registers,
  });
  const commits = new Counter({
    name: 'avow_ingest_commits_total',
    help: 'Transactions of the visitor path.',
    registers,
  });
  const statements = new Counter({
    name: 'avow_ingest_statements_total',
    help: 'SQL statements of the visitor path.',
    registers,
  });
  new Gauge({
    name: 'avow_ingest_waiting',
    help: 'Visitor entries that wait to be stored.',
    registers,
    collect() {
      this.set(waiting());
    },
  });
  const deliveries = new Counter({
    name: 'avow_webhook_attempts_total',
    help: 'Attempts to deliver an event to a webhook.',
    labelNames: ['result'],
    registers,
  });
  const latencies = new Histogram({
    name: 'avow_webhook_attempt_duration_seconds',
    help: 'Time from an attempt to its answer.',
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  });
  const scans = new Counter({
    name: 'avow_scans_total',
    help: 'Cookie scans.',
    labelNames: ['result'],
    registers,
  });
  const scanTimes = new Histogram({
    name: 'avow_scan_duration_seconds',
    help: 'Time that a cookie scan took.',
    buckets: [0.5, 1, 2.5, 5, 10, 20, 30, 60],
    registers,
  });
  const bound = new Map<string, { counter: Counter.Internal; histogram: Histogram.Internal<'operation'> }>();
  return {
    registry,
    request(operation, status, seconds) {
      const key = `${operation} ${status}`;
      let found = bound.get(key);
      if (found === undefined) {
        found = {
          counter: requests.labels(operation, String(status)),
          histogram: durations.labels(operation),
        };
        bound.set(key, found);
      }
      found.counter.inc();
      found.histogram.observe(seconds);
    },
    delivery(result, seconds) {
      deliveries.labels(result).inc();
      latencies.observe(seconds);
    },
    scan(result, seconds) {
      scans.labels(result).inc();
      scanTimes.observe(seconds);
    },
    group(size, cost) {
      entries.inc(size);
      commits.inc();
      statements.inc(cost);
    },
  };
}
