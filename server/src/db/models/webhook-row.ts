import { Row } from './row';

export class WebhookRow extends Row {
  static override tableName = 'webhooks';
  static override idColumn = ['environment_id', 'webhook_id'];
  environment_id!: string;
  webhook_id!: string;
  url!: string;
  /** Event names, or `*` alone. */
  events!: string[];
  method!: 'POST' | 'GET';
  description!: string | null;
  /** Sealed. */
  secret!: Buffer;
  /** Sealed; it signs beside the other one until `next_secret_from`, and alone from then on. */
  next_secret!: Buffer | null;
  next_secret_from!: Date | null;
  /** The state of its deliveries; `paused_at` tells whether an owner paused it. */
  status!: 'active' | 'failing' | 'disabled';
  consecutive_failures!: number;
  /** When the last failure that counted was noted: an attempt that began before it does not count again. */
  last_counted_at!: Date | null;
  retry_at!: Date | null;
  last_error!: string | null;
  last_success_at!: Date | null;
  disabled_at!: Date | null;
  disabled_reason!: string | null;
  paused_at!: Date | null;
  /** Since when this server itself cannot send, whatever its receiver would answer. */
  unsendable_since!: Date | null;
  /** Sealed: its custom headers as JSON. */
  headers!: Buffer | null;
  header_names!: string[];
  /** Deliveries from before this instant go out one by one, oldest first. */
  reactivated_at!: Date | null;
  /** The account that made it; null for one that is older than this column. */
  created_by!: number | null;
  /** The API key with which a program of that account made it. */
  created_with!: string | null;
  /** The account that last changed it or its secret. */
  changed_by!: number | null;
  created_at!: Date;
  updated_at!: Date;
}

/** What names a webhook: its site comes first, which says where it lives on a cluster. */
export type WebhookKey = Pick<WebhookRow, 'environment_id' | 'webhook_id'>;
