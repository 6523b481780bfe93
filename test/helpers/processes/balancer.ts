import { type AddressInfo, createServer, connect as open, type Server, type Socket } from 'node:net';

/** How often a process is asked whether it is ready, in milliseconds. */
const INTERVAL = 200;

/** A plain TCP load balancer: passes bytes on, knows nothing of HTTP, and asks each process for /readyz. */
export class Balancer {
  private readonly ready = new Set<number>();
  private readonly sockets = new Set<Socket>();
  private readonly timer: NodeJS.Timeout;
  private turn = 0;
  /** Connections by the port that they were led to. */
  readonly led = new Map<number, number>();

  private constructor(
    private readonly server: Server,
    private readonly ports: readonly number[],
  ) {
    server.on('connection', (client) => this.join(client));
    this.timer = setInterval(() => void this.look(), INTERVAL);
  }

  static async before(ports: readonly number[]): Promise<Balancer> {
    const server = createServer({ allowHalfOpen: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const balancer = new Balancer(server, ports);
    await balancer.look();
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  isReady(port: number): boolean {
    return this.ready.has(port);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async look(): Promise<void> {
    await Promise.all(
      this.ports.map(async (port) => {
        const signal = AbortSignal.timeout(2_000);
        const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).catch(() => undefined);
        if (answer?.status === 200) this.ready.add(port);
        else this.ready.delete(port);
      }),
    );
  }

  private join(client: Socket): void {
    const ports = [...this.ready];
    this.turn += 1;
    const port = ports[this.turn % ports.length];
    if (port === undefined) {
      client.resetAndDestroy();
      return;
    }
    this.led.set(port, (this.led.get(port) ?? 0) + 1);
    const server = open({ port, host: '127.0.0.1', allowHalfOpen: true });
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.resetAndDestroy());
      from.on('close', () => this.sockets.delete(from));
    }
  }
}
