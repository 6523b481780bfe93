import { AsyncResource } from 'node:async_hooks';
import { constants } from 'node:crypto';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { Failure } from '../failure';
import { Handshake } from './handshake';
import { Records } from './records';
import { leftFor, spend, waitFor } from './turns';

/** A server of TLS 1.2 could else begin another handshake later, where nobody else reads it. */
export const NO_SECOND_HANDSHAKE = constants.SSL_OP_NO_RENEGOTIATION;

/** What a short record counts as in a turn of the event loop, in bytes. */
const SHORT_COST = 256;
/** Session tickets for one request: servers send one to four in all. Each takes 8 µs, and a record has room for 900. */
const MOST_TICKETS = 16;

/**
 * A connection whose TLS handshake and records are read before they are handed on, a little in each turn of the event loop.
 * Ends with a `Failure` when they cost too much.
 */
export class Guarded extends Duplex {
  /** None when it was read. */
  private handshake: Handshake | undefined = new Handshake();
  /** Of what comes after it. */
  private records: Records | undefined;
  private brought = (): number => 0;
  private tickets = 0;
  /** In order; parts of the handshake have been counted. */
  private readonly waiting: { chunk: Buffer; records: Records | undefined }[] = [];
  private isWanted = false;
  /** What is to be done when nothing waits. */
  private readonly last: (() => void)[] = [];
  /** The turn is begun by whichever connection comes first. */
  private readonly next = AsyncResource.bind(() => this.handOn());

  constructor(private readonly plain: Socket) {
    // Asks for more only when everything has been read, since what it brought counts.
    super({ allowHalfOpen: true, readableHighWaterMark: 1 });
    plain.on('data', (chunk: Buffer) => {
      const { handshake } = this;
      if (handshake === undefined) this.give(chunk);
      else this.pass(handshake, () => handshake.take(chunk));
    });
    plain.once('end', () => this.atLast(() => this.push(null)));
    plain.on('error', (error) => this.atLast(() => this.destroy(error)));
    plain.once('close', () => this.atLast(() => this.destroy()));
    plain.pause();
  }

  /** The connection above tells its keys, its tickets, and how much it brings to its reader. */
  listenTo(secure: TLSSocket): void {
    this.brought = () => secure.bytesRead;
    secure.on('keylog', (line: Buffer) => {
      const { handshake } = this;
      if (handshake !== undefined && !this.destroyed) this.pass(handshake, () => handshake.takeKey(line));
    });
    secure.on('session', () => {
      this.tickets += 1;
      if (this.tickets > MOST_TICKETS) this.destroy(new Failure('TOO_MANY_RECORDS'));
    });
  }

  /** Another request begins on this connection. */
  restart(): void {
    this.tickets = 0;
    this.records?.restart();
  }

  override _read(): void {
    this.isWanted = true;
    if (this.waiting.length > 0) waitFor(this.next);
    else if (this.plain.isPaused()) this.plain.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.plain.write(chunk, this.afterRest(done));
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.plain.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), this.afterRest(done));
  }

  override _final(done: () => void): void {
    this.plain.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.waiting.length = 0;
    this.plain.destroy();
    done(error);
  }

  private pass(handshake: Handshake, read: () => Buffer): void {
    try {
      this.give(read());
      if (handshake.version === undefined || !handshake.done || this.handshake === undefined) return;
      this.handshake = undefined;
      this.records = new Records(handshake.version, () => this.brought());
      this.give(handshake.after);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  /** An answer may have come before a request could not be written to its end. */
  private afterRest(done: (error?: Error | null) => void): (error?: Error | null) => void {
    return (error) => (error ? this.atLast(() => done(error)) : done());
  }

  private give(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.waiting.push({ chunk, records: this.records });
    this.handOn();
  }

  private atLast(what: () => void): void {
    this.last.push(what);
    this.handOn();
  }

  /** Hands on what waits, as far as this turn of the event loop and the reader go. */
  private handOn(): void {
    while (this.isWanted && this.waiting.length > 0 && !this.destroyed) {
      const left = leftFor(this.next);
      if (left === 0) break;
      this.handOnUpTo(left);
    }
    if (this.waiting.length > 0) this.plain.pause();
    else {
      if (this.last.length > 0) for (const what of this.last.splice(0)) what();
      if (this.isWanted && this.plain.isPaused()) this.plain.resume();
    }
  }

  private handOnUpTo(most: number): void {
    const [next] = this.waiting;
    if (next === undefined) return;
    const { chunk, records } = next;
    const before = records?.short ?? 0;
    let size = Math.min(chunk.length, most);
    try {
      size = records?.take(chunk.subarray(0, size), Math.ceil(most / SHORT_COST)) ?? size;
    } catch (error) {
      this.destroy(error as Error);
      return;
    }
    spend(size + SHORT_COST * ((records?.short ?? 0) - before));
    // Before it is handed on: OpenSSL then tells the key, and more is.
    if (size < chunk.length) next.chunk = chunk.subarray(size);
    else this.waiting.shift();
    this.isWanted = this.push(chunk.subarray(0, size));
  }
}
