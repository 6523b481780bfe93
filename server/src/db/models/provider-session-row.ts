import { Row } from './row';

/** A session that began at a provider, which may end it. */
export class ProviderSessionRow extends Row {
  static override tableName = 'provider_sessions';
  static override idColumn = 'token_hash';
  token_hash!: Buffer;
  user_id!: number;
  issuer!: string;
  subject!: string;
  /** The provider's name of its own session. */
  sid!: string | null;
  /** Sealed, since it holds the id token: where a log-out goes on. */
  logout_url!: Buffer | null;
  begun_at!: Date;
  expires_at!: Date;
}
