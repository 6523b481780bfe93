import { readBase64, readSize } from './open-note';

// The request `add-checkpoint` of C2SP tlog-witness.

/** Lines of a proof, at most. */
const MOST_LINES = 63;
/** Bytes of a request that a witness reads: 63 lines, and a checkpoint with many signatures. */
export const MOST_BYTES = 64 * 1024;
/** The type of an answer that names the size that a witness knows. */
export const SIZE_TYPE = 'text/x.tlog.size';

export interface AddCheckpoint {
  /** The size that the log believes the witness to know. */
  oldSize: number;
  /** A consistency proof from that size, hashes of 32 bytes. */
  proof: readonly Buffer[];
  /** The checkpoint, as a signed note. */
  note: string;
}

export const writeAddCheckpoint = ({ oldSize, proof, note }: AddCheckpoint): string =>
  [`old ${oldSize}`, ...proof.map((hash) => hash.toString('base64')), '', note].join('\n');

/** Undefined for what is no such request. */
export function readAddCheckpoint(body: string): AddCheckpoint | undefined {
  const end = body.indexOf('\n\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = body.slice(0, end).split('\n', MOST_LINES + 2);
  const oldSize = first.startsWith('old ') ? readSize(first.slice(4)) : undefined;
  if (oldSize === undefined || lines.length > MOST_LINES) return undefined;
  const proof: Buffer[] = [];
  for (const line of lines) {
    const hash = readBase64(line);
    if (hash?.length !== 32) return undefined;
    proof.push(hash);
  }
  return { oldSize, proof, note: body.slice(end + 2) };
}
