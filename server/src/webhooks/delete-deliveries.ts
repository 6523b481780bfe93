import type { Knex } from 'knex';
import { databaseTime } from '../db/clock';
import { DeletedWebhookRow, type WebhookKey } from '../db/models';
import { doInTurns, ENDING, type Failures, type Part, type Round, SITE_TAKEN, SiteWalk } from './turns';

/** Deliveries per transaction, so that no lock is held for long. */
const PART = 1_000;
/** By then every process knows that the webhook is gone, and stores no more deliveries, in milliseconds. */
const SETTLED = 60_000;
const BEGINNING = new Date(0);
/** Each part begins where the last one ended: before it the index holds only dead entries. */
const DELETE = `
  WITH gone AS (
    DELETE FROM deliveries WHERE environment_id = :environment_id AND delivery_id IN (
      SELECT delivery_id FROM deliveries
      WHERE environment_id = :environment_id AND webhook_id = :webhook_id AND created_at >= :after_at
      ORDER BY created_at, delivery_id LIMIT ${PART})
    RETURNING created_at
  ) SELECT count(*)::int AS n, max(created_at) AS until FROM gone`;

/** Webhooks of a site that are finished at once: nothing is left of them, and nobody stores anything more for them. */
const FINISHED = 500;
const FINISH = `
  WITH settled AS MATERIALIZED (
    SELECT webhook_id FROM deleted_webhooks
    WHERE environment_id = :environment_id AND deleted_at < :settled AND after_at <= :beginning
    ORDER BY advanced_at LIMIT ${FINISHED} FOR UPDATE SKIP LOCKED)
  DELETE FROM deleted_webhooks WHERE environment_id = :environment_id AND webhook_id IN (
    SELECT webhook_id FROM settled WHERE NOT EXISTS (
      SELECT FROM deliveries
      WHERE environment_id = :environment_id AND deliveries.webhook_id = settled.webhook_id))`;

type Deleted = Pick<DeletedWebhookRow, 'environment_id' | 'webhook_id' | 'advanced_at'>;

/** Deletes a part of the deliveries of deleted webhooks. Any number of processes may do so at once. */
export async function deleteDeliveries(
  db: Knex,
  hasTime: () => boolean = () => true,
  failures: Failures = ENDING,
  walk = new SiteWalk(),
): Promise<Round<WebhookKey>> {
  const waiting = await walk.next((after, most) =>
    DeletedWebhookRow.query(db)
      .where('environment_id', '>', after)
      .whereRaw('advanced_at <= now()')
      .orderBy(['environment_id', 'advanced_at'])
      .limit(most)
      .select('environment_id', 'webhook_id', 'advanced_at')
      .castTo<Deleted[]>(),
  );
  const tried = new Set<Deleted>();
  const taken = new Set<string>();
  const doPart = async (row: Deleted) => {
    tried.add(row);
    const part = await advance(db, row);
    if (part === SITE_TAKEN) taken.add(row.environment_id);
    return part;
  };
  const round = await doInTurns(db, waiting, hasTime, doPart, failures);
  const waits = ({ environment_id: site }: Deleted) => !failures.isPutOff(site) && !taken.has(site);
  // Others of the same group, which had its turn.
  const isMore = round.more || waiting.some((row) => !tried.has(row) && waits(row));
  return { ...round, more: walk.goesOn(isMore) };
}

/** Another process that does it has maybe all of its site: it finishes hundreds at once. */
function advance(
  db: Knex,
  { environment_id, webhook_id }: Deleted,
): Promise<Part<WebhookKey> | typeof SITE_TAKEN> {
  return db.transaction(async (trx) => {
    const now = await databaseTime(trx);
    const settled = new Date(now.getTime() - SETTLED);
    const { rowCount: finished } = await trx.raw<{ rowCount: number }>(FINISH, {
      ...{ environment_id, settled, beginning: BEGINNING },
    });
    const row = await DeletedWebhookRow.query(trx)
      .findById([environment_id, webhook_id])
      .forUpdate()
      .skipLocked();
    // Maybe it has just been finished.
    if (row === undefined) return finished > 0 ? { done: [], more: true } : SITE_TAKEN;
    const { after_at, deleted_at } = row;
    const { rows } = await trx.raw<{ rows: [{ n: number; until: Date | null }] }>(DELETE, {
      ...{ environment_id, webhook_id, after_at },
    });
    const [{ n, until }] = rows;
    const isPart = n === PART && until !== null;
    // At the end once more from the beginning, when nobody stores any more.
    const due = new Date(deleted_at.getTime() + SETTLED + 1);
    await row.$query(trx).patch({
      after_at: isPart ? until : BEGINNING,
      advanced_at: isPart || due < now ? now : due,
    });
    return { done: [], more: isPart || finished > 0 };
  });
}
