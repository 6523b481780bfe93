import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** What a connection has brought, and which request was its last. */
interface Brought {
  request: IncomingMessage | undefined;
  /** How much it had brought when that request began, and when the request was over. */
  before: number;
  after: number | undefined;
  /** Since when it brings more, by the look that saw it. */
  since: number | undefined;
}

/** How often connections are looked at, and how long the beginning of a request may take, in milliseconds. */
export const QUIET = { look: 1_000, longest: 10_000 };

/** Whose body is refused may send that much more of it, until the answer is there. */
const REFUSED = 32;

/**
 * Ends connections that bring what belongs to no request: Node's parser takes empty lines between two requests, and
 * zeros before the size of a chunk, without end and without a word, and each of them counts as a sign of life.
 */
export class UnaskedBytes {
  private readonly connections = new Map<Socket, Brought>();
  private readonly timer: NodeJS.Timeout;

  /** `most`: bytes of one request, with what frames its body. */
  constructor(
    private readonly most: number,
    private readonly times = QUIET,
  ) {
    this.timer = setInterval(() => this.look(performance.now()), times.look).unref();
  }

  watch(socket: Socket): void {
    this.connections.set(socket, { request: undefined, before: 0, after: undefined, since: undefined });
    socket.once('close', () => this.connections.delete(socket));
  }

  /** A request has begun. */
  begins(request: IncomingMessage): void {
    const brought = this.connections.get(request.socket);
    if (brought === undefined) return;
    const before = request.socket.bytesRead;
    Object.assign(brought, { request, before, after: undefined, since: undefined });
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(now: number): void {
    for (const [socket, brought] of this.connections)
      if (this.isTooMuch(socket, brought, now)) socket.destroy();
  }

  private isTooMuch({ bytesRead }: Socket, brought: Brought, now: number): boolean {
    const { request } = brought;
    const most = this.most * (request !== undefined && isRefused(request) ? REFUSED : 1);
    if (bytesRead - brought.before > most) return true;
    if (request?.complete === false) return false;
    brought.after ??= request === undefined ? 0 : bytesRead;
    if (bytesRead === brought.after) return false;
    brought.since ??= now;
    return now - brought.since > this.times.longest;
  }
}

/** Nobody reads the rest of its body, and Node bounds how long that may take. */
const isRefused = (request: IncomingMessage): boolean =>
  !request.complete && request.listenerCount('data') === 0;
