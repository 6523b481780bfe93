import knexFactory, { type Knex } from 'knex';
import pg from 'pg';

/** How long PostgreSQL may work on one statement, and wait for a lock, in milliseconds. */
const LIMITS =
  '-c statement_timeout=30000 -c lock_timeout=10000 -c idle_in_transaction_session_timeout=60000';

// bigint comes as a string by default; counts stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// A day has no time zone: keep it as it is written.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** Settings of one connection: time zone and encoding are ours whatever the server's defaults are. */
export function connectionSettings(url: string, name: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: name,
    options: `${LIMITS} -c timezone=UTC -c client_encoding=UTF8 -c synchronous_commit=on`,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  };
}

/** The pool of owner endpoints and jobs. */
export function connect(url: string, poolSize: number): Knex {
  return knexFactory({
    client: 'pg',
    connection: connectionSettings(url, 'avow') as Knex.PgConnectionConfig,
    pool: { min: 0, max: poolSize, acquireTimeoutMillis: 8_000 },
    acquireConnectionTimeout: 8_000,
  });
}
