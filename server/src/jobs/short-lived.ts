import type { Knex } from 'knex';
import { CHUNK } from '../db/delete-outlived';
import { endedBefore } from '../domain/api-keys';
import { DAY_MS } from '../domain/time';
import { eraseOldMails } from '../mail/erase-mails';
import type { Logger } from '../observability/logger';
import { SCAN_DAYS } from '../scan/limits';
import { KNOWN_FOR } from '../security/login-limit';
import { deleteStray } from '../services/attachments';
import { deleteOldAnswers } from '../services/mail/erase-person';

/** Days for which an invitation is kept after its link has expired; until then it can be renewed. */
const INVITATION_DAYS = 90;

/** What is kept for a fixed short time on every site. */
export async function deleteShortLived(
  db: Knex,
  log: Logger,
  now: Date,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (signal?.aborted) return;
  await deleteExpiredKeys(db, now, signal);
  await db('cookie_scans')
    .where('created_at', '<', new Date(now.getTime() - SCAN_DAYS * DAY_MS))
    .delete();
  await db('login_failures').where('window_end', '<', now).delete();
  await db('login_networks')
    .where('seen_at', '<', new Date(now.getTime() - KNOWN_FOR))
    .delete();
  await eraseOldMails(db, now);
  await deleteOldAnswers(db, now);
  const stray = await deleteStray(db, now, signal);
  if (stray > 0) log.info({ files: stray }, 'attachments that never came in full were deleted');
  for (const table of [
    'ended_sessions',
    'login_sessions',
    'mailed_links',
    'provider_sessions',
    'used_states',
  ])
    await db(table).where('expires_at', '<', now).delete();
  await db('api_keys')
    .whereRaw('least(revoked_at, expires_at) < ?', [endedBefore(now.getTime())])
    .delete();
  await db('invitations').where('expires_at', '<', now).delete();
  // They hold the addresses of people who never accepted.
  await db('site_invitations')
    .where('expires_at', '<', new Date(now.getTime() - INVITATION_DAYS * DAY_MS))
    .delete();
  await db.raw(
    `DELETE FROM domain_proofs p USING environments e WHERE e.id = p.environment_id
       AND NOT p.domain = ANY (e.domains) AND (p.proven_until IS NULL OR p.proven_until < ?)`,
    [now],
  );
}

/** In chunks: after a standstill there may be millions, too many for one statement's timeout. */
async function deleteExpiredKeys(db: Knex, now: Date, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    const { rowCount } = await db.raw<{ rowCount: number }>(
      `DELETE FROM idempotency_keys WHERE (environment_id, scope, key) IN (
         SELECT environment_id, scope, key FROM idempotency_keys WHERE expires_at < ?
         ORDER BY expires_at LIMIT ?)`,
      [now, CHUNK],
    );
    if (rowCount < CHUNK || signal?.aborted) return;
  }
}
