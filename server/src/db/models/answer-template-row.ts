import type { DsarType } from '../../domain/types';
import { Row } from './row';

/** A text of a site with which members begin answers. */
export class AnswerTemplateRow extends Row {
  static override tableName = 'answer_templates';
  static override idColumn = ['environment_id', 'template_id'];
  environment_id!: string;
  template_id!: string;
  name!: string;
  request_type!: DsarType;
  language!: string;
  text!: string;
  version!: number;
  created_at!: Date;
  updated_at!: Date;
}
