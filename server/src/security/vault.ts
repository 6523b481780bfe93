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
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.key.bytes, iv);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    const mark = this.keys.length > 1 ? [this.key.mark] : [];
    return Buffer.concat([...mark, iv, cipher.getAuthTag(), sealed]);
  }

  /** Throws when the text was altered or its key is not configured. */
  open(sealed: Buffer): string {
    return this.find(sealed).text;
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

  private find(sealed: Buffer): { text: string; key: Key } {
    const found = this.search(sealed);
    if (found === undefined) throw new SealedByAnother();
    return found;
  }

  private search(sealed: Buffer): { text: string; key: Key } | undefined {
    const named = this.keys.find(({ mark }) => sealed.subarray(0, mark.length).equals(mark));
    const tries = [
      ...(named === undefined ? [] : [{ key: named, box: sealed.subarray(named.mark.length) }]),
      ...this.keys.map((key) => ({ key, box: sealed })),
    ];
    for (const { key, box } of tries) {
      const text = unseal(key.bytes, box);
      if (text !== undefined) return { text, key };
    }
    return undefined;
  }
}

/** Undefined when it was sealed with another key. */
function unseal(key: Buffer, box: Buffer): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12), { authTagLength: 16 });
    decipher.setAuthTag(box.subarray(12, 28));
    return Buffer.concat([decipher.update(box.subarray(28)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function keyOf(text: string): Key {
  const bytes = Buffer.from(text, 'base64');
  return { bytes, mark: Buffer.concat([NAMED, keyIdOf(bytes)]) };
}
