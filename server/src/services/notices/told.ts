import type { Knex } from 'knex';
import { NO_SITE } from '../../db/audit-events';
import type { EnvironmentRow } from '../../db/models';
import type { Notice, Topic } from '../../domain/notices';
import type { Role } from '../../domain/types';

/** A member who can be told something. */
export interface Told {
  user_id: number;
  email: string;
  role: Role;
  /** Since when, on a site. */
  added_at?: Date;
}

/** What a notice is about. */
export type NoticeSite = Pick<EnvironmentRow, 'id' | 'token' | 'name'>;

/** What is of no site concerns the account. */
export const ACCOUNT: NoticeSite = { id: NO_SITE, token: '', name: 'Your account' };

/** A notice as it was noted for a member. */
export interface NotedNotice {
  topic: Topic;
  message: string;
  path: string;
  mailed_at: Date | null;
}

/** A notice and the site that it is about. */
export interface SiteNotice extends Notice {
  environment_id: string;
  /** Of what is of no site: whom it concerns. */
  account_id?: number;
  /** Of what concerns one member of the site: who alone is told. */
  member_id?: number;
  /** Who became a member by it, and is not told so. */
  joined?: number;
}

/** What one look reads. */
export interface Look {
  db: Knex;
  now: Date;
  /** When somebody looked last: what happened since is new. */
  since: Date;
  /** Who vouches for evidence logs, by the configuration. */
  vouchers: readonly string[];
  rows: number;
}
