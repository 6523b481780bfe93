import { refuseFull, refuseManyChanges } from '../db/daily-limits';
import { changesOf } from '../domain/audit';
import { clock } from '../domain/clock';
import { conflict } from '../domain/errors';
import { withEntry } from '../domain/history';
import { lockAssignee } from '../services/dsar-assignees';
import { locked, save } from '../services/dsar-rows';
import { dsarView } from '../services/dsar-view';
import { sessionView } from '../services/session-view';
import type { Handler } from './handler';

export const assignDsar: Handler<'assignDsar'> = async (context, request) => {
  const { environment, params, body, caller, trx, audit } = request;
  const id = body.assignee === 'me' ? caller.userId : body.assignee;
  const member = id === null ? undefined : await lockAssignee(trx, environment.id, id);
  const row = await locked(trx, environment, params.request_id);
  const { expected_assignee = row.assignee_id } = body;
  if (row.assignee_id !== expected_assignee)
    throw conflict(
      row.assignee == null
        ? 'Nobody works on this request any more: look at it again.'
        : `${row.assignee.email} works on this request by now: look at it again.`,
    );
  const sessions = await sessionView(context, request);
  if (row.assignee_id === id) {
    audit.nothingChanged();
    return dsarView(context, row, sessions, environment);
  }
  // Nobody is kept from taking it back.
  if (id !== null) {
    refuseFull(row.history, request);
    refuseManyChanges(row.history, request);
  }
  audit.note({ changes: changesOf({ assignee: row.assignee_id }, { assignee: id }) });
  const saved = await save(request, row, {
    assignee_id: id,
    assigned_at: id === null ? null : clock.date(),
    assigned_by: id === null ? null : caller.userId,
    history: withEntry(row.history, caller, id === null ? 'unassigned' : 'assigned', member?.email),
  });
  return dsarView(context, saved, sessions, environment);
};
