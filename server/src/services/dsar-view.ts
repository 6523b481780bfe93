import { dsarRecord } from '../db/ledger/records';
import type { DsarRow, EnvironmentRow } from '../db/models';
import { clock } from '../domain/clock';
import { ValidationError } from '../domain/errors';
import type { SessionView } from './session-view';

/** A data-subject request as the contract has it. */
export const dsarView = (row: DsarRow, { show }: SessionView) => ({
  ...dsarRecord(row),
  session_id: show(row.session_id),
  overdue: row.status !== 'resolved' && row.deadline < clock.date(),
  history: row.history,
});

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
