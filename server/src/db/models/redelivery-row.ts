import { Model } from 'objection';
import type { EventName } from '../../domain/types';

export class RedeliveryRow extends Model {
  static override tableName = 'redeliveries';
  static override idColumn = ['environment_id', 'redelivery_id'];
  environment_id!: string;
  redelivery_id!: string;
  /** What it asks for; of the same there is one at a time. */
  scope!: string;
  webhook_id!: string | null;
  event!: EventName | null;
  since!: Date;
  until!: Date;
  /** The last delivery that was looked at. */
  after_at!: Date;
  after_id!: string;
  deliveries!: number;
  created_at!: Date;
  /** When a part of it was done last: the one that has waited longest is next. */
  advanced_at!: Date;
  finished_at!: Date | null;
}
