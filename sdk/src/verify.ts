import { EvidenceError } from './errors.js';
import { notesOfPack, notesOfReceipt } from './verify/heads.js';
import type { Job } from './verify/keyring.js';
import { hasHashes, parseKey, whyNot } from './verify/keys.js';
import { verifyPack } from './verify/pack.js';
import { verifyReceipt } from './verify/receipt.js';
import { Refusal, Report, refuse, type Step, type Verification } from './verify/report.js';
import { type EvidenceFile, type RandomAccess, readPart, toSource } from './verify/source.js';

export { EvidenceError } from './errors.js';
export { type Key, parseKey } from './verify/keys.js';
export {
  type Consistency,
  type Hash,
  type Inclusion,
  verifyConsistency,
  verifyInclusion,
} from './verify/merkle.js';
export { type Checkpoint, type Signature, type SignedCheckpoint, verifyCheckpoint } from './verify/note.js';
export type { Step, StepName, Verification } from './verify/report.js';
export type { EvidenceFile, RandomAccess } from './verify/source.js';
export { commitmentOf } from './verify/statement.js';

export interface EvidenceOptions {
  /**
   * Verifier keys of the log, `name+id+base64`, that you have from elsewhere than the file: from the site's published list,
   * or an earlier pack. Without one, a verdict is at most `incomplete`: anybody can make a file with keys of their own.
   */
  trustedKeys?: readonly string[] | undefined;
  /**
   * Verifier keys of witnesses that you trust. Each must have cosigned a checkpoint of the file that holds all of its records,
   * the one of the proofs or an older one that it is proven to continue: otherwise a verdict is at most `incomplete`.
   */
  witnesses?: readonly string[] | undefined;
  /** Called with each step as it is found: `steps` lists the first 1,000 of each outcome. */
  onStep?: ((step: Step) => void) | undefined;
  /**
   * Ends the verification of a file that takes too long: its reason is thrown. A small file can unpack to 4 GiB, so give one
   * for files from strangers, such as `AbortSignal.timeout(10_000)`.
   */
  signal?: AbortSignal | undefined;
}

/** Bytes of a receipt. */
const LARGEST_RECEIPT = 16 * 1024 * 1024;

/**
 * Verifies an evidence pack or a receipt, step by step, with WebCrypto alone and without a request to anybody. A file that does
 * not hold, whatever is wrong with it, gives a verdict with the step that fails. What no signature covers is `unproven`: no
 * verdict says that it is true, nor that a file holds every record there is.
 * @param file the file; a `Blob`, or anything else with its size and slices, is read in parts
 * @throws {EvidenceError} when a given key is none; the reason of the signal, when it ends the verification
 */
export async function verifyEvidence(
  file: EvidenceFile,
  { trustedKeys = [], witnesses = [], onStep, signal }: EvidenceOptions = {},
): Promise<Verification> {
  const report = new Report(onStep);
  const lack = await whyNot();
  if (lack !== undefined) report.add('runtime', 'unknown', lack, 'this runtime');
  if (!hasHashes()) return report.found;
  const job: Job = {
    report,
    trusted: await Promise.all(trustedKeys.map(parseKey)),
    witnesses: await Promise.all(witnesses.map(parseKey)),
    seen: new Map(),
    canVerify: lack === undefined,
    signal,
  };
  try {
    await verify(job, file);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Refusal) report.add(error.step, false, error.message, error.where);
    else report.add('file', false, `it could not be read: ${(error as Error).message}`, 'the file');
  }
  return report.found;
}

/**
 * The checkpoints of a pack or a receipt as notes, that of its proofs first, to hold another file or a log against them. No
 * signature is checked: see `verifyCheckpoint`.
 * @throws {EvidenceError} when it is neither
 */
export async function checkpointsOf(file: EvidenceFile): Promise<string[]> {
  try {
    return await choose(file, { pack: notesOfPack, receipt: notesOfReceipt });
  } catch (error) {
    throw new EvidenceError((error as Error).message);
  }
}

const verify = (job: Job, file: EvidenceFile): Promise<void> =>
  choose(file, {
    pack: (source) => verifyPack(job, source),
    receipt: (bytes) => verifyReceipt(job, bytes),
  });

interface Kinds<Found> {
  pack(source: RandomAccess): Promise<Found>;
  receipt(bytes: Uint8Array): Found | Promise<Found>;
}

async function choose<Found>(file: EvidenceFile, kinds: Kinds<Found>): Promise<Found> {
  const source = await toSource(file);
  const [first, second] = await readPart(source, 0, Math.min(2, source.size));
  // Every ZIP file begins so, and no JSON does.
  if (first === 0x50 && second === 0x4b) return kinds.pack(source);
  if (source.size > LARGEST_RECEIPT) refuse('it is too large', 'byte 0');
  return kinds.receipt(await readPart(source, 0, source.size));
}
