import type { Socket } from 'node:net';
import knexFactory, { type Knex } from 'knex';
import pg from 'pg';

/** How long PostgreSQL may work on one statement, and wait for a lock, in milliseconds. */
const LIMITS =
  '-c statement_timeout=30000 -c lock_timeout=10000 -c idle_in_transaction_session_timeout=60000';

/** Longer than any statement may take, in milliseconds: what is silent then is not the database's work, but the way to it. */
const PATIENCE = 35_000;

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

/** The pool of owner endpoints and jobs. A connection that is silent for `patience` milliseconds while it is asked something is given up. */
export function connect(url: string, poolSize: number, patience = PATIENCE): Knex {
  return knexFactory({
    client: 'pg',
    connection: connectionSettings(url, 'avow') as Knex.PgConnectionConfig,
    pool: {
      min: 0,
      max: poolSize,
      acquireTimeoutMillis: 8_000,
      afterCreate: (client: Connected, done: (error: null, client: Connected) => void) => {
        giveUpWhenSilent(client, patience);
        done(null, client);
      },
    },
    acquireConnectionTimeout: 8_000,
    // Neither an error's message nor knex's own lines may quote the values of a statement.
    compileSqlOnError: false,
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
  });
}

/** What fails is thrown as well, and logged where it is caught. */
const ignore = (): void => undefined;

type Connected = pg.Client & { connection: { stream: Socket } };

/** Without this a machine that vanished would be waited for until the system gives its connection up: a quarter of an hour. */
function giveUpWhenSilent({ connection: { stream } }: Connected, patience: number): void {
  stream.setTimeout(patience, () => stream.destroy(new Error('timeout expired')));
}
