import type { Pojo } from 'objection';
import type { BreachSeverity, BreachStatus, HistoryEntry } from '../../domain/types';
import { Row } from './row';

export class BreachRow extends Row {
  static override tableName = 'breaches';
  static override idColumn = ['environment_id', 'breach_id'];
  static override jsonAttributes = ['data_categories', 'subject_categories', 'history'];
  environment_id!: string;
  breach_id!: string;
  title!: string;
  nature!: string;
  description!: string;
  severity!: BreachSeverity;
  occurred_from!: Date | null;
  occurred_to!: Date | null;
  aware_at!: Date;
  notify_by!: Date;
  data_categories!: string[];
  subject_categories!: string[];
  affected_subjects!: number | null;
  affected_records!: number | null;
  consequences!: string;
  measures!: string;
  subjects_informed_at!: Date | null;
  status!: BreachStatus;
  reported_at!: Date | null;
  authority!: string | null;
  authority_reference!: string | null;
  late_reason!: string | null;
  not_reportable_at!: Date | null;
  not_reportable_reason!: string | null;
  /** The severity is `unknown`, which its column cannot hold. */
  unjudged!: boolean;
  created_at!: Date;
  history!: HistoryEntry[];

  override $parseDatabaseJson(json: Pojo): Pojo {
    const row = super.$parseDatabaseJson(json);
    if (row.unjudged) row.severity = 'unknown';
    if (row.not_reportable_at != null) row.status = 'not_reportable';
    return row;
  }

  override $formatDatabaseJson(json: Pojo): Pojo {
    const row = super.$formatDatabaseJson(json);
    if (row.severity !== undefined) row.unjudged = row.severity === 'unknown';
    if (row.unjudged) row.severity = 'medium';
    if (row.status === 'not_reportable') row.status = 'created';
    return row;
  }
}

/** The clock runs: it must be reported and has not been. */
export const RUNNING = "status = 'created' AND not_reportable_at IS NULL";
