import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import { leafHash, nodeHash } from '../../../server/src/domain/ledger/hash';

// biome-ignore lint/suspicious/noExplicitAny: lines of several kinds
export type PackLine = Record<string, any>;

/** A pack that was taken apart. */
export interface ReadPack {
  files: Record<string, Uint8Array>;
  lines: PackLine[];
  of(type: string): PackLine[];
  records(kind: string): { record: PackLine; line: PackLine }[];
}

/** Takes an evidence pack apart with a foreign reader of archives, and checks that its files are those it names. */
export function readPack(bytes: ArrayBuffer): ReadPack {
  const files = unzipSync(new Uint8Array(bytes));
  const lines: PackLine[] = Buffer.from(files['evidence.ndjson'] as Uint8Array)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const of = (type: string) => lines.filter((line) => line.type === type);
  const named = of('file').map(({ path }) => path);
  expect(Object.keys(files).sort()).toEqual([...named, 'evidence.ndjson'].sort());
  for (const { path, sha256 } of of('file'))
    expect(
      createHash('sha256')
        .update(files[path] as Uint8Array)
        .digest('hex'),
    ).toBe(sha256);
  const records = (kind: string) =>
    of('record')
      .filter((line) => line.kind === kind)
      .map((line) => ({ record: JSON.parse(line.statement).record, line }));
  return { files, lines, of, records };
}

/** The root that a record's proof leads to (RFC 9162 §2.1.3.2), in base64. */
export function rootOfRecord({ statement, blinding, leaf, proof }: PackLine, size: number): string {
  const commitment = createHash('sha256').update(Buffer.from(blinding, 'base64')).update(statement).digest();
  let [fn, sn, root] = [leaf, size - 1, leafHash(commitment)];
  for (const part of proof) {
    const hash = Buffer.from(part, 'base64');
    if (fn % 2 === 1 || fn === sn) {
      root = nodeHash(hash, root);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
    } else root = nodeHash(root, hash);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  if (sn !== 0) throw new Error('the proof is too short');
  return root.toString('base64');
}
