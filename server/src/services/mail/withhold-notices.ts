import type { Knex } from 'knex';
import { clock } from '../../domain/clock';

const LEFT = 'Its receiver is no member of the site any more.';

/** Whoever is no member any more gets nothing about the site that waits to be mailed, once their membership has ended. */
export const withholdNotices = async (
  trx: Knex,
  { environment_id, user_id }: { environment_id: string; user_id: number },
): Promise<void> =>
  void (await trx('mails')
    .where({ environment_id, user_id, state: 'pending', audience: 'member' })
    .update({
      ...{ state: 'withheld', ended_at: clock.date(), content: null, address_key: null },
      ...{ lease: null, lease_until: null, error: LEFT },
    }));
