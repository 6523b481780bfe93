import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import pg from 'pg';
import { loadProgram } from '../../server/src/bundles/load-program';
import { publishBundle } from '../../server/src/bundles/publish';
import { type Embedded, startEmbedded } from '../../server/src/db/embedded';
import { connect } from '../../server/src/db/knex';
import { migrate } from '../../server/src/db/migrate';
import { defaultSettings } from '../../server/src/domain/settings';
import { openGroupKey } from '../../server/src/ledger/group-secret';
import { Vault } from '../../server/src/security/vault';
import { insertEnvironment } from '../../server/src/services/environments';
import { SECRETS_KEY } from './avow';

/** A migrated database with some sites in it. */
export interface Database {
  url: string;
  /** Tokens of the sites. */
  tokens: string[];
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** PostgreSQL of the benchmark's own, durable as in production, in a temporary folder. */
export async function startPostgres(): Promise<Embedded> {
  const folder = mkdtempSync(join(tmpdir(), 'avow-bench-'));
  const embedded = await startEmbedded({ dataDir: folder, settings: { max_connections: '250' } });
  return {
    url: embedded.url,
    stop: async () => {
      await embedded.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function makeDatabase(embedded: Embedded, name: string, sites: number): Promise<Database> {
  await runAll(embedded.url('postgres'), [`CREATE DATABASE ${name}`]);
  return fillDatabase(embedded.url(name), sites);
}

/** Runs statements one by one, on a connection of their own. */
export async function runAll(url: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Migrates an empty database and makes its sites; `prepare` runs in between. */
export async function fillDatabase(
  url: string,
  sites: number,
  prepare: (knex: Knex) => Promise<void> = async () => undefined,
): Promise<Database> {
  const tokens = await makeSites(url, sites, prepare);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  return {
    url,
    tokens,
    sql: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
    close: () => pool.end(),
  };
}

async function makeSites(
  url: string,
  count: number,
  prepare: (knex: Knex) => Promise<void>,
): Promise<string[]> {
  const knex = connect(url, 2);
  try {
    await migrate(knex);
    // As a database that is not new: its processes have seen each contract step.
    await knex('contract_steps').update({ started_at: new Date(0) });
    await prepare(knex);
    await openGroupKey(knex, new Vault(SECRETS_KEY));
    const tokens: string[] = [];
    for (let i = 0; i < count; i += 1) {
      tokens.push(await knex.transaction((trx) => makeSite(trx, `Shop ${i}`)));
    }
    return tokens;
  } finally {
    await knex.destroy();
  }
}

/** A site with a banner. */
async function makeSite(trx: Knex.Transaction, name: string): Promise<string> {
  const settings = defaultSettings();
  const site = { name, domain: 'shop.example.com', settings, createdBy: null };
  const { id, token } = await insertEnvironment(trx, site);
  await publishBundle(trx, { program: loadProgram(), server: 'https://consent.example.com' }, id, {}, null);
  return token;
}
