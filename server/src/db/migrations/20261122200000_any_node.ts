import type { Knex } from 'knex';

// What lets the same statements work on a cluster: webhooks can be keyed by their site, ids of accounts come from a
// counter where there is no sequence, and each node can say which of its events are settled. On plain PostgreSQL the
// old key and the sequence stay, which older processes use.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('CREATE UNIQUE INDEX webhooks_site_key ON webhooks (environment_id, webhook_id)');
  await knex.raw('CREATE TABLE counters (name text PRIMARY KEY, value integer NOT NULL)');
  await knex.raw(`
    CREATE FUNCTION avow_next_user_id() RETURNS integer LANGUAGE plpgsql AS $$
    DECLARE
      made integer;
    BEGIN
      IF pg_get_serial_sequence('users', 'id') IS NOT NULL THEN
        RETURN nextval(pg_get_serial_sequence('users', 'id'));
      END IF;
      UPDATE counters SET value = value + 1 WHERE name = 'users' RETURNING value INTO made;
      RETURN made;
    END $$`);
  // PostgreSQL keeps a lock for every table that an open transaction has written to; reading it costs the writers
  // nothing. On a node the tables are shards with a number in their name, a transaction began on the coordinator,
  // and one that is prepared has no process.
  await knex.raw(`
    CREATE FUNCTION avow_settled_time(of_environment uuid, ahead float8) RETURNS timestamptz LANGUAGE plpgsql AS $$
    DECLARE
      settled timestamptz;
    BEGIN
      IF to_regclass('pg_catalog.pg_dist_node') IS NULL THEN
        SELECT min(writer.xact_start) - make_interval(secs => ahead) INTO settled
        FROM pg_locks held JOIN pg_stat_activity writer USING (pid)
        WHERE held.locktype = 'relation' AND held.mode = 'RowExclusiveLock' AND held.granted
          AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND held.relation = ANY ('{consents,dsar_requests,breaches,events}'::text[]::regclass[]::oid[])
          AND pid <> pg_backend_pid();
      ELSE
        WITH held AS (
          SELECT DISTINCT l.pid, split_part(l.virtualtransaction, '/', 2) AS xid
          FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
          WHERE l.locktype = 'relation' AND l.mode = 'RowExclusiveLock' AND l.granted
            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND c.relname ~ '^(consents|dsar_requests|breaches|events)(_[0-9]+)*$'
            AND l.pid IS DISTINCT FROM pg_backend_pid()
        )
        SELECT least(
            min(least(a.xact_start, t.transaction_stamp)) - make_interval(secs => ahead),
            min(p.prepared) - make_interval(secs => ahead + 10)) INTO settled
        FROM held
          LEFT JOIN pg_stat_activity a ON a.pid = held.pid
          LEFT JOIN get_all_active_transactions() t ON t.process_id = held.pid
          LEFT JOIN pg_prepared_xacts p ON held.pid IS NULL AND p.transaction::text = held.xid;
      END IF;
      RETURN least(clock_timestamp(), settled);
    END $$`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP FUNCTION avow_settled_time(uuid, float8), avow_next_user_id()');
  await knex.raw('DROP TABLE counters');
  await knex.raw('DROP INDEX webhooks_site_key');
}
