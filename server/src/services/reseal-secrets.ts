import type { Knex } from 'knex';
import { clock } from '../domain/clock';
import type { SecretName } from '../security/server-secrets';
import { type ResealedCount, resealStored } from '../security/stored-secrets';
import type { Vault } from '../security/vault';

const KEYS: SecretName = 'api_keys';
const MAIL: SecretName = 'mail';

/** Takes away a secret that nobody can read, and ends the keys that it can no longer tell. */
async function giveUp(db: Knex): Promise<void> {
  await db.transaction(async (trx) => {
    await trx('api_keys').whereNull('revoked_at').update({ revoked_at: clock.date() });
    await trx('recovery_codes').delete();
    await trx('server_secrets').where({ name: KEYS }).delete();
  });
}

/**
 * Seals it with the first key of the vault. One that no key opens is taken away when that key is lost for good: API
 * keys end with it, and sessions get other fingerprints.
 */
export const resealSecret = (db: Knex, vault: Vault, isLost: boolean): Promise<ResealedCount> =>
  resealStored(db, vault, KEYS, async () => {
    if (isLost) await giveUp(db);
  });

/** The same for that of mails: links in mails that were sent end with it, and addresses are counted anew. */
export const resealMailSecret = (db: Knex, vault: Vault, isLost: boolean): Promise<ResealedCount> =>
  resealStored(db, vault, MAIL, async () => {
    if (isLost) await db('server_secrets').where({ name: MAIL }).delete();
  });
