import { Row } from './row';

/** A page that is scanned again and again. */
export class ScheduledPageRow extends Row {
  static override tableName = 'scheduled_pages';
  static override idColumn = ['environment_id', 'position'];
  environment_id!: string;
  /** Its place in the list, from 0. */
  position!: number;
  url!: string;
  /** When its next turn is; null: never. */
  next_at!: Date | null;
  /** The last scan that was started. */
  scan_id!: string | null;
  /** That scan waits or runs, or its end was not noted yet. */
  under_way!: boolean;
  /** Turns in a row that failed. */
  failures!: number;
  failed_since!: Date | null;
  /** Why the last one failed. */
  error!: string | null;
}
