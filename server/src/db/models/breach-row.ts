import { Model } from 'objection';
import type { BreachSeverity, BreachStatus, HistoryEntry } from '../../domain/types';

export class BreachRow extends Model {
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
  created_at!: Date;
  history!: HistoryEntry[];
}
