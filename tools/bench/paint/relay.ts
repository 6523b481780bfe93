import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A port that leads to another one, where setting up the first connection of a visit takes time, as it does over
 * a distance. Further connections cost nothing, as with HTTP/2, which needs none.
 */
export class Relay {
  /** Milliseconds that a handshake takes. */
  handshake = 0;
  /** The port that it leads to. */
  target = 0;
  private ready: Promise<void> | undefined;
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer({ pauseOnConnect: true }, (socket) => {
    this.ready ??= delay(this.handshake);
    void this.ready.then(() => this.join(socket));
  });

  static async start(): Promise<Relay> {
    const relay = new Relay();
    relay.server.listen(0, '127.0.0.1');
    await once(relay.server, 'listening');
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Begins a visit, which knows no connection. */
  forget(): void {
    this.ready = undefined;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(socket: Socket): void {
    const other = connect(this.target, '127.0.0.1');
    for (const [one, two] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.sockets.add(one);
      one.setNoDelay(true);
      // A browser that goes away breaks its connections off.
      one.on('error', () => two.destroy());
      one.on('close', () => this.sockets.delete(one));
      one.pipe(two);
    }
  }
}
