import { type KeyObject, sign, verify } from 'node:crypto';
import { bytesOf } from './note';
import { COSIGNING_KEY, keyIdOf, type NoteSignature, type VerifierKey } from './open-note';

// Cosignatures of type Ed25519: C2SP tlog-cosignature, `cosignature/v1`.

/** A time of 8 bytes and a signature of 64. */
const LENGTH = 72;

/** What a witness signs. @param time seconds since 1970 @param text a checkpoint's, with its last newline */
const messageOf = (time: bigint, text: string): Buffer =>
  Buffer.from(`cosignature/v1\ntime ${time}\n${text}`, 'utf8');

/** The signature line of a witness, without its newline. @param time seconds since 1970 */
export function cosign(
  name: string,
  privateKey: KeyObject,
  publicKey: KeyObject,
  text: string,
  time: number,
): string {
  const seconds = BigInt(time);
  const head = Buffer.alloc(12);
  head.write(keyIdOf(name, COSIGNING_KEY, bytesOf(publicKey)), 'hex');
  head.writeBigUInt64BE(seconds, 4);
  const signature = sign(null, messageOf(seconds, text), privateKey);
  return `— ${name} ${Buffer.concat([head, signature]).toString('base64')}`;
}

/** Whether a signature line names this key. */
export const isOf = ({ name, id }: NoteSignature, key: VerifierKey): boolean =>
  name === key.name && id === key.id;

/** The time that a witness states, in seconds since 1970; undefined when its signature is not its. */
export function verifyCosignature(
  { bytes }: NoteSignature,
  key: VerifierKey,
  text: string,
): number | undefined {
  if (key.type !== COSIGNING_KEY || bytes.length !== LENGTH) return undefined;
  const time = bytes.readBigUInt64BE(0);
  if (time === 0n || time > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  return verify(null, messageOf(time, text), key.publicKey, bytes.subarray(8)) ? Number(time) : undefined;
}
