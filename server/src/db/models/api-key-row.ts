import type { Scope } from '../../domain/types';
import { Row } from './row';

/** A key for programs; see the migration for what is stored of its text. */
export class ApiKeyRow extends Row {
  static override tableName = 'api_keys';
  static override idColumn = 'key_id';
  key_id!: string;
  /** Its maker, whose rights it has. */
  user_id!: number;
  /** The only site that it reaches; null: every site where its maker is an owner. */
  environment_id!: string | null;
  hash!: Buffer;
  name!: string;
  scopes!: Scope[];
  /** Empty: it may be used from anywhere. */
  networks!: string[];
  created_at!: Date;
  expires_at!: Date | null;
  revoked_at!: Date | null;
  replaced_by!: string | null;
  /** The day of its last use, in UTC, and the first address of that day, masked. */
  used_on!: string | null;
  used_from!: string | null;
}
