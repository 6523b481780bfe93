import { isDeepStrictEqual } from 'node:util';
import { changesOf } from '../domain/audit';
import { chooseTopics, notificationSettings } from '../services/notices/settings';
import type { Handler } from './handler';

export const getNotificationSettings: Handler<'getNotificationSettings'> = ({ db }, { caller }) =>
  notificationSettings(db, caller.userId);

export const updateNotificationSettings: Handler<'updateNotificationSettings'> = async (
  _,
  { body, caller, trx, audit },
) => {
  const before = await notificationSettings(trx, caller.userId);
  const after = await chooseTopics(trx, caller.userId, body);
  if (isDeepStrictEqual(before, after)) audit.nothingChanged();
  else audit.note({ changes: changesOf(before, after) });
  return after;
};
