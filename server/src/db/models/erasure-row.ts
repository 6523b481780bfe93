import type { ErasureKind, FoundBy, RetentionRule } from '../../domain/types';
import { Row } from './row';

export class ErasureRow extends Row {
  static override tableName = 'erasures';
  static override idColumn = ['environment_id', 'erasure_id'];
  environment_id!: string;
  erasure_id!: string;
  begun_at!: Date;
  finished_at!: Date | null;
  kind!: ErasureKind;
  found_by!: FoundBy[];
  user_id!: number | null;
  key_id!: string | null;
  rule!: RetentionRule | null;
  /** In UTC. */
  day!: string | null;
  /** What has begun and not ended; what was killed has not ended. */
  running!: number;
  /** Whether the last one that ended left nothing. */
  whole!: boolean;
  consents!: number;
  choices!: number;
  form_consents!: number;
  requests!: number;
  events!: number;
  deliveries!: number;
  searches!: number;
  mails!: number;
  answer_files!: number;
}
