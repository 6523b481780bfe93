import { digest, hex, toBase64 } from './bytes.js';
import type { Context } from './context.js';
import { EVIDENCE } from './lines.js';
import type { Report } from './report.js';
import { collect, type RandomAccess } from './source.js';
import { readTimeStamp } from './time-stamp.js';
import { contentOf, type Entry } from './zip.js';

/** Bytes of a file that is hashed: runtimes hash what is in their memory. */
const LARGEST = 256 * 1024 * 1024;

/** A time-stamp that a checkpoint names. */
export interface NamedTimeStamp {
  authority: string;
  file: string;
  genTime: string;
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
  report: Report,
  file: RandomAccess,
  entries: ReadonlyMap<string, Entry>,
  named: Named,
): Promise<void> {
  const { files, timeStamps, context } = named;
  for (const [path, { where }] of files)
    if (!entries.has(path)) report.add('attachment', false, `${path} is missing in the file`, where);
  for (const [path, { where }] of timeStamps)
    if (!entries.has(path)) report.add('time-stamp', false, `${path} is missing in the file`, where);
  for (const [hash, { where }] of context.bundles)
    if (!entries.has(bundlePath(hash)))
      report.add('attachment', false, `the script of bundle ${hash} is missing`, where);
  for (const entry of entries.values())
    if (entry.name !== EVIDENCE) await judgeFile(report, file, entry, named);
}

const bundlePath = (hash: string): string => `bundles/${hash}.js`;

async function judgeFile(report: Report, file: RandomAccess, entry: Entry, named: Named): Promise<void> {
  const { name, size } = entry;
  if (size > LARGEST) {
    report.add('attachment', 'unknown', 'it is too large to be hashed here', name);
    return;
  }
  const bytes = await collect(contentOf(file, entry), size);
  report.add('attachment', ...aboutListed(hex(await digest(bytes)), named.files.get(name)), name);
  const bundle = named.context.bundles.get(/^bundles\/(.*)\.js$/.exec(name)?.[1] ?? '');
  if (bundle !== undefined) {
    const integrity = `sha384-${toBase64(await digest(bytes, 'SHA-384'))}`;
    const isSealed = bundle.integrity === integrity && bundle.bytes === size;
    const what = `its bytes are ${isSealed ? '' : 'not '}those of the sealed record, ${bundle.where}`;
    report.add('attachment', isSealed, what, name);
  }
  const timeStamp = named.timeStamps.get(name);
  if (timeStamp !== undefined) report.add('time-stamp', ...aboutTimeStamp(bytes, timeStamp), name);
}

function aboutListed(sha256: string, listed: ListedFile | undefined): [ok: boolean, what: string] {
  if (listed === undefined) return [false, `no line of ${EVIDENCE} names it: it was added`];
  return sha256 === listed.sha256
    ? [true, `it is the file that ${listed.where} names`]
    : [false, `it is not the file that ${listed.where} names: its SHA-256 differs`];
}

/** What a time-stamp says; whether its authority has signed it, openssl tells. */
function aboutTimeStamp(bytes: Uint8Array, named: NamedTimeStamp): [ok: false | 'unknown', what: string] {
  const { authority, file, genTime, imprint, where } = named;
  const found = readTimeStamp(bytes);
  if (found === undefined) return [false, 'it is no time-stamp of RFC 3161'];
  if (found.imprint === undefined) return ['unknown', 'it is over a hash other than SHA-256'];
  if (found.imprint !== imprint) return [false, `it is over another text than the checkpoint of ${where}`];
  if (Date.parse(genTime) !== Date.parse(found.genTime))
    return [false, `it is of ${found.genTime}; ${where} says ${genTime}`];
  const command = `openssl ts -verify -digest ${imprint} -in ${file} -CAfile authority.pem`;
  const what = `it is over this checkpoint and says ${found.genTime}. Whether ${authority} has signed it, openssl tells: ${command}`;
  return ['unknown', what];
}
