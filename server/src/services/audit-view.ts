import type { Knex } from 'knex';
import { AuditEventRow } from '../db/models';

/** An audit event and the account of its actor. */
export class ListedAuditEvent extends AuditEventRow {
  user_name!: string | null;
  user_email!: string | null;
}

/** The events of one trail. Of accounts it holds ids alone, so that names are those of today. */
export function listedAuditEvents(
  db: Knex,
  { environment_id, account_id }: Pick<AuditEventRow, 'environment_id' | 'account_id'>,
) {
  const events = AuditEventRow.query(db)
    .leftJoin('users', 'users.id', 'audit_events.user_id')
    .where({ environment_id, account_id })
    .select('audit_events.*', 'users.name AS user_name', 'users.email AS user_email');
  return ListedAuditEvent.query(db).from(events.as('audit_events'));
}

export function auditView(row: ListedAuditEvent) {
  const { user_id, user_name, user_email } = row;
  const isKnown = user_id !== null && user_name !== null && user_email !== null;
  return {
    audit_id: row.audit_id,
    occurred_at: row.occurred_at.toISOString(),
    operation: row.operation,
    kind: row.kind,
    via: row.via,
    begun_by: row.begun_by,
    actor: isKnown ? { user_id, name: user_name, email: user_email } : null,
    key_id: row.key_id,
    os_user: row.os_user,
    ip_masked: row.ip_masked,
    request_id: row.request_id,
    resource: row.resource,
    resource_id: row.resource_id,
    changes: row.changes,
    changes_left_out: row.changes_left_out,
  };
}

/** Of a CSV file. */
export const AUDIT_COLUMNS: (keyof ReturnType<typeof auditView>)[] = [
  ...(['audit_id', 'occurred_at', 'operation', 'kind', 'via', 'actor', 'key_id'] as const),
  ...([
    'os_user',
    'ip_masked',
    'request_id',
    'resource',
    'resource_id',
    'changes',
    'changes_left_out',
    'begun_by',
  ] as const),
];
