import type { Knex } from 'knex';

// webhooks is a small table, so that work can be claimed by locking its rows on any node of a cluster.
// deliveries has no foreign key to it: the check would make visitors wait for the dispatcher's locks.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE webhooks (
      webhook_id uuid PRIMARY KEY,
      environment_id uuid NOT NULL REFERENCES environments (id),
      url text NOT NULL,
      events text[] NOT NULL,
      method text NOT NULL CHECK (method IN ('POST', 'GET')),
      description text,
      secret bytea NOT NULL,
      next_secret bytea,
      next_secret_from timestamptz,
      status text NOT NULL CHECK (status IN ('active', 'failing', 'disabled')),
      consecutive_failures integer NOT NULL,
      last_counted_at timestamptz,
      retry_at timestamptz,
      last_error text,
      last_success_at timestamptz,
      disabled_at timestamptz,
      disabled_reason text,
      reactivated_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`);
  await knex.raw('CREATE INDEX webhooks_environment ON webhooks (environment_id, created_at, webhook_id)');
  await knex.raw('CREATE INDEX webhooks_status ON webhooks (environment_id, status)');
  await knex.raw(`
    CREATE TABLE deliveries (
      environment_id uuid NOT NULL,
      delivery_id uuid NOT NULL,
      webhook_id uuid NOT NULL,
      event_id uuid NOT NULL,
      event text NOT NULL,
      event_at timestamptz NOT NULL,
      kind text NOT NULL CHECK (kind IN ('event', 'test', 'redelivery')),
      state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
      attempts integer NOT NULL,
      due_at timestamptz NOT NULL,
      lease uuid,
      lease_until timestamptz,
      created_at timestamptz NOT NULL,
      last_attempt_at timestamptz,
      delivered_at timestamptz,
      duration_ms integer,
      response_status integer,
      response_body text,
      error text,
      payload text,
      PRIMARY KEY (environment_id, delivery_id)
    ) WITH (fillfactor = 80)`);
  await knex.raw(
    'CREATE INDEX deliveries_listed ON deliveries (environment_id, webhook_id, created_at, delivery_id)',
  );
  await knex.raw(
    "CREATE INDEX deliveries_waiting ON deliveries (environment_id, webhook_id, attempts, created_at, delivery_id) WHERE state = 'pending'",
  );
  // How many are in flight is asked at every claim, also while a million wait.
  await knex.raw(
    "CREATE INDEX deliveries_leased ON deliveries (environment_id, webhook_id, lease_until) WHERE state = 'pending' AND lease_until IS NOT NULL",
  );
  await knex.raw('CREATE INDEX deliveries_created ON deliveries (environment_id, created_at)');
  await knex.raw('CREATE INDEX deliveries_event ON deliveries (environment_id, event_id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE deliveries, webhooks');
}
