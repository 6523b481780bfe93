import { Row } from './row';

/** Somebody who wants no more mails about their requests to a site. */
export class MailRefusalRow extends Row {
  static override tableName = 'mail_refusals';
  static override idColumn = ['environment_id', 'address_key'];
  environment_id!: string;
  /** A keyed hash. */
  address_key!: Buffer;
  refused_at!: Date;
}
