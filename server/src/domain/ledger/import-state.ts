import { createHmac, timingSafeEqual } from 'node:crypto';
import canonicalize from 'canonicalize';

/** Bytes of a code. */
const MAC_BYTES = 16;

/** How far the import of a log has come. */
export interface ImportState {
  environment_id: string;
  /** The leaves that the log had then: an earlier state is none of a log that has grown. */
  size: number;
  imported_on: Date | null;
  import_cursor: object | null;
}

/** The code of a state, by the secret that groups have theirs by: who can write to the database alone cannot make one. */
export const importMac = (
  key: Buffer,
  { environment_id, size, imported_on, import_cursor }: ImportState,
): Buffer =>
  createHmac('sha256', key)
    .update(`import\n${environment_id}\n${size}\n${imported_on?.toISOString()}\n`)
    .update(canonicalize(import_cursor) ?? '')
    .digest()
    .subarray(0, MAC_BYTES);

/** Whether a stored code is the state's. */
export const isGenuineImport = (key: Buffer, state: ImportState, mac: Buffer | null): boolean =>
  mac?.length === MAC_BYTES && timingSafeEqual(mac, importMac(key, state));
