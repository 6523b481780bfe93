import cluster, { type Worker } from 'node:cluster';
import { createServer, type Server } from 'node:http';
import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client';
import { ConfigError } from '../config';
import type { Logger } from '../observability/logger';
import { watchHeartbeat } from './heartbeat';

/** How long after a process died another one is started, in milliseconds. */
const RESTART_DELAY = 1_000;
/** How long a process may take to report its metrics, in milliseconds; slower or dead ones are left out. */
const METRICS_LIMIT = 2_000;

/** What the processes say to each other: a question for metrics, and its answer. */
interface Message {
  avow?: 'ask' | 'tell' | 'ask all' | 'tell all';
  id: number;
  metrics?: MetricObject[];
  text?: string;
}

/** Keeps a number of processes running that share the port. */
export class Processes {
  private stopping = false;
  private asked = 0;
  private readonly answers = new Map<number, (metrics: MetricObject[]) => void>();

  constructor(
    private readonly count: number,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly own: Registry,
    private readonly log: Logger,
  ) {}

  /** Starts them; resolves with the port when each of them answers. */
  async start(): Promise<number> {
    cluster.on('message', (worker: Worker, message: Message) => void this.hear(worker, message));
    try {
      const ports = await Promise.all(Array.from({ length: this.count }, () => this.keep()));
      const port = ports[0] as number;
      // Later processes must use the same port, also when it was chosen freely.
      this.environment.PORT = String(port);
      return port;
    } catch (error) {
      this.stopping = true;
      throw error;
    }
  }

  /** Stops them all; each drains, unless it is hurried, and finishes what is in flight. */
  async stop(hurried: AbortSignal): Promise<void> {
    this.stopping = true;
    const hurry = (): void => signalAll('SIGINT');
    hurried.addEventListener('abort', hurry);
    const ends = workers().map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
    signalAll(hurried.aborted ? 'SIGINT' : 'SIGTERM');
    await Promise.all(ends);
    hurried.removeEventListener('abort', hurry);
  }

  /** The metrics of all processes, the first included, added up in Prometheus' text format. */
  async metrics(): Promise<string> {
    const own = await this.own.getMetricsAsJSON();
    const others = await Promise.all(workers().map((worker) => this.ask(worker)));
    return AggregatorRegistry.aggregate([own, ...others.filter((metrics) => metrics.length > 0)]).metrics();
  }

  /**
   * Keeps one process running; resolves with its port when it listens. Rejects if it exits before that,
   * because it would do so again; one that hung is replaced.
   */
  private keep(): Promise<number> {
    return new Promise((resolve, reject) => {
      let hasListened = false;
      const begin = (): void => {
        const worker = cluster.fork(this.environment);
        let isSilent = false;
        watchHeartbeat(worker, (seconds) => {
          if (this.stopping) return;
          isSilent = true;
          this.log.error({ worker: worker.process.pid, seconds }, 'a process no longer answers: it is ended');
          worker.process.kill('SIGKILL');
        });
        worker.once('listening', ({ port }) => {
          hasListened = true;
          resolve(port);
        });
        worker.once('exit', (code, signal) => {
          if (!hasListened && !isSilent)
            reject(new Error('a process ended while starting: see its message above.'));
          if (this.stopping || !(hasListened || isSilent)) return;
          const died = { worker: worker.process.pid, code, signal };
          this.log.error(died, 'a process died; another one is started');
          setTimeout(() => !this.stopping && begin(), RESTART_DELAY);
        });
      };
      begin();
    });
  }

  private ask(worker: Worker): Promise<MetricObject[]> {
    this.asked += 1;
    const id = this.asked;
    return new Promise((resolve) => {
      const done = (metrics: MetricObject[]): void => {
        clearTimeout(timer);
        this.answers.delete(id);
        resolve(metrics);
      };
      const timer = setTimeout(() => done([]), METRICS_LIMIT);
      this.answers.set(id, done);
      worker.send({ avow: 'ask', id } satisfies Message, undefined, undefined, (error) => error && done([]));
    });
  }

  private async hear(worker: Worker, { avow, id, metrics }: Message): Promise<void> {
    if (avow === 'tell') this.answers.get(id)?.(metrics ?? []);
    if (avow !== 'ask all') return;
    const text = await this.metrics().catch(() => undefined);
    const answer: Message = { avow: 'tell all', id, ...(text === undefined ? {} : { text }) };
    worker.send(answer, undefined, undefined, () => undefined);
  }
}

const workers = (): Worker[] =>
  Object.values(cluster.workers ?? {}).filter((worker): worker is Worker => worker?.isConnected() === true);

function signalAll(signal: NodeJS.Signals): void {
  for (const worker of workers()) worker.process.kill(signal);
}

/**
 * In one of several processes: reports its metrics on request, and asks the first process for those of all.
 */
export function metricsOfAll(registry: Registry): () => Promise<string> {
  const waiting = new Map<number, (text: string | undefined) => void>();
  let last = 0;
  process.on('message', (message: Message) => {
    if (message.avow === 'ask') {
      registry.getMetricsAsJSON().then(
        (metrics) => process.send?.({ avow: 'tell', id: message.id, metrics } satisfies Message),
        () => process.send?.({ avow: 'tell', id: message.id } satisfies Message),
      );
    }
    if (message.avow !== 'tell all') return;
    waiting.get(message.id)?.(message.text);
    waiting.delete(message.id);
  });
  return () =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, (text) =>
        text === undefined ? reject(new Error('the first process has no metrics')) : resolve(text),
      );
      process.send?.({ avow: 'ask all', id: last } satisfies Message, undefined, undefined, (error) => {
        if (error !== null) reject(error);
      });
    });
}

/** Serves the metrics on a port of their own, so that the public port need not. */
export async function serveMetrics(
  port: number,
  host: string,
  collect: () => Promise<string>,
): Promise<Server> {
  const server = createServer((request, response) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    collect().then(
      (text) =>
        response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      () => response.writeHead(503).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(
        new ConfigError(
          `METRICS_PORT ${port} cannot be used on METRICS_HOST ${host} (${code}): set them to others.`,
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
  return server;
}
