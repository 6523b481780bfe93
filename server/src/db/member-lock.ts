import type { Knex } from 'knex';

/** The advisory locks of memberships, one for each site. */
const MEMBERSHIPS = 730_584;

/**
 * Lets changes of a site's members, and what members write by their role, be committed one after the other. It is the
 * last lock of a transaction, so that no two can wait for each other. Whoever has it waits for nothing more, but for
 * `whileMember`, which waits for the group commit of a decision: that wants no lock of those who wait for this one.
 */
export async function lockMemberships(
  trx: Knex,
  environmentId: string,
  kind: 'change' | 'use',
): Promise<void> {
  const lock = kind === 'change' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
  await trx.raw(`SELECT ${lock}(?, hashtext(?))`, [MEMBERSHIPS, environmentId]);
}
