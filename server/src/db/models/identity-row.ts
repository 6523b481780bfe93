import { Row } from './row';

/** An account at an OpenID provider, by which somebody logs in to theirs here. */
export class IdentityRow extends Row {
  static override tableName = 'identities';
  static override idColumn = 'identity_id';
  identity_id!: string;
  user_id!: number;
  /** The name that the provider had in the configuration. */
  provider!: string;
  /** With the subject it is who somebody is there: an e-mail address is not. */
  issuer!: string;
  subject!: string;
  /** As the provider gave it last, to be shown. */
  email!: string | null;
  /**
   * `login`: made with the first log-in; `operator`: the same, to an account that the operator had made; `link`: by somebody
   * who was logged in.
   */
  made_by!: 'login' | 'link' | 'operator';
  linked_at!: Date;
  last_used_at!: Date;
}
