import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textsFile, vendorList } from './list';

/** A folder with a vendor list and the texts of one more language, as an operator without internet has it. */
export function listFolderOf(list: object = vendorList()): string {
  const folder = mkdtempSync(join(tmpdir(), 'avow-gvl-'));
  writeFileSync(join(folder, 'vendor-list.json'), JSON.stringify(list));
  writeFileSync(join(folder, 'purposes-de.json'), JSON.stringify(textsFile('de')));
  return folder;
}
