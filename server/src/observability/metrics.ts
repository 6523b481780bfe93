import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { clock } from '../domain/clock';
import { type AuditMetrics, createAuditMetrics } from './audit-metrics';
import { createFileMetrics, type FileMetrics } from './file-metrics';
import { createMailMetrics, type MailMetrics } from './mail-metrics';
import { createTcfMetrics, type TcfMetrics } from './tcf-metrics';
import { createVouchingMetrics, type VouchingMetrics } from './vouching-metrics';

/** The backlog of all environments, for the metrics. */
export interface Backlog {
  /** When the oldest pending delivery was created; undefined when there is none. */
  oldestPendingAt: Date | undefined;
  /** Deliveries of disabled webhooks, counted up to 1,000 of each of 100 webhooks. */
  held: number;
  disabled: number;
}

/** Prometheus metrics of one process. Labels never hold anything of a person. */
export interface Metrics {
  registry: Registry;
  /** Counts an answered request; seconds of work. */
  request(operation: string, status: number, seconds: number): void;
  /** Counts a connection that was ended at once: too many of its address, or in all. */
  refusedConnection(reason: 'address' | 'full'): void;
  /** Counts a committed group of visitor entries. */
  group(entries: number, statements: number): void;
  /** Counts an attempt to deliver an event; seconds until its answer. */
  delivery(result: 'delivered' | 'failed' | 'fenced' | 'unsendable', seconds: number): void;
  /** Seconds that the event loop was held at a stretch, sampled. */
  loopDelay(seconds: number): void;
  /** What waits to be delivered, as a process that delivers has measured it. */
  backlog(backlog: Backlog): void;
  /** Counts what one transaction sealed, and says how many groups of a site were refused. */
  sealed(part: { leaves: number; forged: readonly string[] }): void;
  /** Counts a cookie scan; seconds from its claim to its result. */
  scan(result: 'done' | 'failed' | 'fenced', seconds: number): void;
  /** Of witnesses and time-stamping authorities. */
  vouching: VouchingMetrics;
  auditing: AuditMetrics;
  mail: MailMetrics;
  files: FileMetrics;
  tcf: TcfMetrics;
}

let processMetrics: Registry | undefined;

/** Memory, processor, event loop: their observers never end, so that all services of a process share them. */
function watchProcess(): Registry {
  if (processMetrics !== undefined) return processMetrics;
  processMetrics = new Registry();
  collectDefaultMetrics({ register: processMetrics });
  return processMetrics;
}

export function createMetrics(waiting: () => number): Metrics {
  const registry = Registry.merge([watchProcess()]);
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
  const refused = new Counter({
    name: 'avow_connections_refused_total',
    help: 'Connections that were ended at once, because too many were open.',
    labelNames: ['reason'],
    registers,
  });
  const loopDelays = new Histogram({
    name: 'avow_event_loop_delay_seconds',
    help: 'Time that the event loop was blocked, sampled every 20 ms.',
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const entries = new Counter({
    name: 'avow_ingest_entries_total',
    help: 'Visitor entries in attempted commits, successful or not.',
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
  new Gauge({
    name: 'avow_clock_difference_seconds',
    help: "How far this machine's clock is ahead of the database's; beyond 60 either way jobs and readiness stop.",
    // All processes on one machine report the same value.
    aggregator: 'average',
    registers,
    collect() {
      this.set(clock.difference() / 1000);
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
  const leaves = new Counter({
    name: 'avow_ledger_leaves_total',
    help: 'Records that were sealed in the evidence logs.',
    registers,
  });
  const forged = new Counter({
    name: 'avow_ledger_refused_groups_total',
    help: 'Groups of records that were found with a code that no server made, at each look: they are not sealed.',
    registers,
  });
  let backlog: Backlog | undefined;
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
    vouching: createVouchingMetrics(registry),
    auditing: createAuditMetrics(registry),
    mail: createMailMetrics(registry),
    files: createFileMetrics(registry),
    tcf: createTcfMetrics(registry),
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
    refusedConnection(reason) {
      refused.labels(reason).inc();
    },
    loopDelay(seconds) {
      loopDelays.observe(seconds);
    },
    delivery(result, seconds) {
      deliveries.labels(result).inc();
      if (result !== 'unsendable') latencies.observe(seconds);
    },
    backlog(measured) {
      // Only where it is measured: a process without a dispatcher would report an empty backlog.
      if (backlog === undefined) registerBacklog(registry, () => backlog as Backlog);
      backlog = measured;
    },
    sealed(part) {
      leaves.inc(part.leaves);
      forged.inc(part.forged.length);
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

/** Every process that delivers measures the same: of several, the greatest counts. */
function registerBacklog(registry: Registry, read: () => Backlog): void {
  const gauge = (name: string, help: string, value: (backlog: Backlog) => number): void => {
    new Gauge({
      ...{ name, help, aggregator: 'max', registers: [registry] },
      collect() {
        this.set(value(read()));
      },
    });
  };
  // The instant is stored, so that the age keeps growing while the database is unreachable.
  const age = ({ oldestPendingAt }: Backlog): number =>
    oldestPendingAt === undefined ? 0 : Math.max(0, (clock.now() - oldestPendingAt.getTime()) / 1000);
  gauge('avow_webhook_oldest_pending_seconds', 'Age of the oldest delivery that waits to be sent.', age);
  gauge(
    'avow_webhook_held_deliveries',
    'Deliveries of disabled and paused webhooks, counted up to 1000 of each of 100 webhooks.',
    ({ held }) => held,
  );
  gauge('avow_webhooks_disabled', 'Webhooks that are disabled.', ({ disabled }) => disabled);
}
