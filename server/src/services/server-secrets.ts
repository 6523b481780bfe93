import type { Knex } from 'knex';
import { clock } from '../domain/clock';
import { type ResealedCount, resealStored, storedSecret } from '../security/stored-secrets';
import type { Vault } from '../security/vault';

/** Keys the hashes of API keys and the fingerprints of sessions: it outlives a rotation of SECRETS_KEY. */
const NAME = 'api_keys';

const made = new WeakMap<Vault, Promise<Buffer>>();

/** The secret of API keys and fingerprints, made when it is first needed and kept in memory. */
export function keySecret(db: Knex, vault: Vault): Promise<Buffer> {
  const known = made.get(vault);
  if (known !== undefined) return known;
  const read = storedSecret(db, vault, NAME);
  made.set(vault, read);
  read.catch(() => made.delete(vault));
  return read;
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
export const resealSecret = (db: Knex, vault: Vault, isLost: boolean): Promise<ResealedCount> =>
  resealStored(db, vault, NAME, async () => {
    if (isLost) await giveUp(db);
  });
