import { Row } from './row';

/** What a webhook misses while it is paused or disabled: events by the versions that they carry. */
export class MissedSpanRow extends Row {
  static override tableName = 'missed_spans';
  static override idColumn = ['environment_id', 'webhook_id', 'from_version'];
  environment_id!: string;
  webhook_id!: string;
  /** The first version of the site's subscriptions that it missed events of; a number too large for JavaScript. */
  from_version!: string;
  /** The first one that it missed none of; null while it still misses them. */
  to_version!: string | null;
  /** What it subscribed to: event names, or `*` alone. */
  events!: string[];
  started_at!: Date;
  /** A time after its end was committed; writers that began before it may not know of the end. */
  seen_closed_at!: Date | null;
  /** Whether all of its events are stored. */
  settled!: boolean;
  /** The last event that became a delivery or was passed over; null before the first. */
  read_version!: string | null;
  read_at!: Date | null;
  read_id!: string | null;
  /** When its last part was done; the one that has waited longest is next. */
  advanced_at!: Date;
}
