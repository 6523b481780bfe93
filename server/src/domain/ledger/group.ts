import { createHmac, timingSafeEqual } from 'node:crypto';

/** Bytes of a group's code. */
const MAC_BYTES = 16;

/** What a transaction will seal of a site. Times are ISO 8601 strings, bytes are hexadecimal digits. */
export interface Group {
  environment_id: string;
  group_id: string;
  /** Of its first and last record. */
  first_at: string;
  last_at: string;
  /** Commitments, one after the other. */
  leaves: string;
}

/**
 * The code that a group is sealed by, in hexadecimal digits: who can write to the database alone cannot make one. It
 * is over every field, each of which has one way to be written.
 */
export const groupMac = (
  key: Buffer,
  { environment_id, group_id, first_at, last_at, leaves }: Group,
): string =>
  createHmac('sha256', key)
    .update(`${environment_id}\n${group_id}\n${first_at}\n${last_at}\n${leaves}`)
    .digest('hex')
    .slice(0, 2 * MAC_BYTES);

/** Whether a stored code is the group's. */
export function isGenuine(key: Buffer, group: Group, mac: Buffer): boolean {
  return mac.length === MAC_BYTES && timingSafeEqual(mac, Buffer.from(groupMac(key, group), 'hex'));
}
