import type { DsarView } from '../../domain/types';
import { Row } from './row';

/** The saved views of a member of a site, or, of account 0, of all members. */
export class DsarViewsRow extends Row {
  static override tableName = 'dsar_views';
  static override idColumn = ['environment_id', 'user_id'];
  static override jsonAttributes = ['views'];
  environment_id!: string;
  user_id!: number;
  version!: number;
  views!: DsarView[];
  updated_at!: Date;
  /** The day of its last change in UTC, `YYYY-MM-DD`, and the changes of that day. */
  changed_on!: string | null;
  changes!: number;
}
