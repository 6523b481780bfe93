import { createPublicKey, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../../src/db/embedded/durable';
import { cosign, isOf, verifyCosignature } from '../../src/domain/ledger/cosignature';
import { bytesOf, privateKeyOf } from '../../src/domain/ledger/note';
import { COSIGNING_KEY, keyIdOf, type NoteSignature, vkeyOf } from '../../src/domain/ledger/open-note';

/** The key of this witness. */
export interface Signer {
  name: string;
  vkey: string;
  /** A signature line. @param time seconds since 1970 */
  cosign(text: string, time: number): string;
  /** Whether a signature line is its own. */
  hasSigned(text: string, signature: NoteSignature): boolean;
}

/**
 * Reads the key of the folder, or makes it when there is none, for which it needs a name. It is stored as Go's
 * golang.org/x/mod/sumdb/note writes private keys: `PRIVATE+KEY+name+id+base64(type || key)`.
 */
export function loadSigner(folder: string, name: string | undefined): Signer {
  const file = join(folder, 'witness-key');
  if (!existsSync(file)) {
    if (name === undefined) {
      throw new Error(
        `${folder} holds no key yet: name the witness with --name, such as witness.example.com.`,
      );
    }
    writeDurably(file, newKey(name), 0o600);
  }
  const signer = readKey(readFileSync(file, 'utf8').trim());
  if (signer === undefined) throw new Error(`${file} is no key of a witness: restore it from a backup.`);
  if (name !== undefined && name !== signer.name) {
    throw new Error(
      `The key in ${folder} is that of ${signer.name}: leave --name away, or take another folder.`,
    );
  }
  return signer;
}

function newKey(name: string): string {
  if (!/^[^\s\u0085+]{1,200}$/u.test(name)) {
    throw new Error('A name of a witness has neither spaces nor +: take one such as witness.example.com.');
  }
  const seed = randomBytes(32);
  const id = keyIdOf(name, COSIGNING_KEY, bytesOf(createPublicKey(privateKeyOf(seed))));
  const key = Buffer.concat([Uint8Array.of(COSIGNING_KEY), seed]).toString('base64');
  return `PRIVATE+KEY+${name}+${id}+${key}\n`;
}

function readKey(text: string): Signer | undefined {
  const [, name = '', id, base64 = ''] = /^PRIVATE\+KEY\+([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length !== 33 || bytes[0] !== COSIGNING_KEY) return undefined;
  const privateKey = privateKeyOf(bytes.subarray(1));
  const publicKey = createPublicKey(privateKey);
  if (keyIdOf(name, COSIGNING_KEY, bytesOf(publicKey)) !== id) return undefined;
  const key = { name, id, type: COSIGNING_KEY, publicKey };
  return {
    name,
    vkey: vkeyOf(name, COSIGNING_KEY, bytesOf(publicKey)),
    cosign: (signed, time) => cosign(name, privateKey, publicKey, signed, time),
    hasSigned: (signed, signature) =>
      isOf(signature, key) && verifyCosignature(signature, key, signed) !== undefined,
  };
}
