import type { AddressInfo } from 'node:net';
import { createServer, connect as open, type Server, type Socket } from 'node:net';

/** A way to the database that can break: connections are cut, refused, or fall silent. */
export class Wire {
  private readonly pairs = new Set<[Socket, Socket]>();
  private silent = false;
  refusing = false;

  private constructor(
    private readonly server: Server,
    private target: URL,
  ) {
    server.on('connection', (socket) => this.join(socket));
  }

  /** A proxy to the database of a connection string. */
  static async to(url: string): Promise<Wire> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Wire(server, new URL(url));
  }

  /** The connection string that leads through it. */
  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return url.href;
  }

  /** New connections lead to another database, as after a name was changed; those that are open stay. */
  leadTo(url: string): void {
    this.target = new URL(url);
  }

  /** Ends all connections at once, in the middle of whatever they carry. */
  cut(): void {
    for (const pair of this.pairs) for (const socket of pair) socket.resetAndDestroy();
  }

  /** Nothing passes any more, and nobody is told. */
  freeze(): void {
    this.silent = true;
    for (const pair of this.pairs) for (const socket of pair) socket.pause();
  }

  thaw(): void {
    this.silent = false;
    for (const pair of this.pairs) for (const socket of pair) socket.resume();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket): void {
    if (this.refusing) {
      client.resetAndDestroy();
      return;
    }
    const { port, hostname } = this.target;
    const database = open(Number(port), hostname);
    const pair: [Socket, Socket] = [client, database];
    this.pairs.add(pair);
    for (const [from, to] of [pair, [database, client]] as const) {
      from.on('data', (chunk) => void to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        this.pairs.delete(pair);
      });
      if (this.silent) from.pause();
    }
  }
}
