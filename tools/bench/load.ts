import { connect, type Socket } from 'node:net';
import { answerCalls } from './child';
import { Latencies, type Summary } from './latencies';
import { number, type Prepared, prepare, type Template } from './requests';

/** What to send. Each connection waits for an answer before it sends the next request. */
export interface Job {
  port: number;
  connections: number;
  /** Assigned to the connections in turn; when there are more than connections, each has several, in turn. */
  templates: Template[];
  /** Ends after this many seconds … */
  seconds?: number;
  /** … or after this many requests. */
  count?: number;
  /** The number of the first request. */
  first: number;
  /** How many numbers there are before they repeat. */
  cycle?: number;
}

/** The results of a job. */
export interface Answers extends Summary {
  answers: number;
  byStatus: Record<string, number>;
  seconds: number;
  /** Processor time of the load generator, in seconds. */
  cpu: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = Buffer.from('Content-Length: ');

/**
 * The load generator: a separate process with raw sockets, because any HTTP client would cost more than the
 * server that it measures.
 */
class Load {
  private readonly latencies = new Latencies();
  private readonly byStatus: Record<string, number> = {};
  private sent = 0;
  private answers = 0;
  private readonly until: number;

  constructor(private readonly job: Job) {
    this.until =
      job.seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + job.seconds * 1000;
  }

  async run(): Promise<Answers> {
    const startedAt = performance.now();
    const cpuBefore = process.cpuUsage();
    await Promise.all(Array.from({ length: this.job.connections }, (_, index) => this.converse(index)));
    const { user, system } = process.cpuUsage(cpuBefore);
    return {
      answers: this.answers,
      byStatus: this.byStatus,
      seconds: (performance.now() - startedAt) / 1000,
      cpu: (user + system) / 1e6,
      ...this.latencies.summary(),
    };
  }

  /** One connection: a request, its answer, the next request. */
  private converse(index: number): Promise<void> {
    const { port } = this.job;
    const requests = this.templatesOf(index).map(prepare);
    let turn = 0;
    return new Promise((resolve, reject) => {
      let sentAt = 0;
      let unread: Buffer | undefined;
      const next = (now: number): void => {
        if (!this.more(now)) {
          socket.destroy();
          resolve();
          return;
        }
        this.send(socket, requests[turn++ % requests.length] as Prepared);
        sentAt = now;
      };
      const read = (length: number, shared: Uint8Array): boolean => {
        let bytes = shared.subarray(0, length) as Buffer;
        if (unread !== undefined) bytes = Buffer.concat([unread, bytes]);
        const status = statusOf(bytes);
        if (status === undefined) {
          unread = Buffer.from(bytes);
          return true;
        }
        unread = undefined;
        const now = performance.now();
        this.latencies.add(now - sentAt);
        this.byStatus[status] = (this.byStatus[status] ?? 0) + 1;
        this.answers += 1;
        next(now);
        return true;
      };
      const socket = connect({
        port,
        host: '127.0.0.1',
        noDelay: true,
        onread: { buffer: Buffer.allocUnsafe(65_536), callback: read },
      });
      socket.once('connect', () => next(performance.now()));
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('The server closed a connection before its answer')));
    });
  }

  private templatesOf(index: number): Template[] {
    const { templates, connections } = this.job;
    if (templates.length <= connections) return [templates[index % templates.length] as Template];
    return templates.filter((_, n) => n % connections === index);
  }

  private more(now: number): boolean {
    const { count = Number.POSITIVE_INFINITY } = this.job;
    return now < this.until && this.sent < count;
  }

  private send(socket: Socket, request: Prepared): void {
    const { first, cycle } = this.job;
    number(request, cycle === undefined ? first + this.sent : first + (this.sent % cycle));
    this.sent += 1;
    // The previous request is answered, so its bytes can be overwritten.
    socket.write(request.bytes);
  }
}

/**
 * The status of a complete answer; undefined while a part of it is missing. Throws for an answer without a
 * length.
 */
function statusOf(bytes: Buffer): number | undefined {
  const head = bytes.indexOf(HEAD_END);
  if (head === -1) return undefined;
  const lengthAt = bytes.indexOf(LENGTH);
  if (lengthAt === -1 || lengthAt > head)
    throw new Error(`An answer has no Content-Length: ${bytes.toString('latin1', 0, bytes.indexOf('\r'))}`);
  let length = 0;
  for (let at = lengthAt + LENGTH.length; (bytes[at] as number) >= 48; at += 1) {
    length = length * 10 + (bytes[at] as number) - 48;
  }
  if (bytes.length < head + 4 + length) return undefined;
  return (bytes[9] as number) * 100 + (bytes[10] as number) * 10 + (bytes[11] as number) - 5328;
}

answerCalls((job: Job) => new Load(job).run());
