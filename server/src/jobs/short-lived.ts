import type { Knex } from 'knex';
import { CHUNK } from '../db/delete-outlived';
import { endsAll } from '../db/errors';
import { endedBefore } from '../domain/api-keys';
import { DAY_MS } from '../domain/time';
import { eraseOldMails } from '../mail/erase-mails';
import { logFailure } from '../observability/failures';
import type { Logger } from '../observability/logger';
import { SCAN_DAYS } from '../scan/limits';
import { KNOWN_FOR } from '../security/login-limit';
import { deleteStray } from '../services/attachments';
import { deleteOldAnswers } from '../services/mail/erase-person';

/** Days for which an invitation is kept after its link has expired; until then it can be renewed. */
const INVITATION_DAYS = 90;

/** Tables whose rows end at an instant of their own. */
const EXPIRING = [
  ...['ended_sessions', 'login_sessions', 'mailed_links', 'provider_sessions', 'used_states'],
  'invitations',
];

/** What is kept for a fixed short time on every site. */
export async function deleteShortLived(
  db: Knex,
  log: Logger,
  now: Date,
  signal: AbortSignal | undefined,
): Promise<void> {
  const failures: unknown[] = [];
  const fail = (error: unknown, environment_id?: string): void => {
    // Without a database nothing can be deleted.
    if (endsAll(error)) throw error;
    failures.push(error);
    const about = environment_id === undefined ? {} : { environment_id };
    logFailure(log, 'error', { error, ...about }, 'what is kept for a short time could not be deleted');
  };
  for (const step of stepsOf({ db, log, now, signal, fail })) {
    if (signal?.aborted) return;
    // One that fails keeps none of the others from being done, and the run has failed all the same.
    await step().catch((error) => fail(error));
  }
  if (failures.length > 0) throw failures[0];
}

interface Run {
  db: Knex;
  log: Logger;
  now: Date;
  signal: AbortSignal | undefined;
  fail(error: unknown, environment_id: string): void;
}

const stepsOf = ({ db, log, now, signal, fail }: Run): (() => Promise<unknown>)[] => [
  () => deleteExpired(db, 'idempotency_keys', { key: 'environment_id, scope, key', now, signal }),
  () => deleteExpired(db, 'link_tokens', { key: 'environment_id, hash', now, signal }),
  async () =>
    db('cookie_scans')
      .where('created_at', '<', new Date(now.getTime() - SCAN_DAYS * DAY_MS))
      .delete(),
  async () => db('login_failures').where('window_end', '<', now).delete(),
  async () =>
    db('login_networks')
      .where('seen_at', '<', new Date(now.getTime() - KNOWN_FOR))
      .delete(),
  () => eraseOldMails(db, now),
  () => deleteOldAnswers(db, now, fail),
  async () => {
    const stray = await deleteStray(db, now, signal, fail);
    if (stray > 0) log.info({ files: stray }, 'attachments that never came in full were deleted');
  },
  ...EXPIRING.map((table) => async () => db(table).where('expires_at', '<', now).delete()),
  async () =>
    db('api_keys')
      .whereRaw('least(revoked_at, expires_at) < ?', [endedBefore(now.getTime())])
      .delete(),
  // They hold the addresses of people who never accepted.
  async () =>
    db('site_invitations')
      .where('expires_at', '<', new Date(now.getTime() - INVITATION_DAYS * DAY_MS))
      .delete(),
  async () =>
    db.raw(
      `DELETE FROM domain_proofs p USING environments e WHERE e.id = p.environment_id
       AND NOT p.domain = ANY (e.domains) AND (p.proven_until IS NULL OR p.proven_until < ?)`,
      [now],
    ),
];

/** In chunks: after a standstill there may be millions, too many for one statement's timeout. */
async function deleteExpired(
  db: Knex,
  table: string,
  { key, now, signal }: Pick<Run, 'now' | 'signal'> & { key: string },
): Promise<void> {
  for (;;) {
    const { rowCount } = await db.raw<{ rowCount: number }>(
      `DELETE FROM ${table} WHERE (${key}) IN (
         SELECT ${key} FROM ${table} WHERE expires_at < ?
         ORDER BY expires_at LIMIT ?)`,
      [now, CHUNK],
    );
    if (rowCount < CHUNK || signal?.aborted) return;
  }
}
