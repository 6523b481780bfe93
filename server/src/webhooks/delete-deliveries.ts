import type { Knex } from 'knex';
import { databaseTime } from '../db/clock';
import { DeletedWebhookRow, type WebhookKey } from '../db/models';
import { doInTurns, ENDING, type Failures, type Part, type Round } from './turns';

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

type Deleted = Pick<DeletedWebhookRow, 'environment_id' | 'webhook_id' | 'advanced_at'>;

/** Deletes a part of the deliveries of deleted webhooks. Any number of processes may do so at once. */
export async function deleteDeliveries(
  db: Knex,
  hasTime: () => boolean = () => true,
  failures: Failures = ENDING,
): Promise<Round<WebhookKey>> {
  const waiting = await DeletedWebhookRow.query(db)
    .orderBy('advanced_at')
    .select('environment_id', 'webhook_id', 'advanced_at')
    .castTo<Deleted[]>();
  return doInTurns(db, waiting, hasTime, (row) => advance(db, row), failures);
}

/** Undefined when another process does it. */
function advance(db: Knex, { environment_id, webhook_id }: Deleted): Promise<Part<WebhookKey> | undefined> {
  return db.transaction(async (trx) => {
    const row = await DeletedWebhookRow.query(trx)
      .findById([environment_id, webhook_id])
      .forUpdate()
      .skipLocked();
    if (row === undefined) return undefined;
    const now = await databaseTime(trx);
    const { deleted_at, after_at } = row;
    const { rows } = await trx.raw<{ rows: [{ n: number; until: Date | null }] }>(DELETE, {
      ...{ environment_id, webhook_id, after_at },
    });
    const [{ n, until }] = rows;
    const isDone = n === 0 && after_at <= BEGINNING && now.getTime() - deleted_at.getTime() > SETTLED;
    if (isDone) await row.$query(trx).delete();
    // At the end once more from the beginning: somebody may just have stored one.
    else
      await row
        .$query(trx)
        .patch({ after_at: n === PART && until !== null ? until : BEGINNING, advanced_at: now });
    return { done: [], more: n === PART };
  });
}
