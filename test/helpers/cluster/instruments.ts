import pg from 'pg';
import { admin, databaseUrl, everywhere, onCluster, servers } from '../database';
import { query } from '../processes/evidence';

/** What a test does to its database, such that it works on one server and on a cluster alike. */

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

/** The rows of every node, whatever each has of its own: its sessions, its locks. */
export async function rowsOfNodes<Row extends object>(url: string, sql: string): Promise<Row[]> {
  if (!onCluster()) return query<Row>(url, sql);
  const nodes = servers().map((server) => query<Row>(databaseUrl(nameOf(url), server), sql));
  return (await Promise.all(nodes)).flat();
}

/** How many sessions wait for somebody's lock. On a cluster one may do so on several nodes. */
export const waitingForLocks = async (url: string): Promise<number> =>
  (
    await rowsOfNodes(
      url,
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    )
  ).length;

/** Statements for every node, each of which gets something of its own. */
export const runOnNodes = (url: string, sql: string[]): Promise<void> =>
  onCluster() ? everywhere(sql, nameOf(url)) : admin(sql, url, nameOf(url));

/**
 * Begins a transaction that holds what a statement takes, a row or a table, until it is released. On a cluster all nodes
 * are told of it.
 */
export const hold = (url: string, sql: string): Promise<() => Promise<void>> => holdIn([url], sql);

/** The same on every node by itself, for what the nodes do not tell each other of, such as advisory locks. */
export const holdOnNodes = (url: string, sql: string): Promise<() => Promise<void>> =>
  holdIn(onCluster() ? servers().map((server) => databaseUrl(nameOf(url), server)) : [url], sql);

async function holdIn(all: string[], sql: string): Promise<() => Promise<void>> {
  const sessions = all.map((node) => new pg.Client({ connectionString: node }));
  for (const session of sessions) {
    await session.connect();
    await session.query(`BEGIN; ${sql}`);
  }
  return async () => {
    await Promise.all(sessions.map((session) => session.end()));
  };
}

export interface Trigger {
  name: string;
  table: string;
  /** Such as `BEFORE INSERT`. */
  event: string;
  /** Runs at the commit. */
  deferred?: boolean;
  condition?: string;
  body: string;
}

/** A trigger of the test's own; on a cluster each part of the table has it. Resolves to what removes it. */
export async function addTrigger(
  url: string,
  { name, table, event, deferred = false, condition, body }: Trigger,
): Promise<() => Promise<void>> {
  const [kind, time] = deferred ? ['CONSTRAINT TRIGGER', 'DEFERRABLE INITIALLY DEFERRED'] : ['TRIGGER', ''];
  await withTriggers(url, [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$`,
    `CREATE ${kind} ${name} ${event} ON ${table} ${time} FOR EACH ROW
       ${condition === undefined ? '' : `WHEN (${condition})`} EXECUTE FUNCTION ${name}()`,
  ]);
  return () => withTriggers(url, [`DROP TRIGGER ${name} ON ${table}`, `DROP FUNCTION ${name}`]);
}

/** Citus lets no trigger in that could write elsewhere, unless it is told to. */
const withTriggers = (url: string, statements: string[]): Promise<void> =>
  admin([...(onCluster() ? ['SET citus.enable_unsafe_triggers = on'] : []), ...statements], url, nameOf(url));
