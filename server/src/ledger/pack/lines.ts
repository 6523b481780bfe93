import type { LogKeyView } from '../view';
import type { RecordState } from './record-state';
import type { HiddenRecord } from './records';
import type { VouchedCheckpoint } from './vouched';

/** A line of `evidence.ndjson`. */
const line = (content: object): string => `${JSON.stringify(content)}\n`;

/** What a pack is about, in its first line. */
export interface PackHead {
  site: string;
  origin: string;
  made_at: string;
  subject: Record<string, string>;
  imported_on: string | null;
}

export const headLine = (head: PackHead): string => line({ type: 'pack', version: 1, ...head });

export const keyLine = (key: LogKeyView): string => line({ type: 'key', ...key });

export const checkpointLine = ({ note, witnesses, timestamps, consistency }: VouchedCheckpoint): string =>
  line({
    ...{ type: 'checkpoint', note, witnesses },
    timestamps: timestamps.map(({ authority, file, genTime }) => ({ authority, file, genTime })),
    ...(consistency === undefined ? {} : { consistency }),
  });

/** A record with its proof against the head of the pack, or with why there is none. */
export function recordLine({ kind, statement, blinding: stored }: HiddenRecord, state: RecordState): string {
  const blinding = stored === null ? null : Buffer.from(stored.replaceAll('-', ''), 'hex').toString('base64');
  const content = { type: 'record', kind, statement, blinding };
  if (state.status !== 'sealed') {
    const why = state.status === 'waiting' ? { pending: true } : { unproven: true };
    return line({ ...content, leaf: null, proof: null, ...why });
  }
  const { leaf, proof } = state.place;
  return line({ ...content, leaf, proof: proof.map((hash) => hash.toString('base64')) });
}

/** @param sha256 in hexadecimal digits */
export const fileLine = (path: string, sha256: string): string => line({ type: 'file', path, sha256 });

export const endLine = (records: number): string => line({ type: 'end', records });
