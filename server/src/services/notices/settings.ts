import type { Knex } from 'knex';
import { clock } from '../../domain/clock';
import { DEFAULT_TOPICS, modeOf, type Topic } from '../../domain/notices';
import type { NotificationSettings } from '../../domain/types';

/** What accounts have chosen, by account. */
export async function chosenBy(
  db: Knex,
  userIds: readonly number[],
): Promise<Map<number, Partial<NotificationSettings>>> {
  if (userIds.length === 0) return new Map();
  const rows: { user_id: number; topics: Partial<NotificationSettings> }[] = await db('notification_settings')
    .whereIn('user_id', [...userIds])
    .select('user_id', 'topics');
  return new Map(rows.map(({ user_id, topics }) => [user_id, topics]));
}

export async function notificationSettings(db: Knex, userId: number): Promise<NotificationSettings> {
  const chosen = (await chosenBy(db, [userId])).get(userId);
  return { ...DEFAULT_TOPICS, ...chosen };
}

/** Whether an account is told of something about itself, such as a log-in from a new device. */
export const isTold = async (db: Knex, userId: number, topic: Topic): Promise<boolean> =>
  modeOf((await chosenBy(db, [userId])).get(userId) ?? {}, topic, 'owner') !== 'off';

/** Changes what is given; the rest stays. */
export async function chooseTopics(
  trx: Knex.Transaction,
  userId: number,
  patch: Partial<NotificationSettings>,
): Promise<NotificationSettings> {
  await trx.raw(
    `INSERT INTO notification_settings (user_id, topics, updated_at) VALUES (:userId, :patch, :now)
     ON CONFLICT (user_id) DO UPDATE SET topics = notification_settings.topics || excluded.topics,
       updated_at = excluded.updated_at`,
    { userId, patch: JSON.stringify(patch), now: clock.date() },
  );
  return notificationSettings(trx, userId);
}
