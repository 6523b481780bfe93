import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { until } from '../until';

const DIST = join(__dirname, '..', '..', '..', 'dist');

/** How a process ended. */
export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A compiled program of the project as a process of its own, with everything it writes. */
export class Child {
  readonly process: ChildProcess;
  readonly ended: Promise<End>;
  output = '';
  errors = '';

  constructor(program: string, args: string[], variables: Record<string, string>) {
    const file = join(DIST, program);
    if (!existsSync(file))
      throw new Error(`${file} is missing: npm test builds it, and so does npm run build`);
    this.process = spawn(process.execPath, [file, ...args], {
      env: { PATH: process.env.PATH ?? '', HOME: '/tmp', ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stdout?.on('data', (chunk: Buffer) => {
      this.output += chunk.toString();
    });
    this.process.stderr?.on('data', (chunk: Buffer) => {
      this.errors += chunk.toString();
    });
    this.ended = new Promise((resolve) =>
      this.process.once('close', (code, signal) => resolve({ code, signal })),
    );
    children.add(this);
    void this.ended.then(() => children.delete(this));
  }

  get pid(): number {
    return this.process.pid as number;
  }

  get running(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Sends a signal and waits for the end. */
  async kill(signal: NodeJS.Signals = 'SIGTERM'): Promise<End> {
    this.process.kill(signal);
    return this.ended;
  }

  /** The lines of the log, without what is written for people. */
  log(): Record<string, unknown>[] {
    return this.output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}

const children = new Set<Child>();

/** For afterAll: no process of a test outlives it. */
export async function endChildren(): Promise<void> {
  await Promise.all([...children].map((child) => child.kill('SIGKILL')));
}

/** Runs a program to its end. */
export async function runToEnd(
  program: string,
  args: string[],
  variables: Record<string, string>,
): Promise<End & { output: string; errors: string }> {
  const child = new Child(program, args, variables);
  const end = await child.ended;
  return { ...end, output: child.output, errors: child.errors };
}

/** The children of a process. */
export function childrenOf(parent: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([pid = 0, of]) => (of === parent ? [pid] : []));
}

/** Whether a process runs: one that has ended, and that nobody has asked for its end yet, does not. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // It has ended meanwhile, or this is not Linux.
    return process.platform !== 'linux';
  }
}

/** A port that nobody listens on, below those that the system gives to outgoing connections. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const free = await new Promise<boolean>((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (free) return port;
  }
}

/** A server as its operator runs it. */
export class ServerProcess extends Child {
  readonly url: string;

  constructor(
    readonly port: number,
    variables: Record<string, string>,
    /** Another build's folder with `dist`. */
    build = join(DIST, '..'),
  ) {
    super(relative(DIST, join(build, 'dist', 'server', 'src', 'main.js')), [], {
      ...{ PORT: String(port), HOST: '127.0.0.1', RATE_LIMIT: 'off', LOG_LEVEL: 'warn' },
      // No balancer asks, unless a test brings one.
      ...{ DRAIN_SECONDS: '0', VISITOR_WEBHOOKS_PER_SITE: '100' },
      ...variables,
    });
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Starts one and waits until it takes requests. */
  static async start(
    variables: Record<string, string>,
    port?: number,
    build?: string,
  ): Promise<ServerProcess> {
    const server = new ServerProcess(port ?? (await freePort()), variables, build);
    await server.ready();
    return server;
  }

  async ready(limit = 45_000): Promise<void> {
    await until(
      () => `the server becomes ready\n${this.output}\n${this.errors}`,
      async () => {
        if (!this.running)
          throw new Error(`the server ended while starting:\n${this.output}\n${this.errors}`);
        return (await this.readiness()) === 200;
      },
      limit,
    );
  }

  /** The status of /readyz; undefined when nobody answers. */
  async readiness(): Promise<number | undefined> {
    try {
      const response = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(8_000) });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return undefined;
    }
  }

  /** The demo site's token, as the welcome shows it. */
  demoToken(): Promise<string> {
    return until('the welcome shows the demo site', () => /(env_[0-9A-Za-z]{22})/.exec(this.output)?.[1]);
  }

  /** The one-time link, as the welcome shows it. */
  setupLink(): Promise<string> {
    return until(
      'the welcome shows the set-up link',
      () => /(http\S+\/console\/setup#\S+)/.exec(this.output)?.[1],
    );
  }
}
