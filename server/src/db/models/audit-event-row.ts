import type { AuditChange, AuditKind, AuditResource, AuditVia } from '../../domain/types';
import { AppendOnlyModel } from './append-only';
import type { BegunBy } from './login-session-row';

/** What somebody did, in the trail of a site or of an account; see the migration. */
export class AuditEventRow extends AppendOnlyModel {
  static override tableName = 'audit_events';
  static override idColumn = ['environment_id', 'account_id', 'occurred_at', 'audit_id'];
  static override jsonAttributes = ['changes'];
  environment_id!: string;
  account_id!: number;
  occurred_at!: Date;
  audit_id!: string;
  operation!: string;
  kind!: AuditKind;
  via!: AuditVia;
  begun_by!: BegunBy | null;
  user_id!: number | null;
  key_id!: string | null;
  os_user!: string | null;
  ip_masked!: string | null;
  request_id!: string | null;
  resource!: AuditResource | null;
  resource_id!: string | null;
  changes!: AuditChange[];
  changes_left_out!: number;
}
