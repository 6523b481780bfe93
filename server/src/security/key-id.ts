import { createHmac } from 'node:crypto';

/** Names a key without telling it: the first 8 bytes of an HMAC that it makes. */
export const keyIdOf = (key: Uint8Array): Buffer =>
  createHmac('sha256', key).update('avow key id').digest().subarray(0, 8);
