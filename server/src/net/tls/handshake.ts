import { Failure } from '../failure';
import { areCheap } from './certificates';
import { Unreadable } from './der';
import { createOpen, type Open } from './record-keys';

/** What a server may say before the connection is made. The longest part is a list of authorities, where it asks for ours. */
const MOST_BYTES = 64 * 1024;
/** The same in records: parts of 512 bytes, the least that clients may ask for (RFC 6066 §4), are 128. */
const MOST_RECORDS = 200;

/** Content types of records (RFC 8446 §5.1). */
const [CHANGE_CIPHER_SPEC, ALERT, HANDSHAKE, DATA] = [20, 21, 22, 23] as const;
const HEADER = 5;
const LONGEST = 2 ** 14 + 2_048;
/** Of a message: its type and its length (RFC 8446 §4). */
const MESSAGE_HEADER = 4;
/** Types of messages (RFC 8446 §4). */
const [SERVER_HELLO, CERTIFICATE, COMPRESSED_CERTIFICATE] = [2, 11, 25] as const;

/** The random number of a server that asks for another key share (RFC 8446 §4.1.3). */
const RETRY = Buffer.from('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c', 'hex');
const SUPPORTED_VERSIONS = 43;
const TLS_1_3 = 0x0304;

/**
 * Reads what a server says in a handshake before OpenSSL does, which checks whatever it is shown. TLS 1.3 encrypts the
 * certificates: OpenSSL tells the key (`keylog`) as soon as it has the server's hello.
 */
export class Handshake {
  /** There is nothing left to read: OpenSSL takes certificates once, and in TLS 1.2 no messages in clear after them. */
  done = false;
  /** What has come after it when it is done, from the beginning of a record. */
  after: Buffer = Buffer.alloc(0);
  private waiting: Buffer = Buffer.alloc(0);
  /** Behind what waits, until a record is whole: joined once, however small the parts. */
  private parts: Buffer[] = [];
  private missing = HEADER;
  /** Of the message that is not whole, joined when it is. */
  private fragments: Buffer[] = [];
  /** What it has, and what it takes to read on: how long it is, then all of it. */
  private message = { has: 0, takes: MESSAGE_HEADER };
  private bytes = 0;
  private records = 0;
  version: '1.2' | '1.3' | undefined;
  private suite = 0;
  private open: Open | undefined;
  private checked = false;

  /** What may be handed on now. Throws `Failure`. */
  take(chunk: Buffer): Buffer {
    this.bytes += chunk.length;
    if (this.bytes > MOST_BYTES) throw new Failure('HANDSHAKE_TOO_LONG');
    this.parts.push(chunk);
    this.missing -= chunk.length;
    return this.missing > 0 ? Buffer.alloc(0) : this.handOn();
  }

  /** A line of the key log; returns what may be handed on now. Throws `Failure`. */
  takeKey(line: Buffer): Buffer {
    const secret = /^SERVER_HANDSHAKE_TRAFFIC_SECRET [0-9a-f]+ ([0-9a-f]+)\s*$/.exec(line.toString('latin1'));
    if (secret === null || this.version !== '1.3' || this.open !== undefined) return Buffer.alloc(0);
    return failing(() => {
      this.open = createOpen(this.suite, Buffer.from(secret[1] as string, 'hex'));
      return this.handOn();
    });
  }

  private handOn(): Buffer {
    return failing(() => {
      this.waiting = Buffer.concat([this.waiting, ...this.parts]);
      this.parts = [];
      let at = 0;
      let next = HEADER;
      while (!this.done && this.waiting.length >= at + HEADER) {
        const header = this.waiting.subarray(at, at + HEADER);
        const type = header.readUInt8(0);
        const end = at + HEADER + header.readUInt16BE(3);
        // Another server than one of TLS says what it likes.
        if (header[1] !== 3 || end - at - HEADER > LONGEST) throw new Unreadable();
        next = end - at;
        if (this.waiting.length < end) break;
        // The key comes when OpenSSL has read what was handed on.
        if (type === DATA && this.version === '1.3' && this.open === undefined) break;
        this.record(type, header, this.waiting.subarray(at + HEADER, end));
        at = end;
        next = HEADER;
      }
      const handed = this.waiting.subarray(0, at);
      this.waiting = this.waiting.subarray(at);
      if (this.done) this.after = this.waiting;
      this.missing = next - this.waiting.length;
      return handed;
    });
  }

  private record(type: number, header: Buffer, body: Buffer): void {
    this.records += 1;
    if (this.records > MOST_RECORDS) throw new Failure('HANDSHAKE_TOO_LONG');
    if (type === HANDSHAKE && this.version !== '1.3') this.messages(body);
    else if (type === DATA && this.open !== undefined) this.opened(this.open(header, body));
    else if (type === CHANGE_CIPHER_SPEC) this.done = this.checked && this.version === '1.2';
    else if (type !== ALERT) throw new Unreadable();
  }

  /** What a record of TLS 1.3 holds ends with its type, and zeros. */
  private opened(inner: Buffer): void {
    let end = inner.length - 1;
    while (end >= 0 && inner[end] === 0) end -= 1;
    const type = inner[end];
    if (type === HANDSHAKE) this.messages(inner.subarray(0, end));
    else if (type !== ALERT) throw new Unreadable();
  }

  /** No record of a handshake is empty (RFC 8446 §5.1, RFC 5246 §6.2.1). */
  private messages(part: Buffer): void {
    if (part.length === 0) throw new Unreadable();
    this.fragments.push(part);
    this.message.has += part.length;
    if (this.message.has < this.message.takes) return;
    let all = Buffer.concat(this.fragments);
    let takes = takesOf(all);
    while (!this.done && all.length >= takes) {
      const [type, body] = [all.readUInt8(0), all.subarray(MESSAGE_HEADER, takes)];
      all = all.subarray(takes);
      takes = takesOf(all);
      this.message = { has: all.length, takes };
      this.read(type, body);
    }
    this.fragments = [all];
    this.message = { has: all.length, takes };
  }

  private read(type: number, body: Buffer): void {
    if (type === SERVER_HELLO) this.hello(body);
    else if (type === CERTIFICATE) {
      if (!areCheap(certificatesIn(body, this.version))) throw new Failure('CERTIFICATES_TOO_COSTLY');
      this.checked = true;
      // Then come a signature and a hash; of TLS 1.2 also a list of authorities.
      this.done = this.version === '1.3';
    } else if (type === COMPRESSED_CERTIFICATE) throw new Unreadable();
  }

  /** RFC 8446 §4.1.3 */
  private hello(body: Buffer): void {
    if (this.version !== undefined) throw new Unreadable();
    const session = 35 + body.readUInt8(34);
    this.suite = body.readUInt16BE(session);
    if (body.subarray(2, 34).equals(RETRY)) return;
    this.version = versionIn(body.subarray(session + 3)) === TLS_1_3 ? '1.3' : '1.2';
    // What comes after it is encrypted.
    if (this.version === '1.3' && this.message.has > 0) throw new Unreadable();
  }
}

/** What it takes to read on in these messages. */
const takesOf = (messages: Buffer): number =>
  MESSAGE_HEADER + (messages.length < MESSAGE_HEADER ? 0 : messages.readUIntBE(1, 3));

/** The version that the extensions of a hello name, if they do. */
function versionIn(extensions: Buffer): number | undefined {
  // TLS 1.2 needs none.
  if (extensions.length === 0) return undefined;
  for (let at = 2; at < extensions.length; at += 4 + extensions.readUInt16BE(at + 2)) {
    if (extensions.readUInt16BE(at) === SUPPORTED_VERSIONS) return extensions.readUInt16BE(at + 4);
  }
  return undefined;
}

/** RFC 8446 §4.4.2, where each has extensions, and the list a context; RFC 5246 §7.4.2. */
function certificatesIn(body: Buffer, version: '1.2' | '1.3' | undefined): Buffer[] {
  const found: Buffer[] = [];
  const ofNew = version === '1.3';
  let at = 3 + (ofNew ? 1 + body.readUInt8(0) : 0);
  while (at < body.length) {
    const end = at + 3 + body.readUIntBE(at, 3);
    if (end > body.length) throw new Unreadable();
    found.push(body.subarray(at + 3, end));
    at = end + (ofNew ? 2 + body.readUInt16BE(end) : 0);
  }
  return found;
}

/** What cannot be read is no handshake. */
function failing<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) throw error;
    // Also of a Buffer that ends too early.
    if (error instanceof Unreadable || error instanceof RangeError) throw new Failure('EPROTO');
    throw error;
  }
}
