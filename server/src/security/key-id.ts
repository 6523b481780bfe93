import { createHmac } from 'node:crypto';

/** Identifies a key without revealing it: the first 8 bytes of an HMAC made with it. */
export const keyIdOf = (key: Uint8Array): Buffer =>
  createHmac('sha256', key).update('avow key id').digest().subarray(0, 8);
