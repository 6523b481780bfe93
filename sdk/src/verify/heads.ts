import { MOST_KEYS } from './keyring.js';
import { EVIDENCE, linesOf } from './lines.js';
import { MOST_HEADS } from './pack.js';
import { parseReceipt } from './receipt.js';
import { refuse } from './report.js';
import type { RandomAccess } from './source.js';
import { isObject } from './statement.js';
import { contentOf, readZip } from './zip.js';

/** The notes of a pack, which stand before its records, so that little of it is read. @throws {Refusal} */
export async function notesOfPack(file: RandomAccess): Promise<string[]> {
  const evidence = (await readZip(file)).get(EVIDENCE);
  if (evidence === undefined) refuse('it is no evidence pack', EVIDENCE);
  const notes: string[] = [];
  let count = 0;
  for await (const { value, where } of linesOf(contentOf(file, evidence))) {
    count += 1;
    if (value.type === 'checkpoint') notes.push(String(value.note));
    else if (value.type !== 'pack' && value.type !== 'key') break;
    if (notes.length > MOST_HEADS || count > MOST_HEADS + MOST_KEYS + 1)
      refuse('too many checkpoints or keys', where);
  }
  return notes;
}

/** The note of a receipt, also as the API answers it; none where it waits to be sealed. @throws {Refusal} */
export function notesOfReceipt(bytes: Uint8Array): string[] {
  const { evidence } = parseReceipt(bytes);
  return isObject(evidence) && typeof evidence.checkpoint === 'string' ? [evidence.checkpoint] : [];
}
