import type { Role } from '../../domain/types';
import { Row } from './row';

/** An invitation to one site. */
export class InvitationRow extends Row {
  static override tableName = 'site_invitations';
  static override idColumn = ['environment_id', 'user_id'];
  environment_id!: string;
  /** The id of the account, if the link creates one. */
  user_id!: number;
  email!: string;
  /** The address in lower case, as that of an account. */
  email_key!: string;
  name!: string;
  role!: Role;
  /** null: its creator is no longer known. */
  made_by!: number | null;
  /** null: its link has ended; an owner can create a new one. */
  code_hash!: Buffer | null;
  expires_at!: Date;
  added_at!: Date;
}
