import { constants } from 'node:crypto';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { Handshake } from './handshake';
import { ShortRecords } from './records';

/** A server of TLS 1.2 could else begin another handshake later, where nobody else reads it. */
export const NO_SECOND_HANDSHAKE = constants.SSL_OP_NO_RENEGOTIATION;

/** A connection whose TLS handshake is read before it is handed on. Ends with a `Failure` when it costs too much. */
export class Guarded extends Duplex {
  /** None when it was read. */
  private handshake: Handshake | undefined = new Handshake();
  private readonly records = new ShortRecords();

  constructor(private readonly plain: Socket) {
    super({ allowHalfOpen: true });
    plain.on('data', (chunk: Buffer) => {
      if (this.handshake === undefined) this.count(chunk);
      else this.pass(this.handshake, (handshake) => handshake.take(chunk));
    });
    plain.once('end', () => this.push(null));
    plain.on('error', (error) => this.destroy(error));
    plain.once('close', () => this.destroy());
    plain.pause();
  }

  /** A line of the key log of the connection above. */
  takeKey(line: Buffer): void {
    if (this.handshake !== undefined && !this.destroyed)
      this.pass(this.handshake, (handshake) => handshake.takeKey(line));
  }

  override _read(): void {
    this.plain.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.records.wrote(chunk);
    this.plain.write(chunk, done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    for (const { chunk } of chunks) this.records.wrote(chunk);
    this.plain.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: () => void): void {
    this.plain.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.plain.destroy();
    done(error);
  }

  private pass(handshake: Handshake, read: (handshake: Handshake) => Buffer): void {
    try {
      const chunk = read(handshake);
      if (handshake.done) {
        this.handshake = undefined;
        this.records.take(handshake.after);
      }
      this.give(chunk);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  /** Counts before OpenSSL reads: the limits of what an answer may bring look only now and then. */
  private count(chunk: Buffer): void {
    try {
      this.records.take(chunk);
      this.give(chunk);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  private give(chunk: Buffer): void {
    if (chunk.length > 0 && !this.push(chunk)) this.plain.pause();
  }
}
