import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context';
import { UserRow } from '../../db/models';
import { TOPICS, type Topic } from '../../domain/notices';
import type { NoticeMode, NotificationSettings } from '../../domain/types';
import { Audit } from '../audit';
import { chooseTopics, notificationSettings } from '../notices/settings';
import { isSigned } from './links';

type Wiring = Pick<Context, 'db' | 'mail'>;

/** The account of a link, which exists and is not disabled. */
async function accountOf({ db }: Wiring, user: string): Promise<number | undefined> {
  if (!/^[1-9]\d{0,9}$/.test(user) || Number(user) > 2_147_483_647) return undefined;
  const row = await UserRow.query(db).findById(Number(user)).select('id', 'disabled_at');
  return row === undefined || row.disabled_at !== null ? undefined : row.id;
}

/** The account whose preferences a link opens; undefined when it is not valid. */
export const preferencesOf = async (
  wiring: Wiring,
  { user, signature }: { user: string; signature: string },
): Promise<number | undefined> =>
  (await isSigned(wiring.mail, 'notices', [user], signature)) ? accountOf(wiring, user) : undefined;

/** The account and the topics that a link ends; undefined when it is not valid. */
export async function unsubscribeOf(
  wiring: Wiring,
  { user, list, signature }: { user: string; list: string; signature: string },
): Promise<{ userId: number; topics: Topic[] } | undefined> {
  if (!(await isSigned(wiring.mail, 'unsubscribe', [user, list], signature))) return undefined;
  const userId = await accountOf(wiring, user);
  const named = new Set(list.split('.'));
  return userId === undefined ? undefined : { userId, topics: TOPICS.filter((topic) => named.has(topic)) };
}

/** Changes what somebody is told, by a link of a mail instead of a login; it is in the account's trail. */
export async function chooseByLink(
  { db }: Wiring,
  userId: number,
  patch: Partial<NotificationSettings>,
): Promise<NotificationSettings> {
  return db.transaction(async (trx) => {
    const before = await notificationSettings(trx, userId);
    const after = await chooseTopics(trx, userId, patch);
    if (isDeepStrictEqual(before, after)) return after;
    const operation = 'updateNotificationSettings';
    await new Audit({ operation, kind: 'change', via: 'login', userId }).write(trx, { environmentId: null });
    return after;
  });
}

export const present = ({ db }: Wiring, userId: number): Promise<NotificationSettings> =>
  notificationSettings(db, userId);

const MODES: readonly string[] = ['at_once', 'daily', 'off'] satisfies NoticeMode[];

/** The choices of a form; what is no topic or mode is left out. */
export const choicesIn = (fields: ReadonlyMap<string, string>): Partial<NotificationSettings> =>
  Object.fromEntries(
    TOPICS.flatMap((topic) => {
      const mode = fields.get(topic);
      return mode !== undefined && MODES.includes(mode) ? [[topic, mode]] : [];
    }),
  );
