import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { type Drawer, SealedByAnother, type Vault } from './vault';

/** PostgreSQL: read_only_sql_transaction. */
const READ_ONLY = '25006';

/** A secret of 32 bytes that all servers of a database share, sealed there; made when it is first needed. */
export async function storedSecret(db: Knex, vault: Vault, name: string): Promise<Buffer> {
  const sealed = (await readSealed(db, name)) ?? (await makeSecret(db, vault, name));
  const drawer = drawerOf(vault, name);
  if (!drawer.opens(sealed))
    throw new SealedByAnother(
      `The secret "${name}" of the database (table server_secrets) is opened by no key of SECRETS_KEY and SECRETS_KEY_OTHERS, or is something else that was put in its place: restore its row from a backup. If it is lost for good, run npm run reseal -- --lost.`,
    );
  return Buffer.from(drawer.open(sealed), 'base64');
}

const drawerOf = (vault: Vault, name: string): Drawer => vault.of(`server secret ${name}`);

const readSealed = async (db: Knex, name: string): Promise<Buffer | undefined> =>
  (await db('server_secrets').where({ name }).first('sealed'))?.sealed;

async function makeSecret(db: Knex, vault: Vault, name: string): Promise<Buffer> {
  const row = { name, sealed: drawerOf(vault, name).seal(randomBytes(32).toString('base64')) };
  // Another process may have been first.
  await db('server_secrets')
    .insert(row)
    .onConflict('name')
    .ignore()
    .catch((error: { code?: unknown }) => {
      if (error.code !== READ_ONLY) throw error;
      throw new Error(
        `The database is read-only (a stand-by?) and lacks the secret "${name}", which each server needs: start one server on its primary first, or wait until it has followed.`,
      );
    });
  return (await readSealed(db, name)) as Buffer;
}

/** What sealing anew came to: texts that another key had sealed, and those that none opens. */
export interface ResealedCount {
  changed: number;
  lost: number;
}

/** Seals a secret with the first key of the vault; `giveUp` is called for one that no key opens. */
export async function resealStored(
  db: Knex,
  vault: Vault,
  name: string,
  giveUp: () => Promise<void>,
): Promise<ResealedCount> {
  const sealed = await readSealed(db, name);
  if (sealed === undefined) return { changed: 0, lost: 0 };
  const drawer = drawerOf(vault, name);
  if (!drawer.opens(sealed)) {
    await giveUp();
    return { changed: 0, lost: 1 };
  }
  if (drawer.isCurrent(sealed)) return { changed: 0, lost: 0 };
  const changed = await db('server_secrets')
    .where({ name, sealed })
    .update({ sealed: drawer.seal(drawer.open(sealed)) });
  return { changed, lost: 0 };
}
