import type { Knex } from 'knex';
import type { Mailing } from '../../mail/mailing';

/**
 * Accounts `u` that are told anything: that can log in, in whatever way, and where mails are sent only with an address that
 * its person has proved. Anybody can make an account with somebody else's address, by an invitation of their own.
 */
export const isReached =
  ({ isConfigured }: Pick<Mailing, 'isConfigured'>) =>
  (users: Knex.QueryBuilder): void => {
    users
      .whereNull('u.disabled_at')
      .where((either) =>
        either
          .whereNotNull('u.password_hash')
          .orWhereRaw('EXISTS (SELECT FROM identities i WHERE i.user_id = u.id)')
          .orWhereRaw('EXISTS (SELECT FROM passkeys p WHERE p.user_id = u.id)'),
      );
    if (isConfigured) users.whereNotNull('u.email_verified_at');
  };
