import { createHash } from 'node:crypto';
import type { HeadRow } from '../../db/ledger/heads';
import { commitmentOf } from '../../domain/ledger/commitment';
import { type LeafPlace, proveBelow } from '../proofs';
import type { LogReader } from '../tile-reader';
import type { LogKeyView } from '../view';
import type { HiddenRecord } from './records';
import type { VouchedCheckpoint } from './vouched';

/** A line of `evidence.ndjson`. */
const line = (content: object): string => `${JSON.stringify(content)}\n`;

/** What a pack is about, in its first line. */
export interface PackHead {
  site: string;
  origin: string | null;
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

/** A record with its proof against the head of the pack, or with what it waits for. */
export async function recordLine(
  log: LogReader,
  head: HeadRow | undefined,
  record: HiddenRecord,
): Promise<{ text: string; isSealed: boolean }> {
  const { kind, statement, blinding: stored } = record;
  const place = await placeOf(log, head, record);
  const blinding = stored === null ? null : Buffer.from(stored.replaceAll('-', ''), 'hex').toString('base64');
  const content = { type: 'record', kind, statement, blinding };
  if (place === undefined)
    return { text: line({ ...content, leaf: null, proof: null, pending: true }), isSealed: false };
  const proof = place.proof.map((hash) => hash.toString('base64'));
  return { text: line({ ...content, leaf: place.leaf, proof }), isSealed: true };
}

/** Where a record is in the log below a head; undefined when it is not there yet. */
export async function placeOf(
  log: LogReader,
  head: HeadRow | undefined,
  { statement, blinding, at }: HiddenRecord,
): Promise<LeafPlace | undefined> {
  if (head === undefined || blinding === null) return undefined;
  return proveBelow(log, head, commitmentOf(blinding, statement), at);
}

export const fileLine = (path: string, content: string | Buffer): string =>
  line({ type: 'file', path, sha256: createHash('sha256').update(content).digest('hex') });

export const endLine = (records: number): string => line({ type: 'end', records });
