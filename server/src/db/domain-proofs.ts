import type { Knex } from 'knex';
import { DAY_MS, HOUR_MS } from '../domain/time';
import { makerOf } from './account-groups';
import { DomainProofRow, type EnvironmentRow } from './models';

/** How long a proof is valid after it was last found. */
const HOLDS = 30 * DAY_MS;
/** How often a domain is checked by the job. */
const LOOK_AGAIN = DAY_MS;
/** A new site is given time to publish its banner first. */
const FIRST_LOOK = HOUR_MS / 6;

/** A domain whose proof is due for a check. */
export interface DueDomain {
  environment_id: string;
  token: string;
  url: string;
  domain: string;
}

/** What is known about a site's present domains: those that it had before stay until the retention job. */
export const proofsOf = (
  db: Knex,
  { id, domains }: Pick<EnvironmentRow, 'id' | 'domains'>,
): Promise<DomainProofRow[]> =>
  DomainProofRow.query(db).where({ environment_id: id }).whereIn('domain', domains).execute();

/** Of one maker, and of all whose turn it is: proven ones, so that new names cannot delay their check. */
const FIRST = 'proven DESC, checked_at NULLS FIRST';

/**
 * Domains that were not checked for a day. Makers of sites (groups of accounts) take turns, so that nobody's many
 * names delay those of others; of each, proven ones come first, then the longest waiting.
 */
export async function dueDomains(db: Knex, now: Date, limit: number): Promise<DueDomain[]> {
  const { rows } = await db.raw<{ rows: DueDomain[] }>(
    `SELECT environment_id, token, url, domain FROM (
       SELECT e.id AS environment_id, e.token, e.url, d.domain, p.checked_at,
         coalesce(p.proven_until > :now, false) AS proven,
         ${makerOf('e')} AS maker
       FROM environments e CROSS JOIN unnest(e.domains) AS d (domain)
       LEFT JOIN domain_proofs p ON p.environment_id = e.id AND p.domain = d.domain
       WHERE e.status = 'active' AND NOT e.demo AND e.created_at < :since
         AND (p.checked_at IS NULL OR p.checked_at < :before)) AS due
     ORDER BY row_number() OVER (PARTITION BY maker ORDER BY ${FIRST}), ${FIRST} LIMIT :limit`,
    {
      now,
      since: new Date(now.getTime() - FIRST_LOOK),
      before: new Date(now.getTime() - LOOK_AGAIN),
      limit,
    },
  );
  return rows;
}

/**
 * Records that a domain is being checked now. False when it has been checked since the instant; then that
 * result counts.
 */
export async function beginCheck(
  db: Knex,
  { environment_id, domain }: Pick<DueDomain, 'environment_id' | 'domain'>,
  now: Date,
  since: Date,
): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `INSERT INTO domain_proofs (environment_id, domain, checked_at) VALUES (:environment_id, :domain, :now)
     ON CONFLICT (environment_id, domain) DO UPDATE SET checked_at = :now
     WHERE domain_proofs.checked_at IS NULL OR domain_proofs.checked_at < :since RETURNING 1`,
    { environment_id, domain, now, since },
  );
  return rows.length > 0;
}

/** Records that a proof was found. */
export async function noteProof(
  db: Knex,
  { environment_id, domain }: Pick<DueDomain, 'environment_id' | 'domain'>,
  method: 'dns' | 'file' | 'script',
  now: Date,
): Promise<void> {
  await db.raw(
    `UPDATE domain_proofs SET method = :method, proven_until = :until,
       proven_at = CASE WHEN proven_until > :now THEN proven_at ELSE :now END
     WHERE environment_id = :environment_id AND domain = :domain`,
    { environment_id, domain, method, now, until: new Date(now.getTime() + HOLDS) },
  );
}

/** What is read of a site that claims a domain. */
interface Claim {
  id: string;
  token: string;
}
export interface ProvenSite extends Claim {
  proven: true;
  time_zone: string;
  policy_version: string;
}
export type ClaimingSite = ProvenSite | (Claim & { proven: false });

/** Active sites that claim one of these domains, those with a proof first. */
export async function claimsOf(
  db: Knex,
  names: readonly string[],
  now: Date,
  limit: number,
): Promise<ClaimingSite[]> {
  // This is a public look-up, anybody can claim a domain, and PostgreSQL unpacks the whole settings for one of them.
  const { rows } = await db.raw<{ rows: ClaimingSite[] }>(
    `SELECT e.id, e.token, CASE WHEN p.proven THEN e.settings->>'time_zone' END AS time_zone,
       CASE WHEN p.proven THEN e.settings->>'policy_version' END AS policy_version, p.proven
     FROM environments e CROSS JOIN LATERAL (SELECT EXISTS (
       SELECT 1 FROM domain_proofs p WHERE p.environment_id = e.id AND p.proven_until > :now
         AND p.domain = ANY (:names) AND p.domain = ANY (e.domains)) AS proven) p
     WHERE e.domains && :names AND e.status = 'active'
     ORDER BY p.proven DESC, e.id DESC LIMIT :limit`,
    { names, now, limit },
  );
  return rows;
}
