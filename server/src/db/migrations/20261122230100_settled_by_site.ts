import type { Knex } from 'knex';

// On plain PostgreSQL a transaction that names its site by a lock (`nameSite`) delays the events of that site alone;
// any other one, such as that of an older process, those of all sites as before. The branch of a cluster is the same.
export const step = 'expand' as const;

const settledTime = (onOne: string): string => `
    CREATE OR REPLACE FUNCTION avow_settled_time(of_environment uuid, ahead float8) RETURNS timestamptz LANGUAGE plpgsql AS $$
    DECLARE
      settled timestamptz;
    BEGIN
      IF to_regclass('pg_catalog.pg_dist_node') IS NULL THEN
${onOne}
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
    END $$`;

const BEFORE = `
        SELECT min(writer.xact_start) - make_interval(secs => ahead) INTO settled
        FROM pg_locks held JOIN pg_stat_activity writer USING (pid)
        WHERE held.locktype = 'relation' AND held.mode = 'RowExclusiveLock' AND held.granted
          AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND held.relation = ANY ('{consents,dsar_requests,breaches,events}'::text[]::regclass[]::oid[])
          AND pid <> pg_backend_pid();`.trim();

const BY_SITE = `
        WITH locks AS MATERIALIZED (
          SELECT * FROM pg_locks WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
        ), named AS (
          SELECT pid, objid::bigint = hashtext(of_environment::text)::bigint & 4294967295 AS same
          FROM locks WHERE locktype = 'advisory' AND classid = 730582600 AND objsubid = 2 AND granted AND pid IS NOT NULL
        )
        SELECT min(writer.xact_start) - make_interval(secs => ahead) INTO settled
        FROM locks held JOIN pg_stat_activity writer USING (pid)
        WHERE held.locktype = 'relation' AND held.mode = 'RowExclusiveLock' AND held.granted
          AND held.relation = ANY ('{consents,dsar_requests,breaches,events}'::text[]::regclass[]::oid[])
          AND pid <> pg_backend_pid()
          AND (pid NOT IN (SELECT pid FROM named) OR pid IN (SELECT pid FROM named WHERE same));`.trim();

export async function up(knex: Knex): Promise<void> {
  await knex.raw(settledTime(BY_SITE).trim());
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(settledTime(BEFORE).trim());
}
