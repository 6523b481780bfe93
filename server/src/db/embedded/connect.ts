import { Client } from 'pg';
import { passwordFile } from './password';

/** Errors of a server that is still starting: nothing listens yet, or it says so itself. */
const NOT_YET = new Set(['ECONNREFUSED', 'ECONNRESET', '57P03']);

export type Answer = 'ready' | 'not yet';

/**
 * Connects, and makes the role and the database `avow` if they are missing. The role is no superuser, so
 * that Avow has the same rights here as in the database of a DATABASE_URL.
 */
export async function provision(port: number, password: string, dataDir: string): Promise<Answer> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    connectionTimeoutMillis: 5_000,
  });
  // Without a listener a connection lost at the wrong moment would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(
      `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = 'avow') AS role,
              EXISTS (SELECT FROM pg_database WHERE datname = 'avow') AS database`,
    );
    if (!rows[0].role) {
      await client.query(`CREATE ROLE avow LOGIN CREATEDB PASSWORD ${client.escapeLiteral(password)}`);
    }
    if (!rows[0].database) await client.query('CREATE DATABASE avow OWNER avow');
    return 'ready';
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    // pg's timeouts carry no code; they happen on a very busy machine.
    if (NOT_YET.has(code) || /timeout/.test(message)) return 'not yet';
    if (code === '28P01') {
      throw new Error(
        `PostgreSQL does not accept the password in ${passwordFile(dataDir)}: restore the right one, ` +
          `or remove the file, and the next start sets a new password.`,
        { cause: error },
      );
    }
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
