import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { writeAddCheckpoint } from '../../../server/src/domain/ledger/add-checkpoint';
import { bytesOf } from '../../../server/src/domain/ledger/note';
import { keyIdOf, LOG_KEY, vkeyOf } from '../../../server/src/domain/ledger/open-note';

const sha256 = (...parts: Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The largest power of two below a number above 1. */
const split = (size: number): number => 2 ** (Math.ceil(Math.log2(size)) - 1);

/** MTH of RFC 6962, section 2.1, word by word: slow, and not the product's own. */
export function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return sha256(Uint8Array.of(0), leaves[0] as Buffer);
  const k = split(leaves.length);
  return sha256(Uint8Array.of(1), rootOf(leaves.slice(0, k)), rootOf(leaves.slice(k)));
}

/** SUBPROOF of RFC 6962, section 2.1.2. */
function subproof(m: number, leaves: readonly Buffer[], whole: boolean): Buffer[] {
  if (m === leaves.length) return whole ? [] : [rootOf(leaves)];
  const k = split(leaves.length);
  if (m <= k) return [...subproof(m, leaves.slice(0, k), whole), rootOf(leaves.slice(k))];
  return [...subproof(m - k, leaves.slice(k), false), rootOf(leaves.slice(0, k))];
}

/** A log whose leaves are random, kept in memory. */
export class TestLog {
  private readonly keys = generateKeyPairSync('ed25519');
  readonly leaves: Buffer[] = [];

  constructor(readonly origin = 'log.example/ledger/one') {}

  get vkey(): string {
    return vkeyOf(this.origin, LOG_KEY, bytesOf(this.keys.publicKey));
  }

  grow(leaves: number): this {
    for (let n = 0; n < leaves; n += 1) this.leaves.push(randomBytes(32));
    return this;
  }

  /** Another history with the same key. */
  fork(size: number): TestLog {
    const other = new TestLog(this.origin);
    Object.assign(other, { keys: this.keys });
    other.leaves.push(...this.leaves.slice(0, size));
    return other;
  }

  root(size = this.leaves.length): Buffer {
    return rootOf(this.leaves.slice(0, size));
  }

  proof(from: number, to = this.leaves.length): Buffer[] {
    return from === 0 ? [] : subproof(from, this.leaves.slice(0, to), true);
  }

  text(size = this.leaves.length): string {
    return `${this.origin}\n${size}\n${this.root(size).toString('base64')}\n`;
  }

  sign(text: string): string {
    const id = Buffer.from(keyIdOf(this.origin, LOG_KEY, bytesOf(this.keys.publicKey)), 'hex');
    const signature = sign(null, Buffer.from(text), this.keys.privateKey);
    return `— ${this.origin} ${Buffer.concat([id, signature]).toString('base64')}\n`;
  }

  note(size = this.leaves.length): string {
    return `${this.text(size)}\n${this.sign(this.text(size))}`;
  }

  /** The body of a request to a witness that knows the first `from` leaves. */
  request(from: number, size = this.leaves.length): string {
    return writeAddCheckpoint({ oldSize: from, proof: this.proof(from, size), note: this.note(size) });
  }
}
