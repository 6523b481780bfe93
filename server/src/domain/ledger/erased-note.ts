import { createHmac, timingSafeEqual } from 'node:crypto';

/** Bytes of a note's code. */
const MAC_BYTES = 16;

/** What one step of an erasure took of a site. */
export interface ErasedNote {
  environment_id: string;
  erasure_id: string;
  /** Its number among those of the erasure; PostgreSQL's driver reads it as a string. */
  n: number | string;
  /** One after the other. */
  commitments: Buffer;
}

/** The code of a note, by the secret that groups have theirs by: who can write to the database alone cannot make one. */
export const noteMac = (key: Buffer, { environment_id, erasure_id, n, commitments }: ErasedNote): Buffer =>
  createHmac('sha256', key)
    .update(`erased\n${environment_id}\n${erasure_id}\n${n}\n`)
    .update(commitments)
    .digest()
    .subarray(0, MAC_BYTES);

/** Whether a stored code is the note's; notes of earlier versions have none. */
export const isGenuineNote = (key: Buffer, note: ErasedNote, mac: Buffer | null): boolean =>
  mac?.length === MAC_BYTES && timingSafeEqual(mac, noteMac(key, note));
