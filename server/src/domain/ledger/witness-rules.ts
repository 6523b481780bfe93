import { verify } from 'node:crypto';
import type { AddCheckpoint } from './add-checkpoint';
import { isConsistent } from './consistency';
import { isOf } from './cosignature';
import { EMPTY_ROOT } from './hash';
import { type Checkpoint, type OpenNote, openNote, readCheckpoint, type VerifierKey } from './open-note';

// What a witness answers: C2SP tlog-witness, add-checkpoint, in the order of its text.

export type Refusal =
  | { status: 400 | 403 | 404; why: string }
  /** The log is new, and the witness has no room for it. */
  | { status: 507; why: string }
  /** Proven are two trees of one size; a proof that does not fit may be that of whoever sent it. */
  | { status: 422; why: string; isProven: boolean }
  | { status: 409; size: number };

/** A checkpoint that a key of its log has signed. */
export interface SignedCheckpoint extends Checkpoint {
  /** What was signed. */
  text: string;
  /** The signature lines of the log that were verified. */
  lines: string[];
}

/** Bytes of a checkpoint's text that a witness signs and keeps: an origin, a size, a root, and some lines of extension. */
const MOST_TEXT = 1_024;

/** A checkpoint of a log that the witness knows. @param keysOf the keys of an origin; none: the log is unknown */
export function openCheckpoint(
  { note }: AddCheckpoint,
  keysOf: (origin: string) => readonly VerifierKey[],
): SignedCheckpoint | Refusal {
  const opened = openNote(note);
  const checkpoint = opened && readCheckpoint(opened.text);
  if (checkpoint === undefined) {
    return {
      status: 400,
      why: 'This is no checkpoint in a signed note, or a signature line stands there twice.',
    };
  }
  if (Buffer.byteLength((opened as OpenNote).text) > MOST_TEXT)
    return { status: 400, why: `The text of the checkpoint is longer than ${MOST_TEXT} bytes.` };
  const keys = keysOf(checkpoint.origin);
  if (keys.length === 0) return { status: 404, why: 'This witness does not know the log.' };
  const lines = linesOf(opened as OpenNote, keys);
  if ('status' in lines) return lines;
  return { ...checkpoint, text: (opened as OpenNote).text, lines };
}

const UNSIGNED: Refusal = {
  status: 403,
  why: 'No key of the log that this witness knows has signed the checkpoint.',
};

/** The signature lines of these keys, one of each: what is stored grows with the keys of a log, not with what is sent. */
function linesOf({ text, signatures }: OpenNote, keys: readonly VerifierKey[]): string[] | Refusal {
  const lines = new Map<string, string>();
  for (const signature of signatures) {
    const key = keys.find((one) => isOf(signature, one));
    if (key === undefined) continue;
    if (!verify(null, Buffer.from(text, 'utf8'), key.publicKey, signature.bytes)) return UNSIGNED;
    if (lines.has(key.id)) return { status: 400, why: 'A key of the log has signed the checkpoint twice.' };
    lines.set(key.id, signature.line);
  }
  return lines.size === 0 ? UNSIGNED : [...lines.values()];
}

/** Why a witness does not sign the checkpoint; undefined when it does. @param last what it signed last */
export function refusalOf(
  { oldSize, proof }: AddCheckpoint,
  checkpoint: SignedCheckpoint,
  last: Checkpoint | undefined,
): Refusal | undefined {
  if (oldSize > checkpoint.size) return { status: 400, why: 'The old size is above that of the checkpoint.' };
  const known = last ?? { size: 0, root: EMPTY_ROOT };
  if (oldSize !== known.size) return { status: 409, size: known.size };
  if (checkpoint.size === 0 && !EMPTY_ROOT.equals(checkpoint.root)) {
    return { status: 422, why: 'The root of an empty tree is the hash of nothing.', isProven: true };
  }
  if (!isConsistent(known, checkpoint, proof)) {
    return {
      status: 422,
      why: 'The proof does not lead from the checkpoint that was signed last to this one.',
      isProven: known.size === checkpoint.size && !known.root.equals(checkpoint.root),
    };
  }
  return undefined;
}
