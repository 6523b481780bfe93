import type { Knex } from 'knex';
import type { ScanEvery } from '../domain/types';
import { GROUP } from './account-groups';

/** A page whose turn it is, and in whose name it is scanned. */
export interface DuePage {
  environment_id: string;
  position: number;
  url: string;
  every: Exclude<ScanEvery, 'off'>;
  user_id: number;
  group_id: number;
  token: string;
  domains: string[];
  /** Those of its domains that are proven now. */
  proven: string[];
}

/**
 * The page that waits longest for its turn, locked: of a site none of whose scheduled scans is under way, which is not
 * archived or deleted, and set by somebody who is an owner still and may log in. None of the groups that have enough, and of
 * the sites that have failed.
 */
export async function duePage(
  trx: Knex,
  now: Date,
  { enough, failed }: { enough: readonly number[]; failed: readonly string[] },
): Promise<DuePage | undefined> {
  const { rows } = await trx.raw<{ rows: DuePage[] }>(
    `SELECT p.environment_id, p.position, p.url, s.every, s.user_id, ${GROUP} AS group_id, e.token, e.domains,
       array(SELECT d.domain FROM domain_proofs d WHERE d.environment_id = e.id AND d.proven_until > :now
         AND d.domain = ANY (e.domains)) AS proven
     FROM scheduled_pages p JOIN scan_schedules s ON s.environment_id = p.environment_id AND s.every <> 'off'
     JOIN environments e ON e.id = p.environment_id AND e.deleted_at IS NULL AND e.archived_at IS NULL
     JOIN members m ON m.environment_id = e.id AND m.user_id = s.user_id AND m.role = 'owner'
     JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL
     WHERE p.next_at <= :now AND NOT (${GROUP} = ANY (:enough::int[]))
       AND NOT (p.environment_id = ANY (:failed::uuid[])) AND NOT EXISTS (
       SELECT FROM scheduled_pages o WHERE o.environment_id = p.environment_id AND o.under_way)
     ORDER BY p.next_at, p.environment_id, p.position LIMIT 1 FOR UPDATE OF p SKIP LOCKED`,
    { now, enough: [...enough], failed: [...failed] },
  );
  return rows[0];
}

type PageKey = Pick<DuePage, 'environment_id' | 'position'>;

const ofPage = (trx: Knex, { environment_id, position }: PageKey) =>
  trx('scheduled_pages').where({ environment_id, position });

/** Notes that a page's scan waits in line. */
export const noteStart = (trx: Knex, page: PageKey, scan_id: string, next_at: Date): Promise<number> =>
  ofPage(trx, page).update({ scan_id, under_way: true, next_at });

/** Notes that a page could not be scanned at its turn. */
export const noteFailure = (
  trx: Knex,
  page: PageKey,
  { error, next_at, now }: { error: string; next_at: Date; now: Date },
): Promise<number> =>
  ofPage(trx, page).update({
    ...{ next_at, error, under_way: false },
    failures: trx.raw('failures + 1'),
    failed_since: trx.raw('coalesce(failed_since, ?)', [now]),
  });

/** Moves a page's turn, because too much waits in line. */
export const putOff = (trx: Knex, page: PageKey, next_at: Date): Promise<number> =>
  ofPage(trx, page).update({ next_at });

/** Notes how the scans ended that were under way; resolves with how many still are, by group of accounts. */
export async function noteEnds(db: Knex, now: Date): Promise<Map<number, number>> {
  await db.raw(
    `UPDATE scheduled_pages p SET under_way = false,
       failures = CASE WHEN c.state = 'failed' THEN p.failures + 1 ELSE 0 END,
       failed_since = CASE WHEN c.state = 'failed' THEN coalesce(p.failed_since, :now) END,
       error = CASE WHEN c.state = 'failed' THEN c.error END
     FROM scheduled_pages u LEFT JOIN cookie_scans c ON c.scan_id = u.scan_id
     WHERE u.under_way AND (c.state IS NULL OR c.state IN ('done', 'failed'))
       AND p.environment_id = u.environment_id AND p.position = u.position AND p.scan_id = u.scan_id`,
    { now },
  );
  const { rows } = await db.raw<{ rows: { group_id: number; n: number }[] }>(
    `SELECT ${GROUP} AS group_id, count(*)::int AS n FROM scheduled_pages p
     JOIN scan_schedules s ON s.environment_id = p.environment_id JOIN users u ON u.id = s.user_id
     WHERE p.under_way GROUP BY 1`,
  );
  return new Map(rows.map(({ group_id, n }) => [group_id, n]));
}
