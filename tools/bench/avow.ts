import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from '../../server/src/config/paths';

/** The maximum time until a server is ready, in milliseconds. */
const MAX_WAIT = 60_000;

/** The maximum age of the metrics in an answer, in milliseconds. */
const METRICS_AGE = 1_100;

/** Shared by all servers of a run, because they use the same databases one after the other. */
export const SECRETS_KEY = randomBytes(32).toString('base64');

/** Settings of every server in the benchmark; printed with the results. */
export const SETTINGS = { NODE_ENV: 'production', RATE_LIMIT: 'off', LOG_LEVEL: 'info' };

/** A real server in a process of its own; its log goes to /dev/null. */
export class Avow {
  private constructor(
    private readonly process: ChildProcess,
    readonly port: number,
  ) {}

  static async start(databaseUrl: string, settings: Record<string, string> = {}): Promise<Avow> {
    const port = await freePort();
    const program = join(__dirname, '..', '..', 'server', 'src', 'main.js');
    const flags = process.env.BENCH_NODE_FLAGS?.split(' ') ?? [];
    const child = spawn(process.execPath, [...flags, program], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        ...SETTINGS,
        PORT: String(port),
        DRAIN_SECONDS: '0',
        HOST: '127.0.0.1',
        DATABASE_URL: databaseUrl,
        JWT_SECRET: randomBytes(32).toString('hex'),
        SECRETS_KEY,
        ...settings,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const avow = new Avow(child, port);
    await avow.ready();
    return avow;
  }

  /** The current metrics: the sum of each over all labels. */
  async metrics(): Promise<Map<string, number>> {
    await delay(METRICS_AGE);
    const response = await fetch(`http://127.0.0.1:${this.port}/metrics`);
    const sums = new Map<string, number>();
    for (const line of (await response.text()).split('\n')) {
      const [, name = '', value] = /^([a-z_]+)(?:\{.*\})? ([\d.e+-]+)$/.exec(line) ?? [];
      if (name !== '') sums.set(name, (sums.get(name) ?? 0) + Number(value));
    }
    return sums;
  }

  get pid(): number {
    return this.process.pid as number;
  }

  /** Processor time so far, in seconds. */
  async cpu(): Promise<number> {
    return (await this.metrics()).get('process_cpu_seconds_total') ?? Number.NaN;
  }

  /** Resident memory, in MB. */
  async memory(): Promise<number> {
    return ((await this.metrics()).get('process_resident_memory_bytes') ?? Number.NaN) / 1e6;
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const gone = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    await gone;
  }

  private async ready(): Promise<void> {
    const until = Date.now() + MAX_WAIT;
    while (Date.now() < until) {
      if (this.process.exitCode !== null) throw new Error('Avow ended while starting: see its message above');
      const response = await fetch(`http://127.0.0.1:${this.port}/readyz`).catch(() => undefined);
      await response?.arrayBuffer();
      if (response?.status === 200) return;
      await delay(50);
    }
    await this.stop();
    throw new Error(`Avow was not ready after ${MAX_WAIT / 1000} s`);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
