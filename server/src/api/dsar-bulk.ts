import { AnswerFileRow, DsarRow } from '../db/models';
import { conflict } from '../domain/errors';
import { lockAssignee } from '../services/dsar-assignees';
import { takeEach } from '../services/dsar-bulk';
import { locked } from '../services/dsar-rows';
import { checkReasons } from '../services/mail/check-reasons';
import { assignDsar } from './dsar-assignees';
import { extendDsar, resolveDsar, startDsar } from './dsar-steps';
import type { Handler } from './handler';

/** The path of one of the requests. */
const pathOf = ({ token }: { token: string }, request_id: string) => ({ token, request_id });

export const assignDsars: Handler<'assignDsars'> = async (context, request) => {
  const { environment, params, body, caller, trx } = request;
  const { request_ids, assignee } = body;
  // Before all requests, and once: an id of nobody is a mistake of the call.
  if (assignee !== null)
    await lockAssignee(trx, environment.id, assignee === 'me' ? caller.userId : assignee);
  return takeEach(request, request_ids, ({ request_id, ...own }) =>
    assignDsar(context, { ...request, ...own, params: pathOf(params, request_id), body: { assignee } }),
  );
};

export const startDsars: Handler<'startDsars'> = (context, request) => {
  const { request_ids, ...body } = request.body;
  return takeEach(request, request_ids, ({ request_id, ...own }) =>
    startDsar(context, { ...request, ...own, params: pathOf(request.params, request_id), body }),
  );
};

export const extendDsars: Handler<'extendDsars'> = (context, request) => {
  const { request_ids, ...body } = request.body;
  return takeEach(request, request_ids, ({ request_id, ...own }) =>
    extendDsar(context, { ...request, ...own, params: pathOf(request.params, request_id), body }),
  );
};

export const resolveDsars: Handler<'resolveDsars'> = async (context, request) => {
  const { request_ids, ...body } = request.body;
  const { environment, trx } = request;
  const open = await DsarRow.query(trx)
    .where({ environment_id: environment.id })
    .whereIn(
      'request_id',
      request_ids.map((id) => id.toLowerCase()),
    )
    .whereNot({ status: 'resolved' })
    .select('email', 'disowned_at');
  // Before all requests: reasons that are missing are a mistake of the call.
  for (const row of open) checkReasons(context, environment, row, body);
  return takeEach(request, request_ids, async ({ request_id, ...own }) => {
    const { environment_id } = await locked(own.trx, request.environment, request_id);
    const files = AnswerFileRow.query(own.trx).where({ environment_id, request_id });
    if ((await files.first()) !== undefined)
      throw conflict('The request has files of an answer: resolve it on its own, with that answer.');
    return resolveDsar(context, { ...request, ...own, params: pathOf(request.params, request_id), body });
  });
};
