import { LoginSessionRow } from '../db/models';
import { readPage, SHAPE_TIME, SHAPE_UUID } from '../db/paging';
import { clock } from '../domain/clock';
import { notFound } from '../domain/errors';
import { afterTokens } from '../services/accounts';
import { beginSession, endSessionsOf, lockCaller, renewing } from '../services/sessions';
import type { Handler } from './handler';

export const listSessions: Handler<'listSessions'> = async ({ db }, { caller, query }) =>
  readPage({
    query: LoginSessionRow.query(db)
      .where({ user_id: caller.userId })
      .where('expires_at', '>', clock.date())
      // Without those that were ended together, by a new password or for all of an account.
      .where('begun_at', '>=', db('users').where({ id: caller.userId }).select('tokens_valid_from')),
    order: ['begun_at', 'login_session_id'],
    direction: 'desc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    ...{ limit: query.limit, cursor: query.cursor },
    toItem: (row) => view(row, caller.session.sessionId),
  });

const view = (row: LoginSessionRow, current: string) => ({
  ...{ login_session_id: row.login_session_id, begun_by: row.begun_by, second_factor: row.second_factor },
  ...{ device: row.device, ip_masked: row.ip_masked },
  begun_at: row.begun_at.toISOString(),
  used_at: row.used_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  current: row.login_session_id === current,
});

export const endSession: Handler<'endSession'> = async (_context, { params, caller, trx }) => {
  await lockCaller(trx, caller.session);
  const { login_session_id } = params;
  const ended = await endSessionsOf(trx, caller.userId, { only: login_session_id });
  if (ended === 0) throw notFound('This session');
  return { login_session_id, ended_at: clock.date().toISOString() };
};

export const endOtherSessions: Handler<'endOtherSessions'> = async (context, { caller, client, trx }) => {
  const user = await lockCaller(trx, caller.session);
  const patched = await user.$query(trx).patchAndFetch({ tokens_valid_from: afterTokens(user) });
  return beginSession(context, trx, { user: patched, ...(await renewing(trx, caller.session, client)) });
};
