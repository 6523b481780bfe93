import { Row } from './row';

/** A webhook that is gone, and whose deliveries are still being deleted. */
export class DeletedWebhookRow extends Row {
  static override tableName = 'deleted_webhooks';
  static override idColumn = ['environment_id', 'webhook_id'];
  environment_id!: string;
  webhook_id!: string;
  deleted_at!: Date;
  /** When the last delivery that was deleted had been created. */
  after_at!: Date;
  /** When its last part was done, or when its next one is due; the one that has waited longest is next. */
  advanced_at!: Date;
}
