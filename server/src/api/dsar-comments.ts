import { DsarCommentRow, DsarRow } from '../db/models';
import { readPage, SHAPE_UUID } from '../db/paging';
import { conflict, forbidden, notFound } from '../domain/errors';
import { newId, timeOfId } from '../domain/ids';
import { locked } from '../services/dsar-rows';
import { commentView, dsarKey } from '../services/dsar-view';
import type { Handler } from './handler';

/** Comments on one request, at most. */
const MAX_COMMENTS = 500;

export const listDsarComments: Handler<'listDsarComments'> = async (
  { db },
  { environment, params, query },
) => {
  const key = dsarKey(environment, params.request_id);
  if ((await DsarRow.query(db).findOne(key).select('request_id')) === undefined)
    throw notFound('This data-subject request');
  return readPage({
    query: DsarCommentRow.query(db).where(key),
    order: ['comment_id'],
    direction: 'asc',
    shapes: [SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: commentView,
  });
};

export const addDsarComment: Handler<'addDsarComment'> = async (
  _,
  { environment, params, body, caller, trx },
) => {
  // Locked, so that several at once keep the limit.
  const { environment_id, request_id } = await locked(trx, environment, params.request_id);
  if ((await DsarCommentRow.query(trx).where({ environment_id, request_id }).resultSize()) >= MAX_COMMENTS)
    throw conflict(`A request has at most ${MAX_COMMENTS} comments: delete one that is not needed.`);
  const comment_id = newId();
  const row = await DsarCommentRow.query(trx).insertAndFetch({
    ...{ environment_id, request_id, comment_id, text: body.text, created_at: timeOfId(comment_id) },
    ...{ user_id: caller.userId, author: caller.email, key_id: caller.key?.id ?? null },
  });
  return commentView(row);
};

export const deleteDsarComment: Handler<'deleteDsarComment'> = async (
  _,
  { environment, params, caller, role, trx },
) => {
  const key = { ...dsarKey(environment, params.request_id), comment_id: params.comment_id.toLowerCase() };
  const row = await DsarCommentRow.query(trx).findOne(key).forUpdate();
  if (row === undefined) throw notFound('This comment');
  if (role !== 'owner' && row.user_id !== caller.userId)
    throw forbidden('Somebody else wrote this comment: only they and owners can delete it.');
  await DsarCommentRow.query(trx).where(key).delete();
  return { comment_id: row.comment_id };
};
