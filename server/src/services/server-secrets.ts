import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { clock } from '../domain/clock';
import type { Vault } from '../security/vault';

/** Keys the hashes of API keys and the fingerprints of sessions: it outlives a rotation of SECRETS_KEY. */
const NAME = 'api_keys';

const made = new WeakMap<Vault, Promise<Buffer>>();

/** The secret of API keys and fingerprints, made when it is first needed and kept in memory. */
export function keySecret(db: Knex, vault: Vault): Promise<Buffer> {
  const known = made.get(vault);
  if (known !== undefined) return known;
  const read = readOrMake(db, vault);
  made.set(vault, read);
  read.catch(() => made.delete(vault));
  return read;
}

async function readOrMake(db: Knex, vault: Vault): Promise<Buffer> {
  const sealed = (await readSecret(db)) ?? (await makeSecret(db, vault));
  return Buffer.from(vault.open(sealed), 'base64');
}

const readSecret = async (db: Knex): Promise<Buffer | undefined> =>
  (await db('server_secrets').where({ name: NAME }).first('sealed'))?.sealed;

async function makeSecret(db: Knex, vault: Vault): Promise<Buffer> {
  const row = { name: NAME, sealed: vault.seal(randomBytes(32).toString('base64')) };
  // Another process may have been first.
  await db('server_secrets').insert(row).onConflict('name').ignore();
  return (await readSecret(db)) as Buffer;
}

/** Takes away a secret that nobody can read, and ends the keys that it can no longer tell. */
async function giveUp(db: Knex): Promise<void> {
  await db.transaction(async (trx) => {
    await trx('api_keys').whereNull('revoked_at').update({ revoked_at: clock.date() });
    await trx('server_secrets').where({ name: NAME }).delete();
  });
}

/**
 * Seals it with the first key of the vault. One that no key opens is taken away when that key is lost for good: API
 * keys end with it, and sessions get other fingerprints.
 */
export async function resealSecret(
  db: Knex,
  vault: Vault,
  isLost: boolean,
): Promise<{ changed: number; lost: number }> {
  const sealed = await readSecret(db);
  if (sealed === undefined) return { changed: 0, lost: 0 };
  if (!vault.opens(sealed)) {
    if (isLost) await giveUp(db);
    return { changed: 0, lost: 1 };
  }
  if (vault.isCurrent(sealed)) return { changed: 0, lost: 0 };
  await db('server_secrets')
    .where({ name: NAME })
    .update({ sealed: vault.seal(vault.open(sealed)) });
  return { changed: 1, lost: 0 };
}
