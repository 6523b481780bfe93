import type { AttachmentType } from '../../domain/types';
import { Row } from './row';

export class AttachmentRow extends Row {
  static override tableName = 'attachments';
  static override idColumn = ['environment_id', 'request_id', 'file_id'];
  environment_id!: string;
  request_id!: string;
  file_id!: string;
  name!: string;
  content_type!: AttachmentType;
  bytes!: number;
  /** null until all of it has come. */
  sha256!: Buffer | null;
  /** How many parts have been stored, also those that replaced others. */
  revision!: number;
  /** The e-mail address of the member. */
  added_by!: string;
  created_at!: Date;
}
