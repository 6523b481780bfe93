import { base64, hash, lineOf, type MadePack, sealed } from '../made-pack';
import { checkpointText } from '../signer';
import { inclusionOf, rootOf } from '../tree';

/** Adds a record at the end of the tree and signs a new head. */
export function addRecord(pack: MadePack, kind: string, statement: string): void {
  const { lines, entries, keys } = pack;
  const blinding = Buffer.alloc(16, 7);
  entries.push(sealed(blinding, statement));
  const leaf = entries.length - 1;
  const text = checkpointText(lineOf(pack, 'pack').origin, entries.length, rootOf(entries));
  const note = `${text}\n${keys.present.line(text)}${keys.witness.cosignature(text, 1)}`;
  Object.assign(lineOf(pack, 'checkpoint'), { note, timestamps: [] });
  // Of the head of before.
  pack.files = pack.files.filter(({ name }) => !name.startsWith('timestamps/'));
  const stamp = lines.findIndex(({ path }) => path?.startsWith('timestamps/'));
  if (stamp >= 0) lines.splice(stamp, 1);
  lines.splice(lines.indexOf(lineOf(pack, 'checkpoint', 1)), 1);
  const proof = inclusionOf(leaf, entries).map(base64);
  const record = { type: 'record', kind, statement, blinding: base64(blinding), leaf, proof };
  lines.splice(lines.indexOf(lineOf(pack, 'file')), 0, record);
  lineOf(pack, 'end').records += 1;
}

/** Changes a note's lines, by their number from 0. */
export function inNote(pack: MadePack, change: (lines: string[]) => void, index = 0): void {
  const line = lineOf(pack, 'checkpoint', index);
  const lines = line.note.split('\n');
  change(lines);
  line.note = lines.join('\n');
}

export const swapLines = (pack: MadePack, one: number, other: number): void => {
  const { lines } = pack;
  [lines[one], lines[other]] = [lines[other] as object, lines[one] as object];
};

export const remove = (pack: MadePack, type: string, index = 0): void => {
  pack.lines.splice(pack.lines.indexOf(lineOf(pack, type, index)), 1);
};

/** A change of a pack, and what the verifier must say: the step, the place and the words. */
export type Change = [name: string, change: (pack: MadePack) => void, said: RegExp];

/** Changes a byte of a signature line's key id and signature. */
export function flip(line: string, at: number): string {
  const [dash, name, text = ''] = line.split(' ');
  const bytes = Buffer.from(text, 'base64');
  bytes[at] = (bytes[at] as number) ^ 1;
  return `${dash} ${name} ${bytes.toString('base64')}`;
}

/** Replaces a file, and the hash that its line names. */
export function setFile(pack: MadePack, name: string, content: Buffer): void {
  const file = pack.files.find((one) => one.name === name);
  if (file !== undefined) file.content = content;
  for (const line of pack.lines)
    if (line.path === name) line.sha256 = hash('sha256', content).toString('hex');
}

/** The same text of base64 with another first byte. */
export function changed(text: string): string {
  const bytes = Buffer.from(text, 'base64');
  bytes[0] = (bytes[0] as number) ^ 1;
  return bytes.toString('base64');
}
