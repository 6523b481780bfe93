import { sign } from 'node:crypto';
import type { Knex } from 'knex';
import type { HeadRow } from '../db/ledger/heads';
import { clock } from '../domain/clock';
import { successionText } from '../domain/ledger/note';
import type { Vault } from '../security/vault';
import { type SigningKey, signingKey } from './keys';

/**
 * Has the key that signed a log's head endorse the one that signs from now on, if it is another: in the transaction
 * that holds the head's lock. Without the private part of the old one, which was lost, there is no endorsement.
 */
export async function handOver(
  trx: Knex,
  vault: Vault,
  { environment_id, origin, key_id }: HeadRow,
  next: SigningKey,
): Promise<void> {
  if (key_id === next.id) return;
  const old = await signingKey(trx, vault, key_id);
  const text = Buffer.from(successionText(origin, next.publicKey));
  const signature = old === undefined ? null : sign(null, text, old.key);
  const row = { environment_id, key_id, successor_id: next.id, at: clock.date(), signature };
  await trx('ledger_successions').insert(row).onConflict(['environment_id', 'key_id']).ignore();
}

/** The keys with which a log was signed, oldest first, each with what ended its time. */
export interface LogKey {
  key_id: string;
  until: Date | null;
  /** Of the successor's endorsement by this key. */
  signature: Buffer | null;
}

export async function keysOfLog(db: Knex, { environment_id, key_id }: HeadRow): Promise<LogKey[]> {
  const rows: { key_id: string; at: Date; signature: Buffer | null }[] = await db('ledger_successions')
    .where({ environment_id })
    .orderBy('at');
  return [...rows.map(({ at, ...row }) => ({ ...row, until: at })), { key_id, until: null, signature: null }];
}
