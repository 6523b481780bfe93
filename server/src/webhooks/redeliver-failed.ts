import type { Knex } from 'knex';
import { databaseTime } from '../db/clock';
import type { WebhookKey } from '../db/models';
import { RedeliveryRow } from '../db/models';
import { doInTurns, ENDING, type Failures, type Part, type Round, SITE_TAKEN, SiteWalk } from './turns';

/** Deliveries per transaction, so that no lock is held for long. */
const PART = 500;
/** The advisory locks of redeliveries, one for each site. */
const LOCKS = 730_583;
/**
 * Queues deliveries that failed in a time range again with new attempts, unless the receiver has since got
 * the event by another delivery, or the webhook is deleted. Skips rows that somebody else is deleting.
 */
const TAKE_UP = `
  WITH part AS MATERIALIZED (
    SELECT delivery_id, last_attempt_at FROM deliveries
    WHERE environment_id = :environment_id AND state = 'failed' AND last_attempt_at <= :until
      AND (last_attempt_at, delivery_id) > (:after_at::timestamptz, :after_id::uuid)
    ORDER BY last_attempt_at, delivery_id LIMIT :part FOR UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE deliveries d SET state = 'pending', attempts = 0, due_at = :now, lease = NULL, lease_until = NULL
    FROM part
    WHERE d.environment_id = :environment_id AND d.delivery_id = part.delivery_id AND d.kind = 'event'
      AND (:event::text IS NULL OR d.event = :event) AND (:webhook_id::uuid IS NULL OR d.webhook_id = :webhook_id)
      AND NOT EXISTS (SELECT FROM deliveries o
        WHERE o.environment_id = :environment_id AND o.event_id = d.event_id AND o.webhook_id = d.webhook_id
          AND o.state = 'delivered')
      AND EXISTS (SELECT FROM webhooks w WHERE w.environment_id = :environment_id AND w.webhook_id = d.webhook_id)
    RETURNING d.webhook_id
  )
  SELECT (SELECT count(*)::int FROM part) AS seen, (SELECT count(*)::int FROM taken) AS taken,
    (SELECT last_attempt_at::text FROM part ORDER BY last_attempt_at DESC, delivery_id DESC LIMIT 1) AS after_at,
    (SELECT delivery_id FROM part ORDER BY last_attempt_at DESC, delivery_id DESC LIMIT 1) AS after_id,
    array(SELECT DISTINCT webhook_id FROM taken) AS webhooks`;

interface Taken {
  seen: number;
  taken: number;
  after_at: string | null;
  after_id: string | null;
  webhooks: string[];
}

/**
 * Advances a redelivery of each group of accounts by one part, as long as there is time; its result are webhooks that
 * now have something to send. Any number of processes may do so at once; one of them serves a site.
 */
export async function redeliverFailed(
  db: Knex,
  hasTime: () => boolean = () => true,
  failures: Failures = ENDING,
  walk = new SiteWalk(),
): Promise<Round<WebhookKey>> {
  const running = await walk.next((after, most) =>
    RedeliveryRow.query(db)
      .whereNull('finished_at')
      .where('environment_id', '>', after)
      .orderBy(['environment_id', 'advanced_at'])
      .limit(most)
      .select('environment_id', 'redelivery_id', 'advanced_at')
      .castTo<Running[]>(),
  );
  const round = await doInTurns(db, running, hasTime, (row) => advance(db, row), failures);
  return { ...round, more: walk.goesOn(round.more) };
}

type Running = Pick<RedeliveryRow, 'environment_id' | 'redelivery_id' | 'advanced_at'>;

/** Another process that has it has its site. */
function advance(
  db: Knex,
  { environment_id, redelivery_id }: Running,
): Promise<Part<WebhookKey> | typeof SITE_TAKEN> {
  return db.transaction(async (trx) => {
    const row = await RedeliveryRow.query(trx)
      .findById([environment_id, redelivery_id])
      .whereNull('finished_at')
      .forUpdate()
      .skipLocked()
      // As text: an instant of the database is finer than one of JavaScript.
      .select('redeliveries.*', trx.raw('after_at::text AS after_at'));
    if (row === undefined) return SITE_TAKEN;
    // One at a time per site, because rows locked by another redelivery would be skipped for good.
    const turn = await trx.raw<{ rows: { mine: boolean }[] }>(
      'SELECT pg_try_advisory_xact_lock(?, hashtext(?)) AS mine',
      [LOCKS, environment_id],
    );
    if (!turn.rows[0]?.mine) return SITE_TAKEN;
    const now = await databaseTime(trx);
    const { webhook_id, event, until, after_at, after_id, deliveries } = row;
    const values = { environment_id, webhook_id, event, until, after_at, after_id, now, part: PART };
    const { rows } = await trx.raw<{ rows: [Taken] }>(TAKE_UP, values);
    const part = rows[0];
    await trx('redeliveries')
      .where({ environment_id, redelivery_id })
      .update({
        deliveries: deliveries + part.taken,
        advanced_at: now,
        ...(part.seen < PART ? { finished_at: now } : { after_at: part.after_at, after_id: part.after_id }),
      });
    return { done: part.webhooks.map((one) => ({ environment_id, webhook_id: one })), more: true };
  });
}
