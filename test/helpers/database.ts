import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Set by the global set-up for every test process. */
export const SERVER = 'AVOW_TEST_SERVER_URL';
export const TEMPLATE = 'AVOW_TEST_TEMPLATE';

/** The address of a database on the server of this run. */
export function databaseUrl(database: string, server = process.env[SERVER] as string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs one statement as the server's owner. */
export async function admin(sql: string, server?: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl('postgres', server) });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Refused while a worker of the server's own is at work in it (autovacuum): that one soon ends. */
async function drop(name: string, attempts = 20): Promise<void> {
  try {
    await admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  } catch (error) {
    if ((error as { code?: string }).code !== '42501' || attempts === 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, 250));
    await drop(name, attempts - 1);
  }
}

/** A database of the test's own, cloned from the migrated template. */
export async function cloneDatabase(): Promise<{ url: string; name: string; drop(): Promise<void> }> {
  const name = `avow_test_${randomBytes(6).toString('hex')}`;
  await admin(`CREATE DATABASE ${name} TEMPLATE ${process.env[TEMPLATE]}`);
  return { url: databaseUrl(name), name, drop: () => drop(name) };
}

/** An empty database, not even migrated. */
export async function emptyDatabase(): Promise<{ url: string; name: string; drop(): Promise<void> }> {
  const name = `avow_test_${randomBytes(6).toString('hex')}`;
  await admin(`CREATE DATABASE ${name}`);
  return { url: databaseUrl(name), name, drop: () => drop(name) };
}
