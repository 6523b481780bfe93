import type { EventName } from '../../domain/types';
import { Row } from './row';

export class RedeliveryRow extends Row {
  static override tableName = 'redeliveries';
  static override idColumn = ['environment_id', 'redelivery_id'];
  environment_id!: string;
  redelivery_id!: string;
  /** What it requests; only one with the same scope runs at a time. */
  scope!: string;
  webhook_id!: string | null;
  event!: EventName | null;
  since!: Date;
  until!: Date;
  /** The last delivery that was processed. */
  after_at!: Date;
  after_id!: string;
  deliveries!: number;
  created_at!: Date;
  /** When its last part was done; the one that has waited longest is next. */
  advanced_at!: Date;
  finished_at!: Date | null;
}
