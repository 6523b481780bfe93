import type { Knex } from 'knex';
import type { Config } from '../src/config';
import { VERSION } from '../src/config/version';
import { databaseTime } from '../src/db/clock';
import { findRunning, startEmbedded } from '../src/db/embedded';
import { connect } from '../src/db/knex';
import { migrate } from '../src/db/migrate';
import { refusal, schemaState } from '../src/db/schema-state';
import { openGroupKey } from '../src/ledger/group-secret';
import { explainStart } from '../src/runtime/start-error';
import { loadSecrets } from '../src/security/secrets';
import { Vault } from '../src/security/vault';
import { checkSecretsKey } from '../src/services/canary';

/** Connections that a command needs at most. */
const POOL = 4;

export interface Opened {
  db: Knex;
  url: string;
  /** In words, without a password. */
  where: string;
}

/**
 * Opens the database that the server uses, for the length of the work: that of DATABASE_URL, the embedded one
 * of a running server, or else the embedded one of DATA_DIR, which then is started and stopped again.
 */
export async function withDatabase<Result>(
  config: Config,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const found = await find(config);
  const db = connect(found.url, POOL);
  try {
    // Sets the clock that everything is dated by.
    await databaseTime(db);
    return await work({ db, url: found.url, where: found.where });
  } catch (error) {
    throw explainStart(error, { ...config, databaseUrl: found.url });
  } finally {
    await db.destroy();
    await found.close();
  }
}

/** The same, brought up to date first. */
export async function withMigratedDatabase<Result>(
  config: Config,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  return withDatabase(config, async (opened) => {
    const state = await schemaState(opened.db, VERSION);
    const refused = refusal(state, VERSION);
    if (refused !== undefined) throw new Error(refused);
    if (state.pending.length > 0) {
      if (!config.migrate)
        throw new Error('The database lacks migrations and MIGRATE is off: run npm run migrate first.');
      await migrate(opened.db, { version: VERSION });
    }
    return work(opened);
  });
}

/** For commands that store what the evidence log seals. Throws what to do when SECRETS_KEY is not the server's. */
export async function openLedger(db: Knex, config: Config): Promise<Vault> {
  const { secretsKey, secretsKeyOthers } = loadSecrets(config);
  const vault = new Vault(secretsKey, secretsKeyOthers);
  await checkSecretsKey(db, vault);
  await openGroupKey(db, vault);
  return vault;
}

async function find({ databaseUrl, dataDir }: Config): Promise<{
  url: string;
  where: string;
  close(): Promise<void>;
}> {
  const nothing = async (): Promise<void> => undefined;
  if (databaseUrl !== undefined) {
    return { url: databaseUrl, where: 'the database of DATABASE_URL', close: nothing };
  }
  const url = await findRunning(dataDir);
  if (url !== undefined) {
    return { url, where: `the embedded database of the server that runs on ${dataDir}`, close: nothing };
  }
  const embedded = await startEmbedded({ dataDir });
  return {
    url: embedded.url(),
    where: `the embedded database in ${dataDir}, started for this command`,
    close: () => embedded.stop(),
  };
}
