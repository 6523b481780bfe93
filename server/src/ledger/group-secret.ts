import type { Knex } from 'knex';
import type { StoredNote } from '../db/ledger/erased-notes';
import { keepGroupKey } from '../db/ledger/group-key';
import { lockHead } from '../db/ledger/heads';
import { groupOf, type StoredGroup } from '../db/ledger/pending';
import { noteMac } from '../domain/ledger/erased-note';
import { groupMac } from '../domain/ledger/group';
import { importMac } from '../domain/ledger/import-state';
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
 * Seals it with the first key of the vault. One that no key opens is replaced when that key is lost for good: then the
 * operator vouches for what waits to be sealed, for what erasures noted and for how far imports came, which get new codes.
 */
export const resealGroupKey = (db: Knex, vault: Vault, isLost: boolean): Promise<ResealedCount> =>
  resealStored(db, vault, NAME, async () => {
    if (isLost) await replace(db, vault);
  });

async function replace(db: Knex, vault: Vault): Promise<void> {
  await db('server_secrets').where({ name: NAME }).delete();
  const key = await storedSecret(db, vault, NAME);
  await recodeGroups(db, key);
  await recodeNotes(db, key);
  await recodeImports(db, key);
}

async function recodeGroups(db: Knex, key: Buffer): Promise<void> {
  for (let after = NIL; ; ) {
    const rows: StoredGroup[] = await db('ledger_pending')
      .where('group_id', '>', after)
      .orderBy('group_id')
      .limit(AT_ONCE);
    for (const row of rows) {
      const { environment_id, group_id } = row;
      const mac = Buffer.from(groupMac(key, groupOf(row)), 'hex');
      await db('ledger_pending').where({ environment_id, group_id }).update({ mac });
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.group_id;
  }
}

/** Those of earlier versions have no code, and get none. */
async function recodeNotes(db: Knex, key: Buffer): Promise<void> {
  for (let after: [string, string, string] = [NIL, NIL, '0']; ; ) {
    const notes: StoredNote[] = await db('ledger_erased')
      .whereNotNull('mac')
      .whereRaw('(environment_id, erasure_id, n) > (?::uuid, ?::uuid, ?::bigint)', after)
      .orderBy(['environment_id', 'erasure_id', 'n'])
      .limit(NOTES);
    for (const note of notes) {
      const { environment_id, erasure_id, n } = note;
      await db('ledger_erased')
        .where({ environment_id, erasure_id, n })
        .update({ mac: noteMac(key, note) });
    }
    const last = notes.at(-1);
    if (last === undefined) return;
    after = [last.environment_id, last.erasure_id, last.n];
  }
}

async function recodeImports(db: Knex, key: Buffer): Promise<void> {
  const ids: string[] = await db('ledger_heads').where({ import_done: false }).pluck('environment_id');
  for (const environment_id of ids)
    await db.transaction(async (trx) => {
      const head = await lockHead(trx, environment_id);
      if (head === undefined || head.import_done) return;
      await trx('ledger_heads')
        .where({ environment_id })
        .update({ import_mac: importMac(key, head) });
    });
}
