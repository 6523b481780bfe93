import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

// Signed notes and cosignatures (C2SP signed-note, tlog-checkpoint, tlog-cosignature), without code of the product.

/** Who signs notes under a name: a log (type 1) or a witness (type 4). */
export class Signer {
  readonly vkey: string;
  private readonly id: Buffer;
  private readonly key: KeyObject;

  constructor(
    readonly name: string,
    type: 1 | 4 = 1,
    pair = generateKeyPairSync('ed25519'),
  ) {
    const { publicKey, privateKey } = pair;
    this.key = privateKey;
    const bytes = Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url');
    const typed = Buffer.concat([Buffer.of(type), bytes]);
    this.id = createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, 4);
    this.vkey = `${name}+${this.id.toString('hex')}+${typed.toString('base64')}`;
  }

  signature(message: string): Buffer {
    return sign(null, Buffer.from(message), this.key);
  }

  /** A signature line under a note's text. */
  line(text: string): string {
    return this.write(this.signature(text));
  }

  /** A witness's signature line. @param time seconds since 1970 */
  cosignature(text: string, time: number): string {
    const at = Buffer.alloc(8);
    at.writeBigUInt64BE(BigInt(time));
    return this.write(Buffer.concat([at, this.signature(`cosignature/v1\ntime ${time}\n${text}`)]));
  }

  /** The signature by which this key endorses its successor, in base64. */
  endorse(successor: Signer): string {
    return this.signature(`avow-ledger-key-v1\n${this.name}\n${successor.vkey}\n`).toString('base64');
  }

  private write(signature: Buffer): string {
    return `— ${this.name} ${Buffer.concat([this.id, signature]).toString('base64')}\n`;
  }
}

/** The text of a checkpoint. */
export const checkpointText = (origin: string, size: number, root: Buffer): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`;
