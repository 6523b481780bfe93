import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** The type of an Ed25519 key in a note's key hash (C2SP signed-note). */
const ED25519 = 0x01;
/** What comes before the 32 bytes of a key in their DER form (RFC 8410). */
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The public key of 32 bytes. */
export const publicKeyOf = (bytes: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, bytes]), format: 'der', type: 'spki' });

/** The private key of the 32 bytes of its seed (RFC 8032). */
export const privateKeyOf = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: 'der', type: 'pkcs8' });

/** The 32 bytes of the public key that belongs to a private one, or of a public one. */
export const bytesOf = (key: KeyObject): Buffer =>
  (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'der', type: 'spki' }).subarray(-32);

/** The four bytes that name a key in a signature line: they depend on the origin too (C2SP signed-note). */
const keyHash = (origin: string, publicKey: Buffer): Buffer =>
  createHash('sha256')
    .update(`${origin}\n`)
    .update(Buffer.of(ED25519))
    .update(publicKey)
    .digest()
    .subarray(0, 4);

/** A key as verifiers take it: `origin+hash+key` (C2SP signed-note). */
export const vkeyOf = (origin: string, publicKey: Buffer): string =>
  `${origin}+${keyHash(origin, publicKey).toString('hex')}+${Buffer.concat([Buffer.of(ED25519), publicKey]).toString('base64')}`;

/** The head of a log. */
export interface Checkpoint {
  origin: string;
  size: number;
  root: Buffer;
}

/** The text of a checkpoint that is signed (C2SP tlog-checkpoint). */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`;

/** A line of a signature under a note's text. */
export const signatureLine = (text: string, origin: string, key: KeyObject): string => {
  const signature = Buffer.concat([keyHash(origin, bytesOf(key)), sign(null, Buffer.from(text), key)]);
  return `— ${origin} ${signature.toString('base64')}\n`;
};

/** A signed checkpoint. */
export function signCheckpoint(checkpoint: Checkpoint, key: KeyObject): string {
  const text = checkpointText(checkpoint);
  return `${text}\n${signatureLine(text, checkpoint.origin, key)}`;
}

/** Whether a note is signed by a key for an origin; undefined when it is no such note. */
export function readCheckpoint(note: string, origin: string, publicKey: Buffer): Checkpoint | undefined {
  const end = note.indexOf('\n\n') + 1;
  const text = note.slice(0, end);
  const [first, size = '', root = '', ...rest] = text.split('\n');
  if (end === 0 || first !== origin || !/^(0|[1-9]\d{0,15})$/.test(size) || rest.join('') !== '')
    return undefined;
  const name = `— ${origin} `;
  const hash = keyHash(origin, publicKey);
  const isSigned = note
    .slice(end + 1)
    .split('\n')
    .some((line) => {
      if (!line.startsWith(name)) return false;
      const bytes = Buffer.from(line.slice(name.length), 'base64');
      return (
        bytes.length === 68 &&
        bytes.subarray(0, 4).equals(hash) &&
        verify(null, Buffer.from(text), publicKeyOf(publicKey), bytes.subarray(4))
      );
    });
  const bytes = Buffer.from(root, 'base64');
  return isSigned && bytes.length === 32 ? { origin, size: Number(size), root: bytes } : undefined;
}

/** What a key signs when another one follows it. */
export const successionText = (origin: string, successor: Buffer): string =>
  `avow-ledger-key-v1\n${origin}\n${vkeyOf(origin, successor)}\n`;
