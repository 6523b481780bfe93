import type { Knex } from 'knex';
import type { StoredNote } from '../db/ledger/erased-notes';
import { keepGroupKey } from '../db/ledger/group-key';
import { lockHead } from '../db/ledger/heads';
import { groupOf, type StoredGroup } from '../db/ledger/pending';
import { isGenuineNote, noteMac } from '../domain/ledger/erased-note';
import { groupMac, isGenuine } from '../domain/ledger/group';
import { importMac, isGenuineImport } from '../domain/ledger/import-state';
import { type ResealedCount, resealStored, storedSecret } from '../security/stored-secrets';
import type { Vault } from '../security/vault';

/** By which the server knows what it wrote to be sealed. */
const NAME = 'ledger_groups';
/** Groups that are read at once. */
const AT_ONCE = 500;
/** Notes that are read at once: each holds up to 5,000 commitments. */
const NOTES = 20;
const NIL = '00000000-0000-0000-0000-000000000000';

/** Reads the secret, or makes it, before anything is sealed on a database. */
export async function openGroupKey(db: Knex, vault: Vault): Promise<void> {
  keepGroupKey(db, await storedSecret(db, vault, NAME));
}

/**
 * Seals it with the first key of the vault. One that no key opens goes when that key is lost for good; `recodeLogs` then
 * gives new codes.
 */
export const resealGroupKey = (db: Knex, vault: Vault, isLost: boolean): Promise<ResealedCount> =>
  resealStored(db, vault, NAME, async () => {
    if (isLost) await db('server_secrets').where({ name: NAME }).delete();
  });

/**
 * Gives everything with a code that is not by the present secret one that is: what waits to be sealed, what erasures
 * noted, and how far imports came. The operator vouches for it. Beside a lost secret that is what servers with the old one
 * wrote since, and what a command that was broken off left. Resolves with their number.
 */
export async function recodeLogs(db: Knex, vault: Vault): Promise<number> {
  const key = await storedSecret(db, vault, NAME);
  return (await recodeGroups(db, key)) + (await recodeNotes(db, key)) + (await recodeImports(db, key));
}

async function recodeGroups(db: Knex, key: Buffer): Promise<number> {
  let count = 0;
  for (let after = NIL; ; ) {
    const rows: StoredGroup[] = await db('ledger_pending')
      .where('group_id', '>', after)
      .orderBy('group_id')
      .limit(AT_ONCE);
    for (const row of rows) {
      if (isGenuine(key, groupOf(row), row.mac)) continue;
      const { environment_id, group_id } = row;
      const mac = Buffer.from(groupMac(key, groupOf(row)), 'hex');
      count += await db('ledger_pending').where({ environment_id, group_id }).update({ mac });
    }
    const last = rows.at(-1);
    if (last === undefined) return count;
    after = last.group_id;
  }
}

async function recodeNotes(db: Knex, key: Buffer): Promise<number> {
  let count = 0;
  for (let after: [string, string, number] = [NIL, NIL, 0]; ; ) {
    const notes: StoredNote[] = await db('ledger_erased')
      .whereRaw('(environment_id, erasure_id, n) > (?::uuid, ?::uuid, ?::bigint)', after)
      .orderBy(['environment_id', 'erasure_id', 'n'])
      .limit(NOTES);
    for (const note of notes) {
      if (isGenuineNote(key, note, note.mac)) continue;
      const { environment_id, erasure_id, n } = note;
      const mac = noteMac(key, note);
      count += await db('ledger_erased').where({ environment_id, erasure_id, n }).update({ mac });
    }
    const last = notes.at(-1);
    if (last === undefined) return count;
    after = [last.environment_id, last.erasure_id, last.n];
  }
}

async function recodeImports(db: Knex, key: Buffer): Promise<number> {
  const ids: string[] = await db('ledger_heads').where({ import_done: false }).pluck('environment_id');
  let count = 0;
  for (const environment_id of ids)
    count += await db.transaction(async (trx): Promise<number> => {
      const head = await lockHead(trx, environment_id);
      if (head === undefined || head.import_done || isGenuineImport(key, head, head.import_mac)) return 0;
      const import_mac = importMac(key, head);
      return await trx('ledger_heads').where({ environment_id }).update({ import_mac });
    });
  return count;
}
