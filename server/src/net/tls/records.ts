import { Failure } from '../failure';

/** Bytes of a record's header: what it holds, a version, its length (RFC 8446 §5.1). */
const HEADER = 5;
const [ALERT, HANDSHAKE] = [21, 22] as const;
/**
 * Of TLS 1.2 the server's last message of a handshake is encrypted: 32 to 96 bytes, by suite. Behind it, and in later
 * records, it might ask for another handshake thousands of times, and each time OpenSSL answers.
 */
const FINISHED_BYTES = 128;
/** Also of TLS 1.2, where they can be told from the rest. */
const MOST_ALERTS = 8;
/** A change of keys takes OpenSSL as long as kilobytes. Up to so many bytes a record is taken for one. */
const SHORT_BYTES = 512;
/**
 * Short ones that a server may send for one request: so many, and one more for so many bytes that anybody reads, since
 * some servers send each line by itself, with a record for its length; and never more than the last number.
 */
const [FREE, BYTES_FOR_ONE, MOST] = [200, 8, 60_000] as const;

/** Counts the records of a server after its handshake, before OpenSSL reads them. */
export class Records {
  /** Short ones since the connection began. */
  short = 0;
  private type = 0;
  private header = 0;
  private length = 0;
  /** Of the body of the present record. */
  private left = 0;
  private handshakes = 0;
  private alerts = 0;
  /** When the request began. */
  private before = { short: 0, bytes: 0 };

  /** `brought` tells how many bytes the connection has brought to its reader. */
  constructor(
    private readonly version: '1.2' | '1.3',
    private readonly brought: () => number,
  ) {}

  /** Another request begins. */
  restart(): void {
    this.before = { short: this.short, bytes: this.brought() };
  }

  /**
   * Takes what is handed on next, at first from the beginning of a record, until so many short ones have begun. Returns
   * how many bytes that is. Throws `Failure`.
   */
  take(chunk: Buffer, mostShort: number): number {
    const until = this.short + mostShort;
    let at = 0;
    while (at < chunk.length && this.short < until) {
      if (this.left > 0) {
        const skipped = Math.min(this.left, chunk.length - at);
        this.left -= skipped;
        at += skipped;
        continue;
      }
      if (this.header === 0) this.type = chunk.readUInt8(at);
      this.length = ((this.length << 8) | chunk.readUInt8(at)) & 0xffff;
      this.header += 1;
      at += 1;
      if (this.header === HEADER) this.begin();
    }
    return at;
  }

  private begin(): void {
    this.left = this.length;
    this.header = 0;
    // TLS 1.3 says of all records that they hold data.
    if (this.version === '1.2') this.beginOld();
    if (this.length > SHORT_BYTES) return;
    this.short += 1;
    const { short, bytes } = this.before;
    const allowed = Math.min(FREE + (this.brought() - bytes) / BYTES_FOR_ONE, MOST);
    if (this.short - short > allowed) throw new Failure('TOO_MANY_RECORDS');
  }

  private beginOld(): void {
    if (this.type === HANDSHAKE) {
      this.handshakes += 1;
      if (this.handshakes > 1 || this.length > FINISHED_BYTES) throw new Failure('SECOND_HANDSHAKE');
    } else if (this.type === ALERT) {
      this.alerts += 1;
      if (this.alerts > MOST_ALERTS) throw new Failure('TOO_MANY_RECORDS');
    }
  }
}
