import type { StaticHookArguments } from 'objection';
import type { DsarChannel, DsarResolution, DsarStatus, DsarType, HistoryEntry } from '../../domain/types';
import { Row } from './row';
import { UserRow } from './user-row';

/** Whoever works on a request. */
export type Assignee = Pick<UserRow, 'id' | 'email' | 'name'>;

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
  /** When the person opened the link that was mailed to the address. */
  email_verified_at!: Date | null;
  /** When the holder of the address said that they did not make it. */
  disowned_at!: Date | null;
  /** Sealed: the latest answer in words. */
  answer!: Buffer | null;
  possible_duplicate_of!: string | null;
  /** The account of whoever works on it, since when, and who gave it to them. */
  assignee_id!: number | null;
  assigned_at!: Date | null;
  assigned_by!: number | null;
  history!: HistoryEntry[];
  /** Read with the row. */
  assignee?: Assignee | null;

  static override async afterFind({ result, transaction }: StaticHookArguments<DsarRow>): Promise<void> {
    const rows = ([result ?? []].flat() as DsarRow[]).filter((row) => row.assignee_id != null);
    if (rows.length === 0) return;
    const ids = [...new Set(rows.map(({ assignee_id }) => assignee_id as number))];
    const users: Assignee[] = await UserRow.query(transaction).findByIds(ids).select('id', 'email', 'name');
    const names = new Map(users.map((user) => [user.id, user]));
    for (const row of rows) row.assignee = names.get(row.assignee_id as number) ?? null;
  }
}
