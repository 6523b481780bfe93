import { ofErased, ofFacts, ofImported, ofPending } from './fact-cells';
import type { Cell } from './record-cells';
import type { Ground } from './tampering-ground';
import { ofEntries, ofHeads, ofPlaces } from './tree-cells';
import { ofKeys, ofVouched } from './voucher-cells';

/** Every tampering with the log's own tables that there can be. */
export async function ledgerCells(ground: Ground): Promise<Cell[]> {
  const cells: Cell[] = [];
  const parts = [ofFacts, ofImported, ofErased, ofPending, ofEntries, ofPlaces, ofHeads, ofKeys, ofVouched];
  for (const part of parts)
    for (const [table, all] of Object.entries(await part(ground)))
      for (const [change, name, tamper, expected] of all) {
        const withKey = name.endsWith('with the key');
        cells.push({ table, change, withKey, tamper, expected, name: `${table}: ${change} ${name}` });
      }
  return cells;
}
