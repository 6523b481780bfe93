import type { ScanEvery } from '../../domain/types';
import { Row } from './row';

/** How often pages of a site are scanned. */
export class ScanScheduleRow extends Row {
  static override tableName = 'scan_schedules';
  static override idColumn = 'environment_id';
  environment_id!: string;
  every!: ScanEvery;
  /** Who set it: the scans are this person's. */
  user_id!: number;
  version!: number;
  updated_at!: Date;
}
