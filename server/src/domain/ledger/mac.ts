import { createHmac, timingSafeEqual } from 'node:crypto';

/** Bytes of a code. */
const BYTES = 16;

/** A code by the secret that groups have theirs by: who can write to the database alone cannot make one. */
export function macOf(key: Buffer, ...parts: readonly (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest().subarray(0, BYTES);
}

/** Whether a stored code, if there is one, is the right one. */
export const isMac = (stored: Buffer | null, right: Buffer): boolean =>
  stored?.length === right.length && timingSafeEqual(stored, right);
