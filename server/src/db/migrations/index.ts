import type { Knex } from 'knex';
import * as accounts from './20261121000100_accounts';
import * as environments from './20261121000200_environments';
import * as consents from './20261121000300_consents';
import * as counts from './20261121000400_counts';
import * as formConsents from './20261121000500_form_consents';
import * as idempotency from './20261121000600_idempotency';
import * as dsar from './20261121000700_dsar';
import * as breaches from './20261121000800_breaches';
import * as events from './20261121000900_events';
import * as webhooks from './20261121001000_webhooks';
import * as vendors from './20261121001100_vendors';
import * as scans from './20261121001200_scans';
import * as bundles from './20261121001300_bundles';
import * as dsarDeadline from './20261121001400_dsar_deadline';
import * as jobRuns from './20261121002400_job_runs';
import * as keyExpiry from './20261121002500_key_expiry';
import * as invitationMakers from './20261121002600_invitation_makers';

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
  '20261121000700_dsar': dsar,
  '20261121000800_breaches': breaches,
  '20261121000900_events': events,
  '20261121001000_webhooks': webhooks,
  '20261121001100_vendors': vendors,
  '20261121001200_scans': scans,
  '20261121001300_bundles': bundles,
  '20261121001400_dsar_deadline': dsarDeadline,
  '20261121002400_job_runs': jobRuns,
  '20261121002500_key_expiry': keyExpiry,
  '20261121002600_invitation_makers': invitationMakers,
};
