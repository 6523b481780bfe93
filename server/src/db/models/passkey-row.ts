import { Row } from './row';

/** A WebAuthn credential of an account. */
export class PasskeyRow extends Row {
  static override tableName = 'passkeys';
  static override idColumn = 'passkey_id';
  passkey_id!: string;
  user_id!: number;
  /** Base64url, as the authenticator chose it. */
  credential_id!: string;
  /** COSE. */
  public_key!: Buffer;
  /** Random, the same for all passkeys of an account: it says nothing of the person. */
  user_handle!: string;
  /** The authenticator's count of signatures; a bigint, which the driver reads as text. */
  counter!: string;
  transports!: string[];
  /** Whether the authenticator keeps copies of it elsewhere. */
  synced!: boolean;
  name!: string;
  created_at!: Date;
  /** The day of its last use, in UTC. */
  used_on!: string | null;
}
