import type { Knex } from 'knex';

// A domain that one site alone names by now goes on to be answered for, until its proof is found or 90 days
// are over: nobody's verification ends with the upgrade. A domain that several name must be proven first.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE domain_proofs (
      environment_id uuid NOT NULL REFERENCES environments (id),
      domain text NOT NULL,
      method text CHECK (method IN ('dns', 'file', 'script', 'earlier')),
      proven_at timestamptz,
      proven_until timestamptz,
      checked_at timestamptz,
      PRIMARY KEY (environment_id, domain)
    )`);
  // As many rows as sites have domains.
  await knex.raw(`
    INSERT INTO domain_proofs (environment_id, domain, method, proven_at, proven_until)
    SELECT (min(e.id::text))::uuid, named.domain, 'earlier', now(), now() + interval '90 days'
    FROM environments e CROSS JOIN unnest(e.domains) AS named (domain)
    GROUP BY named.domain HAVING count(DISTINCT e.id) = 1`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE domain_proofs');
}
