import { digest, hex, toBase64 } from './bytes.js';
import type { Context } from './context.js';
import type { Job } from './keyring.js';
import { collect, type RandomAccess } from './source.js';
import { readTimeStamp } from './time-stamp.js';
import { contentOf, type Entry } from './zip.js';

/** Bytes of a file that is hashed: runtimes hash what is in their memory. */
const LARGEST = 64 * 1024 * 1024;
/** Of all of them: as much as an archive can hold that is not deflated. */
const MOST = 2 ** 32;

/** What a checkpoint says of a time-stamp. */
export interface StampLine {
  authority: string;
  file: string;
  genTime: string;
}

/** A time-stamp that a checkpoint names. */
export interface NamedTimeStamp extends StampLine {
  /** SHA-256 of the checkpoint's text, in hexadecimal digits. */
  imprint: string;
  where: string;
}

interface ListedFile {
  sha256: string;
  where: string;
}

/** What the lines of a pack say of its other files. */
export interface Named {
  /** SHA-256 by path. */
  files: Map<string, ListedFile>;
  /** By path. */
  timeStamps: Map<string, NamedTimeStamp>;
  context: Context;
}

/** Compares every other file of a pack with what its lines say of it. */
export async function judgeAttachments(
  job: Job,
  file: RandomAccess,
  entries: ReadonlyMap<string, Entry>,
  named: Named,
  most = MOST,
): Promise<void> {
  const { report, signal } = job;
  let left = most;
  for (const [path, { where }] of named.context.sealed)
    if (!entries.has(path)) report.add('attachment', false, `${path} is missing`, where);
  for (const entry of entries.values()) {
    signal?.throwIfAborted();
    const isSmall = entry.size <= Math.min(LARGEST, left);
    if (isSmall) {
      left -= entry.size;
      await judgeFile(job, file, entry, named);
    } else report.add('attachment', 'unknown', 'it is too large', entry.name);
  }
}

async function judgeFile(
  { report, signal }: Job,
  file: RandomAccess,
  entry: Entry,
  named: Named,
): Promise<void> {
  const { name, size } = entry;
  const bytes = await collect(contentOf(file, entry, signal), size);
  const sha256 = hex(await digest(bytes));
  const listed = named.files.get(name);
  if (listed?.sha256 !== sha256) {
    const wrong = listed ? `its SHA-256 is not the one of ${listed.where}` : 'no line names it: it was added';
    return report.add('attachment', false, wrong, name);
  }
  // Before anything else: what a sealed record names is nothing but that.
  const sealed = named.context.sealed.get(name);
  if (sealed === undefined) {
    const timeStamp = named.timeStamps.get(name);
    if (timeStamp !== undefined) return report.add('time-stamp', ...aboutTimeStamp(bytes, timeStamp), name);
    // Of anything else a sealed record must: without it anybody can put another file in its place.
    const ok = ['README.txt', 'statement.html'].includes(name)
      ? 'unproven'
      : report.found.records.pending > 0 && 'unknown';
    return report.add('attachment', ok, 'nothing sealed names it', name);
  }
  const own = name.endsWith('.js') ? `sha384-${toBase64(await digest(bytes, 'SHA-384'))} ${size}` : sha256;
  const isSame = sealed.said === own;
  const what = `its bytes are ${isSame ? '' : 'not '}those of the sealed record, ${sealed.where}`;
  report.add('attachment', isSame, what, name);
}

/** What a time-stamp says; whether its authority has signed it, openssl tells. */
function aboutTimeStamp(bytes: Uint8Array, named: NamedTimeStamp): [ok: false | 'unknown', what: string] {
  const { authority, file, genTime, imprint, where } = named;
  const found = readTimeStamp(bytes);
  if (found === undefined) return [false, 'it is no time-stamp of RFC 3161 over SHA-256'];
  if (found.imprint !== imprint) return [false, `it is over another text than the checkpoint of ${where}`];
  if (genTime !== found.genTime) return [false, `it is of ${found.genTime}; ${where} says ${genTime}`];
  const command = `openssl ts -verify -digest ${imprint} -in ${file} -CAfile authority.pem`;
  const what = `it is over this checkpoint and says ${found.genTime}. Whether ${authority} signed it: ${command}`;
  return ['unknown', what];
}
