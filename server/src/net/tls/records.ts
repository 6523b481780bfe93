import { Failure } from '../failure';

/** Bytes of a record's header, which tells its length at the end (RFC 8446 §5.1). */
const HEADER = 5;
/** Up to so many bytes a record is short, and a server may send so many of them for one request. */
const SHORT = { bytes: 512, most: 1_024 };
/** What is written for a request is longer; an answer to a change of keys is not. */
const REQUEST_BYTES = 100;

/**
 * Counts the short records of a server after its handshake. A change of keys (RFC 8446 §4.6.3) is one, brings no data that
 * anybody waits for, and takes OpenSSL as long as kilobytes.
 */
export class ShortRecords {
  private header = 0;
  private length = 0;
  /** Of the body of the present record. */
  private left = 0;
  private count = 0;

  /** Takes what is handed on, from the beginning of a record. Throws `Failure`. */
  take(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.left > 0) {
        const skipped = Math.min(this.left, chunk.length - at);
        this.left -= skipped;
        at += skipped;
        continue;
      }
      this.length = ((this.length << 8) | chunk.readUInt8(at)) & 0xffff;
      this.header += 1;
      at += 1;
      if (this.header === HEADER) this.begin();
    }
  }

  /** What is written to the server. */
  wrote(chunk: Buffer): void {
    if (chunk.length >= REQUEST_BYTES) this.count = 0;
  }

  private begin(): void {
    this.left = this.length;
    this.header = 0;
    if (this.length > SHORT.bytes) return;
    this.count += 1;
    if (this.count > SHORT.most) throw new Failure('TOO_MANY_RECORDS');
  }
}
