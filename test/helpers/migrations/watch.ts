import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import pg from 'pg';
import type { Migration } from '../../../server/src/db/migrations';

/** The large tables, each with a row to write again and again. */
const WRITTEN: Record<string, string> = {
  idempotency_keys: 'scope',
  consents: 'language',
  session_choices: 'policy_version',
  form_consents: 'language',
};
const PAUSE = 5;

/** Writers of every large table, which measure how long each write takes. */
export class Writers {
  private readonly loops: Promise<void>[];
  private stopping = false;
  private slowest = 0;
  private count = 0;
  readonly faults: string[] = [];

  constructor(private readonly url: string) {
    this.loops = Object.entries(WRITTEN).map(([table, column]) => this.write(table, column));
  }

  /** Writes since the last call, and the longest of them in milliseconds. */
  take(): { writes: number; slowest: number } {
    const taken = { writes: this.count, slowest: this.slowest };
    this.count = 0;
    this.slowest = 0;
    return taken;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.loops);
  }

  /** A different row each time, so that a back-fill meets some of them. */
  private async write(table: string, column: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.url, application_name: 'writer' });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ id: string }>('SELECT id FROM environments LIMIT 1');
    const ofSite = `environment_id = '${rows[0]?.id}'`;
    // Both name the site: on a cluster the row and its sample lie in one part.
    const sql = `UPDATE ${table} SET ${column} = ${column} WHERE ${ofSite} AND (tableoid, ctid) = (
      SELECT tableoid, ctid FROM ${table} TABLESAMPLE SYSTEM (0.1) WHERE ${ofSite} LIMIT 1)`;
    while (!this.stopping) {
      const before = performance.now();
      await client.query(sql).catch((error: Error) => this.faults.push(`${table}: ${error.message}`));
      this.slowest = Math.max(this.slowest, performance.now() - before);
      this.count += 1;
      await delay(PAUSE);
    }
    await client.end();
  }
}

/** Looks again and again who waits for a lock that a migration holds, or that one waits for ahead of it. */
export class LockWatch {
  private readonly loop: Promise<void>;
  private stopping = false;
  private longest = 0;

  constructor(url: string) {
    this.loop = this.watch(url);
  }

  /** The longest wait that was seen since the last call, in milliseconds. */
  take(): number {
    const { longest } = this;
    this.longest = 0;
    return longest;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.loop;
  }

  private async watch(url: string): Promise<void> {
    const client = new pg.Client({ connectionString: url, application_name: 'lock watch' });
    await client.connect();
    while (!this.stopping) {
      const { rows } = await client.query<{ ms: number }>(
        `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart)), 0)::float8 * 1000 AS ms
         FROM pg_locks WHERE NOT granted AND pid IN (
           SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name !~ '^avow migrations')
         AND EXISTS (SELECT FROM unnest(pg_blocking_pids(pid)) AS blocker JOIN pg_stat_activity a ON a.pid = blocker
           WHERE a.application_name ~ '^avow migrations')`,
      );
      this.longest = Math.max(this.longest, rows[0]?.ms ?? 0);
      await delay(PAUSE);
    }
    await client.end();
  }
}

interface Table {
  name: string;
  file: number;
  read: number;
  changed: number;
  rows: number;
  mode: string | null;
}

/** What of a large table a transaction has read, changed and locked. Asked on its own connection. */
async function tablesOf(trx: Knex): Promise<Table[]> {
  const { rows } = await trx.raw<{ rows: Table[] }>(
    `SELECT c.relname AS name, pg_relation_filenode(c.oid)::int8 AS file, c.reltuples::float8 AS rows,
       pg_stat_get_xact_tuples_returned(c.oid) AS read,
       pg_stat_get_xact_tuples_updated(c.oid) + pg_stat_get_xact_tuples_deleted(c.oid) AS changed,
       (SELECT max(mode) FROM pg_locks l WHERE l.pid = pg_backend_pid() AND l.relation = c.oid AND l.granted
        AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')) AS mode
     FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.reltuples > 1000`,
  );
  return rows;
}

/** Most rows that a transaction may change: writers of these wait for its end. */
const MOST = 2_000;

/**
 * A migration that tells, at the end of its transaction, how it would hold up writers of a large table,
 * however short that is on this machine: by reading or rewriting it under a lock, or by changing many rows.
 */
export function inspected(migration: Migration, tell: (fault: string) => void): Migration {
  if (migration.config?.transaction === false) return inspectedOutside(migration, tell);
  return {
    ...migration,
    up: async (trx) => {
      const before = new Map((await tablesOf(trx)).map((table) => [table.name, table]));
      await migration.up(trx);
      for (const { name, file, read, changed, rows, mode } of await tablesOf(trx)) {
        const was = before.get(name);
        if (was === undefined) continue;
        if (file !== was.file) tell(`${name} was rewritten`);
        if (changed - was.changed > MOST) tell(`${changed - was.changed} rows of ${name} changed at once`);
        if (mode !== null && read - was.read > rows / 2) tell(`${name} was read under ${mode}`);
      }
    },
  };
}

/** Outside of a transaction each statement is one: only rewriting is seen here, and how many rows each changed. */
const inspectedOutside = (migration: Migration, tell: (fault: string) => void): Migration => ({
  ...migration,
  up: async (knex) => {
    const before = new Map((await tablesOf(knex)).map((table) => [table.name, table]));
    const count = (response: { rows?: { changed?: unknown }[]; rowCount?: number } | undefined): void => {
      const changed = response?.rows?.[0]?.changed ?? 0;
      if (Number(changed) > MOST) tell(`${changed} rows changed at once`);
    };
    knex.on('query-response', count);
    try {
      await migration.up(knex);
    } finally {
      knex.removeListener('query-response', count);
    }
    for (const { name, file } of await tablesOf(knex))
      if (before.has(name) && before.get(name)?.file !== file) tell(`${name} was rewritten`);
  },
});
