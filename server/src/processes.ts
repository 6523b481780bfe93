import cluster, { type Worker } from 'node:cluster';
import { createServer, type Server } from 'node:http';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Logger } from './logger';

/** How long a process that died is waited for before the next try, in milliseconds. */
const RESTART_DELAY = 1_000;

/** Keeps a number of processes running that share the port. */
export class Processes {
  private stopping = false;

  constructor(
    private readonly count: number,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly log: Logger,
  ) {}

  /** Starts them; resolves when each of them answers. */
  async start(): Promise<void> {
    const aggregate = new AggregatorRegistry();
    cluster.on('message', (worker: Worker, message: { avowMetrics?: number }) => {
      if (message?.avowMetrics === undefined) return;
      const reply = (body: object): void => void worker.send({ avowMetrics: message.avowMetrics, ...body });
      aggregate.clusterMetrics().then(
        (text) => reply({ text }),
        (error: Error) => reply({ error: error.message }),
      );
    });
    cluster.on('exit', (worker, code, signal) => {
      if (this.stopping) return;
      this.log.error({ worker: worker.process.pid, code, signal }, 'a process died; another one is started');
      setTimeout(() => !this.stopping && cluster.fork(this.environment), RESTART_DELAY);
    });
    const listening = Array.from(
      { length: this.count },
      () =>
        new Promise<void>((resolve, reject) => {
          const worker = cluster.fork(this.environment);
          worker.once('listening', () => resolve());
          worker.once('exit', () =>
            reject(new Error('a process ended while starting: see its message above')),
          );
        }),
    );
    await Promise.all(listening).catch((error) => {
      this.stopping = true;
      throw error;
    });
  }

  /** Ends them all, each finishing what it has in flight. */
  async stop(): Promise<void> {
    this.stopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(
      workers.map(
        (worker) =>
          new Promise<void>((resolve) => {
            worker.once('exit', () => resolve());
            worker.process.kill('SIGTERM');
          }),
      ),
    );
  }
}

/** In one of several processes: the metrics of all of them, collected by the first. */
export function metricsOfAll(registry: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries(registry);
  new AggregatorRegistry();
  const waiting = new Map<number, { resolve(text: string): void; reject(error: Error): void }>();
  let last = 0;
  process.on('message', (message: { avowMetrics?: number; text?: string; error?: string }) => {
    if (message?.avowMetrics === undefined) return;
    const entry = waiting.get(message.avowMetrics);
    waiting.delete(message.avowMetrics);
    if (message.text !== undefined) entry?.resolve(message.text);
    else entry?.reject(new Error(message.error));
  });
  return () =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      process.send?.({ avowMetrics: last });
    });
}

/** Serves the metrics on a port of their own, so that the public port need not. */
export async function serveMetrics(
  port: number,
  host: string,
  collect: () => Promise<string>,
): Promise<Server> {
  const server = createServer((request, response) => {
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
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

/** The metrics of all processes, asked for in the first. */
export const aggregatedMetrics = (): Promise<string> => new AggregatorRegistry().clusterMetrics();
