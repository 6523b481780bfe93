import pg from 'pg';
import { newId, timeOfId } from '../../server/src/domain/ids';

/** Makes the statement that stores one decision. */
export type OneInsert = (session: string) => pg.QueryConfig;

/** Makes a table like `consents`, with the same indexes, for designs that insert one row at a time. */
export async function makeTable(databaseUrl: string, table: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`CREATE TABLE ${table} (LIKE consents INCLUDING ALL)`);
  await client.end();
}

const COLUMNS = [
  ...[
    'environment_id',
    'recorded_at',
    'consent_id',
    'session_id',
    'decision',
    'categories',
    'policy_version',
  ],
  ...[
    'banner_version',
    'bundle_hash',
    'method',
    'recorded_by',
    'language',
    'page_url',
    'ip_masked',
    'user_agent',
    'gpc',
  ],
  ...['tc_string', 'gpp_string', 'expires_at'],
];

/** A prepared statement that inserts the same row that Avow stores. */
export function insertOne(table: string): OneInsert {
  const text = `INSERT INTO ${table} (${COLUMNS}) VALUES (${COLUMNS.map((_, index) => `$${index + 1}`)})`;
  const environment = newId();
  return (session) => {
    const id = newId();
    const time = timeOfId(id);
    return {
      name: `insert_${table}`,
      text,
      values: [
        ...[environment, time.toISOString(), id, session, 'save_preferences'],
        ...[
          '{"functional":true,"analytics":true,"marketing":false}',
          '1',
          1,
          null,
          'banner',
          'visitor',
          'en',
        ],
        ...[
          'https://shop.example.com/products/42',
          '127.0.***.***',
          'Mozilla/5.0 (X11; Linux x86_64)',
          false,
        ],
        ...[null, null, new Date(time.getTime() + 180 * 86_400_000).toISOString()],
      ],
    };
  };
}
