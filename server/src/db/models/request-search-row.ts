import type { SearchOrigin, SearchState } from '../../domain/types';
import { Row } from './row';

/** A system that is to be searched for a request, and what came of it. */
export class RequestSearchRow extends Row {
  static override tableName = 'request_searches';
  static override idColumn = ['environment_id', 'request_id', 'line_id'];
  environment_id!: string;
  request_id!: string;
  line_id!: string;
  name!: string;
  origin!: SearchOrigin;
  state!: SearchState;
  note!: string | null;
  /** The address of whoever changed it last. */
  actor!: string | null;
  user_id!: number | null;
  key_id!: string | null;
  at!: Date | null;
  version!: number;
}
