import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { keyIdOf } from './key-id';

/** The prefix of sealed texts that name their key; texts without it are from a server with one key. */
const NAMED = Buffer.from('avk1');
/** 32 bytes in base64: what keys of logs and secrets of the server are, and nothing that anybody else can have sealed. */
const SECRET = /^[A-Za-z0-9+/]{43}=$/;

/** What cannot be read, or altered, by being put where something else belongs. */
export type Purpose =
  | 'ledger key'
  | `server secret ${string}`
  | 'answer'
  | `${'answer' | 'attachment'} part`
  | 'stored object'
  | 'mail'
  | 'authenticator app'
  | 'log-in at a provider'
  | 'log-out at a provider';

/** What is sealed cannot be opened: by a key that is not here, or because it was changed. */
export class SealedByAnother extends Error {
  override name = 'SealedByAnother';

  constructor(message = 'no key of SECRETS_KEY and SECRETS_KEY_OTHERS opens what was sealed') {
    super(message);
  }
}

interface Key {
  bytes: Buffer;
  /** The prefix of what it seals. */
  mark: Buffer;
}

interface Found {
  bytes: Buffer;
  key: Key;
}

/** How a row is named to what it holds sealed, by the columns that identify it. */
export const rowOf = (...ids: readonly unknown[]): string => ids.join('/');

/**
 * Encrypts with AES-256-GCM. The first key seals, and every key opens. What is sealed for a row, if one is given, opens for
 * that row alone.
 */
export abstract class Drawer {
  constructor(protected readonly keys: readonly [Key, ...Key[]]) {}

  /** With one key no id is needed, and older versions can open the text. */
  seal(text: string, row?: string): Buffer {
    return this.sealBytes(Buffer.from(text, 'utf8'), row);
  }

  /** The same for bytes. */
  sealBytes(bytes: Buffer, row?: string): Buffer {
    const key = this.sealingKey;
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key.bytes, iv);
    if (row !== undefined && this.isBound) cipher.setAAD(Buffer.from(row, 'utf8'));
    const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
    const mark = this.keys.length > 1 ? [key.mark] : [];
    return Buffer.concat([...mark, iv, cipher.getAuthTag(), sealed]);
  }

  /** Throws when the text was altered or its key is not configured. */
  open(sealed: Buffer, row?: string): string {
    return this.openBytes(sealed, row).toString('utf8');
  }

  /** The same for bytes. */
  openBytes(sealed: Buffer, row?: string): Buffer {
    return this.find(sealed, row).bytes;
  }

  /** Whether a key that is here has sealed it. */
  opens(sealed: Buffer, row?: string): boolean {
    return this.search(sealed, row) !== undefined;
  }

  /** Whether the first key has sealed it, as it seals now. Throws like `open`. */
  isCurrent(sealed: Buffer, row?: string): boolean {
    return this.find(sealed, row).key === this.sealingKey;
  }

  protected get sealingKey(): Key {
    return this.keys[0];
  }

  /** Whether what it seals opens for its row alone. */
  protected get isBound(): boolean {
    return true;
  }

  private find(sealed: Buffer, row: string | undefined): Found {
    const found = this.search(sealed, row);
    if (found === undefined) throw new SealedByAnother();
    return found;
  }

  protected abstract search(sealed: Buffer, row: string | undefined): Found | undefined;
}

/**
 * What the first released version has sealed too, which runs beside this one during an upgrade, has the keys themselves.
 * All else has a purpose, and for each of them a key of its own is derived from each key.
 */
export class Vault extends Drawer {
  private readonly drawers = new Map<Purpose, Drawer>();

  /** @param key 32 bytes in base64 */
  constructor(key: string, others: readonly string[] = []) {
    super([keyOf(key), ...others.map(keyOf)]);
  }

  of(purpose: Purpose): Drawer {
    const known = this.drawers.get(purpose) ?? new OfPurpose(this.keys, purpose);
    this.drawers.set(purpose, known);
    return known;
  }

  /** A keyed fingerprint: distinguishes values without storing them. */
  fingerprint(...parts: string[]): Buffer {
    return createHmac('sha256', this.keys[0].bytes).update(JSON.stringify(parts)).digest();
  }

  /** No secret of the server, which only another column can hold. */
  protected search(sealed: Buffer, row: string | undefined): Found | undefined {
    return keep(searchBy(this.keys, sealed, row), false);
  }
}

/**
 * Version 0.1.0 reads these without a purpose, and may run beside this one during an upgrade: they are still sealed so,
 * and may already be read with one. Nothing that anybody chooses in them has the form of a secret.
 */
const AS_BEFORE: readonly Purpose[] = [
  ...(['mail', 'authenticator app', 'log-in at a provider', 'log-out at a provider'] as const),
];

class OfPurpose extends Drawer {
  /** Whether it holds secrets of the server, and nothing else. */
  private readonly isOfSecrets: boolean;

  constructor(
    private readonly base: readonly [Key, ...Key[]],
    private readonly purpose: Purpose,
  ) {
    const [first, ...others] = base;
    super([derived(first, purpose), ...others.map((key) => derived(key, purpose))]);
    this.isOfSecrets = purpose === 'ledger key' || purpose.startsWith('server secret ');
  }

  protected override get sealingKey(): Key {
    return this.isBound ? super.sealingKey : this.base[0];
  }

  protected override get isBound(): boolean {
    return !AS_BEFORE.includes(this.purpose);
  }

  /** Also what an earlier build has sealed, without a purpose or a row: no secret passes for a text, nor a text for one. */
  protected search(sealed: Buffer, row: string | undefined): Found | undefined {
    return searchBy(this.keys, sealed, row) ?? keep(searchBy(this.base, sealed, undefined), this.isOfSecrets);
  }
}

const keep = (found: Found | undefined, isSecret: boolean): Found | undefined =>
  found !== undefined && isSecretOf(found.bytes) === isSecret ? found : undefined;

const isSecretOf = (bytes: Buffer): boolean => bytes.length === 44 && SECRET.test(bytes.toString('latin1'));

function searchBy(keys: readonly Key[], sealed: Buffer, row: string | undefined): Found | undefined {
  const named = keys.find(({ mark }) => sealed.subarray(0, mark.length).equals(mark));
  const tries = [
    ...(named === undefined ? [] : [{ key: named, box: sealed.subarray(named.mark.length) }]),
    ...keys.map((key) => ({ key, box: sealed })),
  ];
  for (const { key, box } of tries) {
    const bytes = unseal(key.bytes, box, row);
    if (bytes !== undefined) return { bytes, key };
  }
  return undefined;
}

/** Undefined when it was sealed with another key, or for another row. */
function unseal(key: Buffer, box: Buffer, row: string | undefined): Buffer | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12), { authTagLength: 16 });
    decipher.setAuthTag(box.subarray(12, 28));
    if (row !== undefined) decipher.setAAD(Buffer.from(row, 'utf8'));
    return Buffer.concat([decipher.update(box.subarray(28)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function keyOf(text: string): Key {
  const bytes = Buffer.from(text, 'base64');
  return { bytes, mark: Buffer.concat([NAMED, keyIdOf(bytes)]) };
}

/** Named as the key that it comes from. */
const derived = ({ bytes, mark }: Key, purpose: Purpose): Key => ({
  bytes: Buffer.from(hkdfSync('sha256', bytes, Buffer.alloc(0), `avow ${purpose}`, 32)),
  mark,
});
