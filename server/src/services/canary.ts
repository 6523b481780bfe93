import type { Knex } from 'knex';
import { ConfigError } from '../config';
import { outageOf } from '../db/outage';
import type { Vault } from '../security/vault';

/** The row of the key that seals. */
const NAME = 'SECRETS_KEY';
/** What is sealed in it: nothing of anybody. */
const TEXT = 'avow';

/**
 * Refuses a key that does not open what is sealed in this database, before it seals more. In a database
 * without a canary, new or from an older version, the latest webhook tells, and the canary is written.
 * Throws `ConfigError` with what to do.
 */
export async function checkSecretsKey(db: Knex, vault: Vault): Promise<void> {
  const canary = (await readCanary(db)) ?? (await writeCanary(db, vault));
  if (!vault.opens(canary)) throw wrongKey();
}

async function writeCanary(db: Knex, vault: Vault): Promise<Buffer> {
  const secret = await latestSecret(db);
  if (secret !== undefined && !vault.opens(secret)) throw wrongKey();
  const row = { name: NAME, sealed: vault.seal(TEXT) };
  try {
    await db('canaries').insert(row).onConflict('name').ignore();
  } catch (error) {
    // Where nothing can be written, nothing is sealed either.
    if (outageOf(error)?.kind !== 'read-only') throw error;
  }
  // Of several first processes one writes, and all of them must agree with it.
  return (await readCanary(db)) ?? row.sealed;
}

/** The canary, sealed with the first key from now on, whichever sealed it before. */
export async function replaceCanary(db: Knex, vault: Vault): Promise<void> {
  const row = { name: NAME, sealed: vault.seal(TEXT) };
  await db('canaries').insert(row).onConflict('name').merge();
}

export async function readCanary(db: Knex): Promise<Buffer | undefined> {
  const row = await db('canaries').where({ name: NAME }).first('sealed');
  return row?.sealed;
}

async function latestSecret(db: Knex): Promise<Buffer | undefined> {
  const row = await db('webhooks').orderBy('created_at', 'desc').first('secret');
  return row?.secret;
}

const wrongKey = (): ConfigError =>
  new ConfigError(
    'SECRETS_KEY is not the key that sealed the secrets of this database: set it to that key (the file secrets-key in the DATA_DIR of before, if it was never set), or add that key to SECRETS_KEY_OTHERS. If the key is lost for good, run npm run reseal -- --lost, and then change the secret of each webhook.',
  );
