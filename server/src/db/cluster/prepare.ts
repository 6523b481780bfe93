import type { Knex } from 'knex';

/** A change that the schema of plain PostgreSQL needs before its tables can be spread. */
export interface Preparation {
  what: string;
  /** Whether it is still to be done. */
  isDue: string;
  run: readonly string[];
}

/** Each is small, and done in a transaction of its own. */
export const PREPARATIONS: readonly Preparation[] = [
  {
    what: 'webhooks are keyed by their site',
    isDue: "SELECT to_regclass('webhooks_site_key') IS NOT NULL AS due",
    run: [
      'ALTER TABLE webhooks DROP CONSTRAINT webhooks_pkey',
      'ALTER TABLE webhooks ADD CONSTRAINT webhooks_pkey PRIMARY KEY USING INDEX webhooks_site_key',
    ],
  },
  {
    // The code touches the site itself; a trigger of a shard could not.
    what: 'a changed webhook is told by the server, not by a trigger',
    isDue: "SELECT EXISTS (SELECT FROM pg_trigger WHERE tgname = 'webhooks_note_change') AS due",
    run: ['DROP TRIGGER webhooks_note_change ON webhooks'],
  },
  {
    what: 'ids of accounts come from a counter',
    isDue: "SELECT pg_get_serial_sequence('users', 'id') IS NOT NULL AS due",
    run: [
      'LOCK TABLE users IN ACCESS EXCLUSIVE MODE',
      `INSERT INTO counters (name, value)
       SELECT 'users', greatest(
         nextval(pg_get_serial_sequence('users', 'id')),
         (SELECT max(id) FROM users), (SELECT max(user_id) FROM site_invitations))
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      'ALTER TABLE users ALTER COLUMN id DROP IDENTITY',
    ],
  },
];

export async function isDue(db: Knex, { isDue: sql }: Preparation): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { due: boolean }[] }>(sql);
  return rows[0]?.due === true;
}
