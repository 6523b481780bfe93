import type { Knex } from 'knex';
import * as accounts from './20261121000100_accounts';
import * as environments from './20261121000200_environments';
import * as consents from './20261121000300_consents';
import * as counts from './20261121000400_counts';
import * as formConsents from './20261121000500_form_consents';
import * as idempotency from './20261121000600_idempotency';

export interface Migration {
  up(knex: Knex): Promise<void>;
  down(knex: Knex): Promise<void>;
}

/** Every migration by name, oldest first. Listed by import, so that a build or a bundle cannot lose one. */
export const migrations: Record<string, Migration> = {
  '20261121000100_accounts': accounts,
  '20261121000200_environments': environments,
  '20261121000300_consents': consents,
  '20261121000400_counts': counts,
  '20261121000500_form_consents': formConsents,
  '20261121000600_idempotency': idempotency,
};
