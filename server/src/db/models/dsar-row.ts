import type { DsarChannel, DsarResolution, DsarStatus, DsarType, HistoryEntry } from '../../domain/types';
import { Row } from './row';

export class DsarRow extends Row {
  static override tableName = 'dsar_requests';
  static override idColumn = ['environment_id', 'request_id'];
  static override jsonAttributes = ['history'];
  environment_id!: string;
  request_id!: string;
  request_type!: DsarType;
  /** Empty when a request was not made online and gave none. */
  email!: string;
  /** The address in lower case, by which earlier requests are found. */
  email_key!: string;
  name!: string | null;
  message!: string | null;
  session_id!: string | null;
  channel!: DsarChannel;
  /** A day of the site's calendar. */
  received_on!: string | null;
  contact!: string | null;
  language!: string;
  status!: DsarStatus;
  created_at!: Date;
  due_at!: Date;
  extended_until!: Date | null;
  /** `extended_until`, else `due_at`; PostgreSQL keeps it. */
  readonly deadline!: Date;
  extension_reason!: string | null;
  resolved_at!: Date | null;
  resolution!: DsarResolution | null;
  resolution_note!: string | null;
  possible_duplicate_of!: string | null;
  history!: HistoryEntry[];
}
