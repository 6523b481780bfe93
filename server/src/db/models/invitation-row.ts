import { Model } from 'objection';
import type { Role } from '../../domain/types';

/** An invitation to one site. */
export class InvitationRow extends Model {
  static override tableName = 'site_invitations';
  static override idColumn = ['environment_id', 'user_id'];
  environment_id!: string;
  /** The id that an account gets if the link makes one. */
  user_id!: number;
  email!: string;
  /** The address in lower case, as that of an account. */
  email_key!: string;
  name!: string;
  role!: Role;
  /** null: whoever made it is not known any more. */
  made_by!: number | null;
  /** null: its link has ended, and an owner can make a new one. */
  code_hash!: Buffer | null;
  expires_at!: Date;
  added_at!: Date;
}
