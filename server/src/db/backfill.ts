import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';

/** Rows of the first batch, and the bounds of later ones. */
const FIRST = 500;
const MIN_ROWS = 200;
const MAX_ROWS = 2_000;
/** How long a batch should take: a writer of one of its rows waits no longer, in milliseconds. */
const TARGET = 50;
/** The shortest pause after a batch, and the one before rows are tried again that others held, in milliseconds. */
const PAUSE = 10;
const AGAIN = 1_000;

/** Few rows of many, by their key: other plans would read the whole table for each batch. */
const BY_KEY =
  'SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_seqscan = off';

/** What to change; all of it is SQL of a migration. */
export interface Backfill {
  table: string;
  /** The columns of the primary key, in their order. */
  key: readonly string[];
  /** The columns to set, with the SQL of their values; no volatile function. */
  set: Readonly<Record<string, string>>;
  /** Which rows still need it; none that has been changed. */
  where: string;
}

/** How far it has come: everything of earlier environments, and of this one up to a key. */
interface Place {
  environment?: string | undefined;
  after?: string[] | undefined;
  /** Rows that others held when it came by. */
  held: number;
}

interface Batch {
  seen: number;
  changed: number;
  held: number;
  last: string[] | null;
}

/**
 * Changes the rows of a large table in short transactions that wait for no row and pause as long as they work,
 * for a migration with `config = { transaction: false }`. What is killed goes on where it was. A table of
 * environments is taken environment by environment, as a cluster needs it.
 */
export async function backfill(knex: Knex, fill: Backfill): Promise<void> {
  const name = `${fill.table}: ${Object.entries(fill.set)
    .map(([column, value]) => `${column} = ${value}`)
    .join(', ')}`;
  const types = await typesOf(knex, fill);
  const isTenant = fill.key[0] === 'environment_id';
  const begun = await knex('backfills').where({ name }).first('place', 'finished_at');
  if (begun?.finished_at != null) return;
  let place: Place = begun?.place ?? { held: 0 };
  let size = FIRST;
  for (;;) {
    place.environment ??= isTenant ? await nextEnvironment(knex, fill) : undefined;
    while (!isTenant || place.environment !== undefined) {
      const before = performance.now();
      const from = place;
      const { next, isEnd } = await knex.transaction(async (trx) => {
        await trx.raw(BY_KEY);
        const batch = await changeBatch(trx, fill, types, from, size);
        const held = from.held + batch.held;
        const isEnd = batch.seen < size;
        const next: Place = { environment: from.environment, after: batch.last ?? from.after, held };
        await savePlace(trx, name, next, batch.changed);
        return { next, isEnd };
      });
      const took = performance.now() - before;
      size = Math.round(Math.min(MAX_ROWS, Math.max(MIN_ROWS, (size * TARGET) / Math.max(took, TARGET / 2))));
      place = next;
      await delay(Math.max(PAUSE, took));
      if (!isEnd) continue;
      if (!isTenant) break;
      place = { environment: await nextEnvironment(knex, fill, place.environment), held: place.held };
    }
    if (place.held === 0) break;
    place = { held: 0 };
    await delay(AGAIN);
  }
  await knex.raw(
    `INSERT INTO backfills (name, place, rows, started_at, changed_at, finished_at)
     VALUES (?, '{}', 0, clock_timestamp(), clock_timestamp(), clock_timestamp())
     ON CONFLICT (name) DO UPDATE SET changed_at = excluded.changed_at, finished_at = excluded.finished_at`,
    [name],
  );
}

/** The batch after a place: changes what needs it and nobody else holds. */
async function changeBatch(
  trx: Knex,
  { table, key, set, where }: Backfill,
  types: readonly string[],
  { environment, after }: Place,
  size: number,
): Promise<Batch> {
  // The names k0, k1 and so on make columns without a table's name those of the table.
  const columns = key.map((column) => `t.${column}`).join(', ');
  const names = key.map((_, index) => `k${index}`).join(', ');
  const same = key.map((column, index) => `t.${column} = k${index}`).join(' AND ');
  const [here, its] =
    environment === undefined ? ['', []] : [` AND t.environment_id = ${cast('uuid')}`, [environment]];
  const beyond = after === undefined ? '' : ` AND (${columns}) > (${types.map(cast).join(', ')})`;
  const needs = `(${escaped(where)})`;
  // Computed where rows are read: a cluster's UPDATE computes nothing that depends on settings, such as the time zone.
  const values = Object.values(set).map(escaped).join(', ');
  const computed = Object.keys(set).map((_, index) => `v${index}`);
  const changes = Object.keys(set).map((column, index) => `${column} = v${index}`);
  const { rows } = await trx.raw<{ rows: Batch[] }>(
    `WITH page (${names}) AS MATERIALIZED (
       SELECT ${columns} FROM ${table} t WHERE true${here}${beyond} ORDER BY ${columns} LIMIT ?
     ), needy (${names}) AS MATERIALIZED (
       SELECT ${columns} FROM ${table} t JOIN page ON ${same} WHERE ${needs}${here}
     ), free (${names}, ${computed.join(', ')}) AS MATERIALIZED (
       SELECT ${columns}, ${values} FROM ${table} t JOIN needy ON ${same} WHERE ${needs}${here} FOR UPDATE OF t SKIP LOCKED
     ), changed AS (
       UPDATE ${table} t SET ${changes.join(', ')} FROM free WHERE ${same}${here} RETURNING 1
     )
     SELECT (SELECT count(*) FROM page) AS seen, (SELECT count(*) FROM changed) AS changed,
       (SELECT count(*) FROM needy) - (SELECT count(*) FROM free) AS held,
       (SELECT ARRAY[${key.map((_, index) => `k${index}::text`).join(', ')}] FROM page
        ORDER BY ${key.map((_, index) => `k${index} DESC`).join(', ')} LIMIT 1) AS last`,
    [...its, ...(after ?? []), size, ...its, ...its, ...its],
  );
  return rows[0] as Batch;
}

/** For knex, to which a question mark is a value. */
const escaped = (sql: string): string => sql.replaceAll('?', '\\?');

const cast = (type: string): string => `CAST(? AS ${type})`;

async function nextEnvironment(knex: Knex, { table }: Backfill, after?: string): Promise<string | undefined> {
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(
    `SELECT environment_id AS id FROM ${table} ${after === undefined ? '' : `WHERE environment_id > ${cast('uuid')}`}
     ORDER BY environment_id LIMIT 1`,
    after === undefined ? [] : [after],
  );
  return rows[0]?.id;
}

/** The types of the key's columns, so that a place can be kept as text. */
async function typesOf(knex: Knex, { table, key }: Backfill): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { type: string }[] }>(
    `SELECT format_type(atttypid, atttypmod) AS type
     FROM unnest(?::text[]) WITH ORDINALITY AS k (name, place)
     JOIN pg_attribute ON attrelid = ?::regclass AND attname = name ORDER BY place`,
    [[...key], table],
  );
  return rows.map(({ type }) => type);
}

const savePlace = (trx: Knex, name: string, place: Place, rows: number): Promise<unknown> =>
  trx.raw(
    `INSERT INTO backfills (name, place, rows, started_at, changed_at)
     VALUES (?, ?, ?, clock_timestamp(), clock_timestamp())
     ON CONFLICT (name) DO UPDATE
       SET place = excluded.place, rows = backfills.rows + excluded.rows, changed_at = excluded.changed_at`,
    [name, JSON.stringify(place), rows],
  ) as Promise<unknown>;
