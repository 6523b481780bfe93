import canonicalize from 'canonicalize';
import { isMac, macOf } from './mac';

/** How far the import of a log has come. */
export interface ImportState {
  environment_id: string;
  /** The leaves that the log had then: an earlier state is none of a log that has grown. */
  size: number;
  imported_on: Date | null;
  import_cursor: object | null;
}

/** The code of a state. */
export const importMac = (
  key: Buffer,
  { environment_id, size, imported_on, import_cursor }: ImportState,
): Buffer =>
  macOf(
    key,
    `import\n${environment_id}\n${size}\n${imported_on?.toISOString()}\n`,
    canonicalize(import_cursor) ?? '',
  );

/** Whether a stored code is the state's. */
export const isGenuineImport = (key: Buffer, state: ImportState, mac: Buffer | null): boolean =>
  isMac(mac, importMac(key, state));
