import pino from 'pino';
import { printable } from '../domain/printable';

/** The most bytes that are written at once. */
const PIECE = 32_768;
/** The longest time that a line waits in memory, in milliseconds. */
const INTERVAL = 500;
/**
 * The maximum bytes that wait for a reader that has stopped; later lines are dropped, so that the service
 * does not stop too.
 */
const MAX_WAITING = 64 * 1024 * 1024;

/**
 * pino's destination: standard output, written in blocks. pino's own buffer measures its whole text again for
 * each line.
 */
export class LogLines {
  private readonly output = pino.destination({ dest: 1, sync: false, maxLength: MAX_WAITING });
  private readonly piece = Buffer.allocUnsafe(PIECE);
  private length = 0;

  constructor() {
    setInterval(() => this.pass(), INTERVAL).unref();
    process.on('exit', () => this.flushSync());
  }

  write(line: string): void {
    this.writePlain(printable(line));
  }

  /** A line that is known to be printable, as those of requests are: each costs less. */
  writePlain(line: string): void {
    // UTF-8 needs three bytes for a character of UTF-16, at most.
    const most = line.length * 3;
    if (this.length + most > PIECE) this.pass();
    if (most > PIECE) this.output.write(line);
    else this.length += this.piece.write(line, this.length);
  }

  /** Starts to write everything out. */
  flush(): void {
    this.pass();
    this.output.flush();
  }

  private flushSync(): void {
    this.pass();
    this.output.flushSync();
  }

  private pass(): void {
    if (this.length === 0) return;
    this.output.write(this.piece.toString('utf8', 0, this.length));
    this.length = 0;
  }
}
