import type { Knex } from 'knex';
import { clock } from '../../domain/clock';
import { DEFAULT_TOPICS, modeOf, TOPICS, type Topic } from '../../domain/notices';
import type { NotificationSettings, Role } from '../../domain/types';

/** Since when a topic is wanted, and what held before: only viewers are told nothing by default. */
interface SwitchedOn {
  at: string;
  from: 'off' | 'default';
}

/** What an account has chosen. */
export interface Choice {
  topics: Partial<NotificationSettings>;
  switched_on: { [Name in Topic]?: SwitchedOn };
}

export const NO_CHOICE: Choice = { topics: {}, switched_on: {} };

/** What accounts have chosen, by account. */
export async function chosenBy(db: Knex, userIds: readonly number[]): Promise<Map<number, Choice>> {
  if (userIds.length === 0) return new Map();
  const rows: ({ user_id: number } & Choice)[] = await db('notification_settings')
    .whereIn('user_id', [...userIds])
    .select('user_id', 'topics', 'switched_on');
  return new Map(rows.map(({ user_id, ...choice }) => [user_id, choice]));
}

const choiceOf = async (db: Knex, userId: number): Promise<Choice> =>
  (await chosenBy(db, [userId])).get(userId) ?? NO_CHOICE;

export const notificationSettings = async (db: Knex, userId: number): Promise<NotificationSettings> => ({
  ...DEFAULT_TOPICS,
  ...(await choiceOf(db, userId)).topics,
});

/** Whether an account is told of something about itself, such as a log-in from a new device. */
export const isTold = async (db: Knex, userId: number, topic: Topic): Promise<boolean> =>
  modeOf((await choiceOf(db, userId)).topics, topic, 'owner') !== 'off';

/** Since when somebody of this role wants to be told of a topic; undefined: always. */
export function wantedSince({ switched_on }: Choice, topic: Topic, role: Role): Date | undefined {
  const on = switched_on[topic];
  if (on === undefined || (on.from === 'default' && role !== 'viewer')) return undefined;
  return new Date(on.at);
}

/** Changes what is given; the rest stays. */
export async function chooseTopics(
  trx: Knex.Transaction,
  userId: number,
  patch: Partial<NotificationSettings>,
): Promise<NotificationSettings> {
  const now = clock.date();
  const on = switchedOn((await choiceOf(trx, userId)).topics, patch, now);
  await trx.raw(
    `INSERT INTO notification_settings (user_id, topics, switched_on, updated_at) VALUES (:userId, :patch, :on, :now)
     ON CONFLICT (user_id) DO UPDATE SET topics = notification_settings.topics || excluded.topics,
       switched_on = notification_settings.switched_on || excluded.switched_on, updated_at = excluded.updated_at`,
    { userId, patch: JSON.stringify(patch), on: JSON.stringify(on), now },
  );
  return notificationSettings(trx, userId);
}

function switchedOn(
  before: Partial<NotificationSettings>,
  patch: Partial<NotificationSettings>,
  now: Date,
): Choice['switched_on'] {
  const on: Choice['switched_on'] = {};
  for (const topic of TOPICS) {
    const was = before[topic] ?? 'default';
    const isOn = patch[topic] !== undefined && patch[topic] !== 'off';
    if (isOn && (was === 'off' || was === 'default')) on[topic] = { at: now.toISOString(), from: was };
  }
  return on;
}
