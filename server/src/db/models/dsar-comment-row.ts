import { Row } from './row';

export class DsarCommentRow extends Row {
  static override tableName = 'dsar_comments';
  static override idColumn = ['environment_id', 'request_id', 'comment_id'];
  environment_id!: string;
  request_id!: string;
  comment_id!: string;
  user_id!: number;
  key_id!: string | null;
  /** The address of the author when they wrote it. */
  author!: string;
  text!: string;
  created_at!: Date;
}
