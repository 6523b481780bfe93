import type { Context } from '../context';
import { dsarRecord } from '../db/ledger/records';
import type { DsarCommentRow, DsarRow, EnvironmentRow } from '../db/models';
import { clock } from '../domain/clock';
import { ValidationError } from '../domain/errors';
import { withoutFileNames } from '../domain/history';
import type { DsarIdentification } from '../domain/types';
import { mailingOf } from './mail/mailing-of';
import type { SessionView } from './session-view';

/** A data-subject request as the contract has it. */
export const dsarView = (
  { mail }: Pick<Context, 'mail'>,
  row: DsarRow,
  { show, namesFiles }: SessionView,
  environment: Pick<EnvironmentRow, 'settings'>,
) => ({
  ...dsarRecord(row),
  email_verified_at: row.email_verified_at?.toISOString() ?? null,
  disowned_at: row.disowned_at?.toISOString() ?? null,
  mailing: mailingOf(mail, environment, row),
  identification: identificationOf(row, environment.settings.verify_requesters === true),
  session_id: show(row.session_id),
  assignee: assigneeOf(row),
  overdue: row.status !== 'resolved' && row.deadline < clock.date(),
  history: namesFiles ? row.history : withoutFileNames(row.history),
});

const assigneeOf = ({ assignee, assigned_at }: DsarRow) =>
  assignee == null || assigned_at === null
    ? null
    : {
        ...{ user_id: assignee.id, email: assignee.email, name: assignee.name },
        assigned_at: assigned_at.toISOString(),
      };

/** Only whoever wrote from a page can have given somebody else's address unseen. */
function identificationOf({ channel, email_verified_at }: DsarRow, isAsked: boolean): DsarIdentification {
  if (email_verified_at !== null) return 'verified';
  return isAsked && channel === 'online' ? 'pending' : 'not_required';
}

/** The key of a request, in whatever case its id is written. */
export const dsarKey = (environment: EnvironmentRow, request_id: string) => ({
  environment_id: environment.id,
  request_id: request_id.toLowerCase(),
});

/** Throws `ValidationError` for a day that does not exist or has not come. */
export function checkDay(field: string, day: string, today: string): void {
  const date = new Date(`${day}T00:00:00.000Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day)
    throw ValidationError.of(`body.${field}`, 'must be a day that exists', 'format');
  if (day > today) throw ValidationError.of(`body.${field}`, 'must not be in the future', 'time');
}

/** A comment as the contract has it. */
export const commentView = ({ environment_id: _, request_id: __, ...row }: DsarCommentRow) => ({
  ...row,
  created_at: row.created_at.toISOString(),
});
