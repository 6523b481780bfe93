import type { EventName } from '../../domain/types';
import { AppendOnlyModel } from './append-only';

export class EventRow extends AppendOnlyModel {
  static override tableName = 'events';
  static override idColumn = ['environment_id', 'occurred_at', 'event_id'];
  environment_id!: string;
  occurred_at!: Date;
  event_id!: string;
  event!: EventName;
  /** The session, request or breach that it is about, so that an erasure finds it. */
  subject_id!: string;
  /** The JSON text, byte for byte as it was compiled. */
  payload!: string;
  /** The version of the site's subscriptions whose paused or disabled webhooks got no delivery; mostly null. */
  subscriptions!: string | null;
}
