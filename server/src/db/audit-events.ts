import type { Knex } from 'knex';
import type { AuditChange, AuditKind, AuditResource, AuditVia } from '../domain/types';
import type { BegunBy } from './models/login-session-row';
import { insertRows } from './set-statement';

/** The site of a trail that is of no site. */
export const NO_SITE = '00000000-0000-0000-0000-000000000000';
/** The account of a site's trail, and of what concerns every account. */
export const NO_ACCOUNT = 0;

/** An audit event that is to be stored. Its time is an ISO 8601 string. */
export interface AuditInsert {
  environment_id: string;
  account_id: number;
  occurred_at: string;
  audit_id: string;
  operation: string;
  kind: AuditKind;
  via: AuditVia;
  begun_by: BegunBy | null;
  user_id: number | null;
  key_id: string | null;
  os_user: string | null;
  ip_masked: string | null;
  request_id: string | null;
  resource: AuditResource | null;
  resource_id: string | null;
  changes: AuditChange[];
  changes_left_out: number;
}

/** Of several: a group of decisions may have an event for each. */
export const INSERT_AUDIT_EVENTS = insertRows<AuditInsert>('avow_insert_audit_events', 'audit_events', {
  environment_id: 'uuid',
  account_id: 'integer',
  occurred_at: 'timestamptz',
  audit_id: 'uuid',
  operation: 'text',
  kind: 'text',
  via: 'text',
  begun_by: 'text',
  user_id: 'integer',
  key_id: 'text',
  os_user: 'text',
  ip_masked: 'text',
  request_id: 'text',
  resource: 'text',
  resource_id: 'text',
  changes: 'json',
  changes_left_out: 'integer',
});

/** Rows deleted by one statement, so that no lock is held for long. */
const CHUNK = 5_000;

/** Deletes what is older, in chunks; returns how many there were. */
export async function deleteAuditBefore(db: Knex, before: Date, signal?: AbortSignal): Promise<number> {
  for (let total = 0; ; ) {
    const { rowCount } = await db.raw<{ rowCount: number }>(
      `DELETE FROM audit_events WHERE (environment_id, account_id, occurred_at, audit_id) IN (
         SELECT environment_id, account_id, occurred_at, audit_id FROM audit_events WHERE occurred_at < ?
         ORDER BY occurred_at LIMIT ?)`,
      [before, CHUNK],
    );
    total += rowCount;
    if (rowCount < CHUNK || signal?.aborted) return total;
  }
}

/** Stores one in the transaction of what it tells of. */
export async function insertAudit(trx: Knex, row: AuditInsert): Promise<void> {
  await trx('audit_events').insert({ ...row, changes: JSON.stringify(row.changes) });
}
