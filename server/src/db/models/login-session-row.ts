import type { LoginWay } from '../../domain/types';
import { Row } from './row';

/** How a session began; `older`: an older version began it. */
export type BegunBy = LoginWay;

/** A bearer session that goes on, unless its account has ended all. */
export class LoginSessionRow extends Row {
  static override tableName = 'login_sessions';
  static override idColumn = 'login_session_id';
  login_session_id!: string;
  user_id!: number;
  /** What `ended_sessions` knows it by. */
  token_hash!: Buffer;
  begun_by!: BegunBy;
  /** Whether a second factor was proved, too. */
  second_factor!: boolean;
  /** Coarse words, such as `Firefox on Windows`. */
  device!: string;
  ip_masked!: string;
  begun_at!: Date;
  /** To the hour. */
  used_at!: Date;
  expires_at!: Date;
}
