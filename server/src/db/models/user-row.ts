import { Row } from './row';

export class UserRow extends Row {
  static override tableName = 'users';
  id!: number;
  email!: string;
  /** The address in lower case, by which accounts are told apart. */
  email_key!: string;
  name!: string;
  /** null until an invitation was accepted. */
  password_hash!: string | null;
  /** Bearer tokens issued before this instant are refused. */
  tokens_valid_from!: Date;
  created_at!: Date;
  /** When the operator disabled the account. */
  disabled_at!: Date | null;
  /** Whose group the account belongs to, by whose invitations it was made; null when it is its own. */
  sponsor_id!: number | null;
  /** Whether the invitation that made it came from an account that had been invited itself. */
  by_invited!: boolean;
  /** Whether its person took it back from whoever had claimed the address by an invitation: it makes no sites yet. */
  was_claimed!: boolean;
  /** Since when the account has a second factor; every session of it must have been begun with one. */
  second_factor_since!: Date | null;
  /** When a mail, the operator or a provider proved that the address is the person's. */
  email_verified_at!: Date | null;
}
