import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ROOT } from '../config/paths';
import type { TimeStamp, TimeStampQuery } from '../domain/ledger/time-stamp';
import type { StampResult, StampTask } from './read-stamps';

/** The compiled file, even when tests run from source. */
const READER = join(ROOT, 'dist', 'server', 'src', 'ledger', 'read-stamps.js');
/** What one answer may take, in milliseconds: real ones take some ten. */
const PATIENCE = 5_000;
/** How long a thread stays that nobody asks: the library for ASN.1 takes 14 MB. */
const IDLE = 60_000;
/** Memory limit of the thread, in MiB. */
const MEMORY = 128;

/**
 * Reads answers of time-stamp authorities in a thread of its own, one after the other: the library is synchronous, and
 * an answer of 64 KiB can take it some hundred milliseconds.
 */
export class StampReader {
  private thread: Worker | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private idle: NodeJS.Timeout | undefined;

  /** The body of a request, `application/timestamp-query`. */
  async write(query: TimeStampQuery): Promise<Buffer> {
    const result = await this.ask({ query });
    if ('fault' in result) throw new Error(result.fault);
    return Buffer.from(result.bytes);
  }

  /** Reads and checks an answer, `application/timestamp-reply`. Throws when it is no time-stamp for the query. */
  async read(answer: Buffer, query: TimeStampQuery): Promise<TimeStamp> {
    const result = await this.ask({ query, answer });
    if ('fault' in result) throw new Error(result.fault);
    return { token: Buffer.from(result.bytes), genTime: result.genTime as Date };
  }

  private ask(task: StampTask): Promise<StampResult> {
    const turn = this.last.then(() => this.run(task));
    this.last = turn.catch(() => undefined);
    return turn;
  }

  private async run(task: StampTask): Promise<StampResult> {
    clearTimeout(this.idle);
    const thread = this.thread ?? this.start();
    const over = new AbortController();
    try {
      return await Promise.race([
        new Promise<StampResult>((resolve, reject) => {
          thread.removeAllListeners('error').once('message', resolve).once('error', reject);
          thread.postMessage(task);
        }),
        delay(PATIENCE, undefined, { signal: over.signal }).then(() => {
          throw new Error('it took too long to read');
        }),
      ]);
    } catch (error) {
      thread.removeAllListeners();
      this.end();
      throw error;
    } finally {
      over.abort();
      thread.removeAllListeners('message');
      this.idle = setTimeout(() => this.end(), IDLE).unref();
    }
  }

  private start(): Worker {
    const thread = new Worker(READER, { resourceLimits: { maxOldGenerationSizeMb: MEMORY } });
    // A process that is done does not wait for it.
    thread.unref();
    this.thread = thread;
    return thread;
  }

  private end(): void {
    const { thread } = this;
    this.thread = undefined;
    // Beyond its memory it ends by an error that nobody waits for.
    thread?.on('error', () => undefined);
    void thread?.terminate();
  }
}
