import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { keyIdOf } from './key-id';

/** The prefix of sealed texts that name their key; texts without it are from a server with one key. */
const NAMED = Buffer.from('avk1');

/** What is sealed cannot be opened: by a key that is not here, or because it was changed. */
export class SealedByAnother extends Error {
  override name = 'SealedByAnother';

  constructor() {
    super('no key of SECRETS_KEY and SECRETS_KEY_OTHERS opens what was sealed');
  }
}

interface Key {
  bytes: Buffer;
  /** The prefix of what it seals. */
  mark: Buffer;
}

/** Encrypts secrets at rest with AES-256-GCM. The first key seals, and every key opens. */
export class Vault {
  private readonly key: Key;
  private readonly keys: readonly Key[];

  /** @param key 32 bytes in base64 */
  constructor(key: string, others: readonly string[] = []) {
    this.key = keyOf(key);
    this.keys = [this.key, ...others.map(keyOf)];
  }

  /** With one key no id is needed, and older versions can open the text. */
  seal(text: string): Buffer {
    return this.sealBytes(Buffer.from(text, 'utf8'));
  }

  /** The same for bytes. */
  sealBytes(bytes: Buffer): Buffer {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.key.bytes, iv);
    const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
    const mark = this.keys.length > 1 ? [this.key.mark] : [];
    return Buffer.concat([...mark, iv, cipher.getAuthTag(), sealed]);
  }

  /** Throws when the text was altered or its key is not configured. */
  open(sealed: Buffer): string {
    return this.openBytes(sealed).toString('utf8');
  }

  /** The same for bytes. */
  openBytes(sealed: Buffer): Buffer {
    return this.find(sealed).bytes;
  }

  /** Whether a key that is here has sealed it. */
  opens(sealed: Buffer): boolean {
    return this.search(sealed) !== undefined;
  }

  /** Whether the first key has sealed it. Throws like `open`. */
  isCurrent(sealed: Buffer): boolean {
    return this.find(sealed).key === this.key;
  }

  /** A keyed fingerprint: distinguishes values without storing them. */
  fingerprint(...parts: string[]): Buffer {
    return createHmac('sha256', this.key.bytes).update(JSON.stringify(parts)).digest();
  }

  private find(sealed: Buffer): { bytes: Buffer; key: Key } {
    const found = this.search(sealed);
    if (found === undefined) throw new SealedByAnother();
    return found;
  }

  private search(sealed: Buffer): { bytes: Buffer; key: Key } | undefined {
    const named = this.keys.find(({ mark }) => sealed.subarray(0, mark.length).equals(mark));
    const tries = [
      ...(named === undefined ? [] : [{ key: named, box: sealed.subarray(named.mark.length) }]),
      ...this.keys.map((key) => ({ key, box: sealed })),
    ];
    for (const { key, box } of tries) {
      const bytes = unseal(key.bytes, box);
      if (bytes !== undefined) return { bytes, key };
    }
    return undefined;
  }
}

/** Undefined when it was sealed with another key. */
function unseal(key: Buffer, box: Buffer): Buffer | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12), { authTagLength: 16 });
    decipher.setAuthTag(box.subarray(12, 28));
    return Buffer.concat([decipher.update(box.subarray(28)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function keyOf(text: string): Key {
  const bytes = Buffer.from(text, 'base64');
  return { bytes, mark: Buffer.concat([NAMED, keyIdOf(bytes)]) };
}
