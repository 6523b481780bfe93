import type { Knex } from 'knex';
import type { Sender } from '../config/mail';
import type { Vault } from '../security/vault';

/** What queues mails. */
export interface Mailing {
  db: Knex;
  vault: Vault;
  /** Whether a mail server is configured. */
  isConfigured: boolean;
  from: Sender | undefined;
  /** Where links lead, without a trailing slash. */
  publicUrl(): string;
  /** Keys the hashes of addresses, and signs the links in mails. */
  secret(): Promise<Buffer>;
}
