import type { EventName } from '../../domain/types';
import { Row } from './row';

export class DeliveryRow extends Row {
  static override tableName = 'deliveries';
  static override idColumn = ['environment_id', 'delivery_id'];
  environment_id!: string;
  delivery_id!: string;
  webhook_id!: string;
  event_id!: string;
  event!: EventName;
  event_at!: Date;
  kind!: 'event' | 'test' | 'redelivery';
  /** A pending delivery of a disabled webhook is what the API calls held. */
  state!: 'pending' | 'delivered' | 'failed';
  attempts!: number;
  due_at!: Date;
  /** Fencing token of the process that is sending it. */
  lease!: string | null;
  lease_until!: Date | null;
  created_at!: Date;
  last_attempt_at!: Date | null;
  delivered_at!: Date | null;
  duration_ms!: number | null;
  response_status!: number | null;
  response_body!: string | null;
  error!: string | null;
  /** Only for tests and what redelivers them: every other delivery sends the payload of its event. */
  payload!: string | null;
}
