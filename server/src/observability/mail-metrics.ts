import { Counter, Gauge, type Registry } from 'prom-client';
import { clock } from '../domain/clock';

/** Of mails, for the metrics. */
export interface MailMetrics {
  /** Counts an attempt to hand a mail to the mail server. */
  attempt(result: string): void;
  /** Counts a mail that was sent and came back. */
  bounce(): void;
  /** What waits, as a process that sends has measured it. */
  backlog(backlog: { oldestAt: Date | undefined; failed: number }): void;
}

export function createMailMetrics(registry: Registry): MailMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: 'avow_mail_attempts_total',
    help: 'Attempts to hand a mail to the mail server, by what became of it.',
    labelNames: ['result'],
    registers,
  });
  const bounces = new Counter({
    name: 'avow_mail_bounces_total',
    help: 'Mails that the mail server took and that came back.',
    registers,
  });
  let measured: { oldestAt: Date | undefined; failed: number } | undefined;
  return {
    attempt: (result) => attempts.labels(result.replaceAll(' ', '_')).inc(),
    bounce: () => bounces.inc(),
    backlog(backlog) {
      // Only where it is measured: a process that sends nothing would report an empty backlog.
      if (measured === undefined) registerBacklog(registry, () => measured as NonNullable<typeof measured>);
      measured = backlog;
    },
  };
}

function registerBacklog(
  registry: Registry,
  read: () => { oldestAt: Date | undefined; failed: number },
): void {
  const registers = [registry];
  new Gauge({
    name: 'avow_mail_oldest_pending_seconds',
    help: 'Age of the oldest mail that waits to be sent.',
    aggregator: 'max',
    registers,
    collect() {
      const { oldestAt } = read();
      this.set(oldestAt === undefined ? 0 : Math.max(0, (clock.now() - oldestAt.getTime()) / 1000));
    },
  });
  new Gauge({
    name: 'avow_mails_failed',
    help: 'Mails of the last 24 hours that were refused, not sent in time or came back.',
    aggregator: 'max',
    registers,
    collect() {
      this.set(read().failed);
    },
  });
}
