import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Knex } from 'knex';
import { clock } from '../domain/clock';
import { bytesOf, privateKeyOf } from '../domain/ledger/note';
import type { ResealedCount } from '../security/stored-secrets';
import { SealedByAnother, type Vault } from '../security/vault';

/** A key of the server with its private part. */
export interface SigningKey {
  id: string;
  publicKey: Buffer;
  key: KeyObject;
}

export interface KeyRow {
  key_id: string;
  public_key: Buffer;
  /** Null once every log is signed by a later key. */
  sealed: Buffer | null;
  created_at: Date;
  retired_at: Date | null;
}

type SealedKey = Pick<KeyRow, 'key_id' | 'public_key'> & { sealed: Buffer };

const keysOf = (db: Knex) => db<KeyRow>('ledger_keys');

/** Half of the SHA-256 of a public key, in hexadecimal digits. */
export const idOf = (publicKey: Buffer): string =>
  createHash('sha256').update(publicKey).digest('hex').slice(0, 32);

function newRow(vault: Vault): KeyRow {
  const { privateKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const public_key = bytesOf(privateKey);
  const key_id = idOf(public_key);
  const sealed = vault.of('ledger key').seal(seed.toString('base64'), key_id);
  return { key_id, public_key, sealed, created_at: clock.date(), retired_at: null };
}

/** Keys that were opened, by vault: a log is signed every few seconds. */
const known = new WeakMap<Vault, Map<string, SigningKey>>();

/** What was opened once stays in use, whatever is written to its row. */
function opened(vault: Vault, row: SealedKey): SigningKey {
  const ring = known.get(vault) ?? new Map<string, SigningKey>();
  known.set(vault, ring);
  const key = ring.get(row.key_id) ?? openedNow(vault, row);
  if (key === undefined)
    throw new SealedByAnother(
      `the key ${row.key_id} of the evidence logs (table ledger_keys) is opened by no key of SECRETS_KEY and SECRETS_KEY_OTHERS, or is not the one that its row names: nothing is sealed until the row is restored from a backup. If it is lost for good, run npm run reseal -- --lost`,
    );
  ring.set(key.id, key);
  return key;
}

/** Undefined for what is not the key that its row names: whoever writes to the database must not choose what signs. */
function openedNow(vault: Vault, { key_id, public_key, sealed }: SealedKey): SigningKey | undefined {
  const drawer = vault.of('ledger key');
  if (!drawer.opens(sealed, key_id)) return undefined;
  const key = privateKeyOf(Buffer.from(drawer.open(sealed, key_id), 'base64'));
  const publicKey = bytesOf(key);
  if (!publicKey.equals(public_key) || idOf(publicKey) !== key_id) return undefined;
  return { id: key_id, publicKey, key };
}

/** The key that signs at present; made when there is none yet. */
export async function currentKey(db: Knex, vault: Vault): Promise<SigningKey> {
  const present = () => keysOf(db).whereNull('retired_at').first();
  let row = await present();
  if (row === undefined) {
    // Of several first processes one makes it.
    const { key_id, public_key, sealed, created_at } = newRow(vault);
    await db.raw(
      'INSERT INTO ledger_keys (key_id, public_key, sealed, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      [key_id, public_key, sealed, created_at] as unknown as string[],
    );
    row = await present();
  }
  return opened(vault, row as SealedKey);
}

/** A key by its id, with its private part as long as it is kept; undefined also where its row holds something else. */
export async function signingKey(db: Knex, vault: Vault, key_id: string): Promise<SigningKey | undefined> {
  const row = await keysOf(db).where({ key_id }).first();
  return row === undefined || row.sealed === null ? undefined : openedNow(vault, row as SealedKey);
}

/** All keys that there were, by id. */
export async function allKeys(db: Knex): Promise<Map<string, KeyRow>> {
  return new Map((await keysOf(db).orderBy('created_at')).map((row) => [row.key_id, row]));
}

/**
 * Makes a new key that signs from now on, in a transaction. Each log's old key endorses it when the log is next looked
 * at.
 */
export async function rotateKey(trx: Knex, vault: Vault): Promise<KeyRow> {
  const row = newRow(vault);
  await keysOf(trx).whereNull('retired_at').update({ retired_at: row.created_at });
  await keysOf(trx).insert(row);
  return row;
}

/** Forgets the private parts of keys that were retired before an instant, and that no log is signed with any more. */
export async function forgetKeys(db: Knex, before: Date): Promise<void> {
  const retired = await keysOf(db).where('retired_at', '<', before).whereNotNull('sealed').select('key_id');
  for (const { key_id } of retired) {
    const used = await db('ledger_heads').where({ key_id }).first('environment_id');
    if (used === undefined) await keysOf(db).where({ key_id }).update({ sealed: null });
  }
}

/**
 * Seals the private parts with the first key of the vault. One that no key opens is retired when that key is lost for
 * good: the next one has nobody's endorsement.
 * @param giveUp called with one that is lost, before its private part goes; nothing is given up without it
 */
export async function resealKeys(
  db: Knex,
  vault: Vault,
  giveUp: ((key_id: string) => Promise<void>) | undefined,
): Promise<ResealedCount> {
  const count = { changed: 0, lost: 0 };
  const lost: string[] = [];
  const drawer = vault.of('ledger key');
  for (const { key_id, public_key, sealed } of (await allKeys(db)).values()) {
    if (sealed === null) continue;
    if (openedNow(vault, { key_id, public_key, sealed }) === undefined) {
      count.lost += 1;
      lost.push(key_id);
    } else if (!drawer.isCurrent(sealed, key_id)) {
      count.changed += await keysOf(db)
        .where({ key_id, sealed })
        .update({ sealed: drawer.seal(drawer.open(sealed, key_id), key_id) });
    }
  }
  if (giveUp === undefined) return count;
  // All of them first: what is signed then is signed by a key that can be opened.
  await keysOf(db).whereIn('key_id', lost).whereNull('retired_at').update({ retired_at: clock.date() });
  for (const key_id of lost) {
    await giveUp(key_id);
    await keysOf(db).where({ key_id }).update({ sealed: null });
  }
  return count;
}
