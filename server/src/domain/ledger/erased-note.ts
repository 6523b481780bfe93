import { isMac, macOf } from './mac';

/** What one step of an erasure took of a site. */
export interface ErasedNote {
  environment_id: string;
  erasure_id: string;
  /** Its number among those of the erasure. */
  n: number;
  /** One after the other. */
  commitments: Buffer;
}

/** The code of a note. */
export const noteMac = (key: Buffer, { environment_id, erasure_id, n, commitments }: ErasedNote): Buffer =>
  macOf(key, `erased\n${environment_id}\n${erasure_id}\n${n}\n`, commitments);

/** Whether a stored code is the note's; notes of earlier versions have none. */
export const isGenuineNote = (key: Buffer, note: ErasedNote, mac: Buffer | null): boolean =>
  isMac(mac, noteMac(key, note));
