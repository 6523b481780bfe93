import type { Socket } from 'node:net';
import knexFactory, { type Knex } from 'knex';
import pg from 'pg';
import { Hosts } from './hosts';
import { SCHEMA_VERSION } from './schema-version';

/** PostgreSQL's statement and lock timeouts, in milliseconds; 0 for none. */
export interface Limits {
  statement: number;
  lock: number;
}

/**
 * For owner endpoints and jobs. A wait for a lock ends, and frees its connection, before waits for a
 * connection time out.
 */
const OWNERS: Limits = { statement: 30_000, lock: 5_000 };
/**
 * Of visitors, who share few connections and do not wait for long: one locked table must not keep them all.
 */
export const VISITORS: Limits = { statement: 8_000, lock: 3_000 };

/** Longer than any statement of a visitor may take, in milliseconds. */
export const VISITOR_SILENCE = 10_000;

/** Longer than any statement may take, in milliseconds: a connection silent for so long is broken. */
const SILENCE_LIMIT = 35_000;

// bigint comes as a string by default; counts stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// A date has no time zone: keep it as text.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** Settings of one connection: time zone and encoding are ours whatever the server's defaults are. */
export const connectionSettings = (name: string, { statement, lock }: Limits): pg.ClientConfig => ({
  // Others see by it which programs are connected.
  application_name: `${name} ${SCHEMA_VERSION}`,
  options:
    `-c statement_timeout=${statement} -c lock_timeout=${lock} -c idle_in_transaction_session_timeout=60000 ` +
    '-c timezone=UTC -c client_encoding=UTF8 -c synchronous_commit=on',
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
});

/**
 * Options of a pool. A connection that is silent for `silenceMs` milliseconds during a query is closed; 0:
 * never.
 */
export interface PoolOptions {
  name?: string;
  limits?: Limits;
  silenceMs?: number;
  /** Goes to another node of a cluster when the hosts do not answer. */
  anyNode?: boolean;
}

/** A pool; by default that of owner endpoints and jobs. */
export function connect(
  to: string | Hosts,
  poolSize: number,
  { name = 'avow', limits = OWNERS, silenceMs = SILENCE_LIMIT, anyNode = false }: PoolOptions = {},
): Knex {
  const hosts = typeof to === 'string' ? new Hosts(to) : to;
  const knex = knexFactory({
    client: 'pg',
    connection: {},
    pool: {
      min: 0,
      max: poolSize,
      acquireTimeoutMillis: 8_000,
      afterCreate: (client: Connected, done: (error: null, client: Connected) => void) => {
        if (silenceMs > 0) giveUpWhenSilent(client, silenceMs);
        done(null, client);
      },
    },
    acquireConnectionTimeout: 8_000,
    // Neither an error's message nor knex's own lines may quote the values of a statement.
    compileSqlOnError: false,
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
  });
  // knex would connect to one host only, without checking its role.
  knex.client._acquireOnlyConnection = () => hosts.open(connectionSettings(name, limits), anyNode);
  connected.set(knex.client.config, hosts);
  return knex;
}

/** By the configuration of their client, which a pool's transactions share. */
const connected = new WeakMap<object, Hosts>();

/** Where a pool made by `connect`, or a transaction of it, goes. */
export const hostsOf = (knex: Knex): Hosts => connected.get(knex.client.config) as Hosts;

/** Another pool to the same database as a pool made by `connect`. */
export const connectLike = (knex: Knex, poolSize: number, options: PoolOptions): Knex =>
  connect(hostsOf(knex), poolSize, options);

/** Errors are thrown too, and logged where they are caught. */
const ignore = (): void => undefined;

type Connected = pg.Client & { connection: { stream: Socket } };

/**
 * Without this, a database host that vanished would only be noticed when the system drops the connection
 * after a quarter of an hour.
 */
function giveUpWhenSilent({ connection: { stream } }: Connected, silenceMs: number): void {
  stream.setTimeout(silenceMs, () => stream.destroy(new Error('timeout expired')));
}
