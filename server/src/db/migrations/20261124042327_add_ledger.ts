import type { Knex } from 'knex';

export const step = 'expand' as const;

// The evidence log of each site. What a group of decisions, or an owner's change, will seal is a row of
// `ledger_pending`, written in its transaction, and in one piece as far as it fits in a page. Sealing makes of it `ledger_entries` (commitments, 256 a row),
// `ledger_tiles` (the hashes above them), `ledger_segments` (when what lies where) and the site's row of
// `ledger_heads`. `ledger_facts` are what is sealed besides consents. `ledger_imported` holds the blindings of
// records from before, `ledger_erased` the commitments whose records were erased. Hashes do not compress.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE consents ADD COLUMN blinding uuid');
  await knex.raw(`
    CREATE TABLE ledger_pending (
      environment_id uuid NOT NULL,
      group_id uuid NOT NULL,
      first_at timestamptz NOT NULL,
      last_at timestamptz NOT NULL,
      leaves bytea NOT NULL,
      mac bytea NOT NULL,
      PRIMARY KEY (environment_id, group_id)
    ) WITH (toast_tuple_target = 8160)`);
  await knex.raw(`
    CREATE TABLE ledger_entries (
      environment_id uuid NOT NULL,
      bundle bigint NOT NULL,
      commitments bytea NOT NULL,
      PRIMARY KEY (environment_id, bundle)
    )`);
  await knex.raw(`
    CREATE TABLE ledger_tiles (
      environment_id uuid NOT NULL,
      level smallint NOT NULL CHECK (level >= 1),
      tile bigint NOT NULL,
      hashes bytea NOT NULL,
      PRIMARY KEY (environment_id, level, tile)
    )`);
  await knex.raw(`
    CREATE TABLE ledger_segments (
      environment_id uuid NOT NULL,
      first_leaf bigint NOT NULL,
      leaves integer NOT NULL,
      first_at timestamptz NOT NULL,
      last_at timestamptz NOT NULL,
      imported boolean NOT NULL,
      PRIMARY KEY (environment_id, first_leaf)
    )`);
  await knex.raw('CREATE INDEX ledger_segments_time ON ledger_segments (environment_id, last_at, first_at)');
  await knex.raw(`
    CREATE TABLE ledger_heads (
      environment_id uuid NOT NULL,
      origin text NOT NULL,
      size bigint NOT NULL,
      root bytea NOT NULL,
      note text NOT NULL,
      key_id text NOT NULL,
      began_at timestamptz NOT NULL,
      sealed_at timestamptz NOT NULL,
      imported_on timestamptz,
      import_cursor json,
      import_done boolean NOT NULL,
      PRIMARY KEY (environment_id)
    )`);
  await knex.raw(`
    CREATE TABLE ledger_facts (
      environment_id uuid NOT NULL,
      fact_id uuid NOT NULL,
      at timestamptz NOT NULL,
      kind text NOT NULL,
      subject text NOT NULL,
      blinding uuid NOT NULL,
      statement text,
      imported boolean NOT NULL,
      PRIMARY KEY (environment_id, fact_id)
    )`);
  await knex.raw('CREATE INDEX ledger_facts_subject ON ledger_facts (environment_id, kind, subject)');
  await knex.raw(`
    CREATE TABLE ledger_imported (
      environment_id uuid NOT NULL,
      consent_id uuid NOT NULL,
      blinding uuid NOT NULL,
      PRIMARY KEY (environment_id, consent_id)
    )`);
  await knex.raw(`
    CREATE TABLE ledger_erased (
      environment_id uuid NOT NULL,
      erasure_id uuid NOT NULL,
      n bigint NOT NULL,
      commitments bytea NOT NULL,
      PRIMARY KEY (environment_id, erasure_id, n)
    )`);
  for (const [table, column] of [
    ['ledger_pending', 'leaves'],
    ['ledger_entries', 'commitments'],
    ['ledger_tiles', 'hashes'],
    ['ledger_erased', 'commitments'],
  ])
    await knex.raw(`ALTER TABLE ${table} ALTER COLUMN ${column} SET STORAGE EXTERNAL`);
  await addKeys(knex);
  await addVouchers(knex);
}

/** The server's keys, the private part sealed until no log needs it, and which key endorsed which for a log. */
async function addKeys(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE ledger_keys (
      key_id text PRIMARY KEY,
      public_key bytea NOT NULL,
      sealed bytea,
      created_at timestamptz NOT NULL,
      retired_at timestamptz
    )`);
  await knex.raw('CREATE UNIQUE INDEX ledger_keys_present ON ledger_keys ((true)) WHERE retired_at IS NULL');
  await knex.raw(`
    CREATE TABLE ledger_successions (
      environment_id uuid NOT NULL,
      key_id text NOT NULL,
      successor_id text NOT NULL,
      at timestamptz NOT NULL,
      signature bytea,
      PRIMARY KEY (environment_id, key_id)
    )`);
}

/** Checkpoints that others vouch for, or that were handed out. */
async function addVouchers(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE ledger_checkpoints (
      environment_id uuid NOT NULL,
      size bigint NOT NULL,
      at timestamptz NOT NULL,
      note text NOT NULL,
      PRIMARY KEY (environment_id, size)
    )`);
  await knex.raw(`
    CREATE TABLE ledger_cosignatures (
      environment_id uuid NOT NULL,
      size bigint NOT NULL,
      witness text NOT NULL,
      line text NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, size, witness)
    )`);
  await knex.raw(`
    CREATE TABLE ledger_timestamps (
      environment_id uuid NOT NULL,
      size bigint NOT NULL,
      authority text NOT NULL,
      token bytea NOT NULL,
      gen_time timestamptz NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, size, authority)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `DROP TABLE ledger_pending, ledger_entries, ledger_tiles, ledger_segments, ledger_heads, ledger_facts,
       ledger_imported, ledger_erased, ledger_keys, ledger_successions, ledger_checkpoints, ledger_cosignatures,
       ledger_timestamps`,
  );
  await knex.raw('ALTER TABLE consents DROP COLUMN blinding');
}
