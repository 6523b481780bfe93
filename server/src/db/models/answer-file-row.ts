import type { AnswerFileType } from '../../domain/types';
import { Row } from './row';

export class AnswerFileRow extends Row {
  static override tableName = 'answer_files';
  static override idColumn = ['environment_id', 'request_id', 'file_id'];
  environment_id!: string;
  request_id!: string;
  file_id!: string;
  name!: string;
  content_type!: AnswerFileType;
  bytes!: number;
  downloads!: number;
  /** null until all of it has come, and of files from before this column. */
  sha256!: Buffer | null;
  /** How many parts have been stored, also those that replaced others. */
  revision!: number;
  created_at!: Date;
  /** When it is deleted; null before the request is answered. */
  expires_at!: Date | null;
}
