/**
 * Where a table's rows are on a cluster. `site`: on the node of their site. `copied`: on every node, for small tables
 * that are read with the others. `coordinator`: there alone, and known to every node.
 */
export type Placement = 'site' | 'copied' | 'coordinator';

/** Every table of the schema: a migration that makes one adds it here. */
export const PLACEMENTS: Readonly<Record<string, Placement>> = {
  users: 'copied',
  environments: 'copied',
  members: 'copied',
  invitations: 'copied',
  site_invitations: 'copied',
  domain_proofs: 'copied',
  api_keys: 'copied',
  avow_migrations: 'coordinator',
  avow_migrations_lock: 'coordinator',
  backfills: 'coordinator',
  canaries: 'coordinator',
  contract_steps: 'coordinator',
  cookie_scans: 'coordinator',
  counters: 'coordinator',
  ended_sessions: 'coordinator',
  job_runs: 'coordinator',
  ledger_keys: 'coordinator',
  login_failures: 'coordinator',
  login_networks: 'coordinator',
  running_processes: 'coordinator',
  server_secrets: 'coordinator',
  scanned_pages: 'coordinator',
  // The first one: all others of a site lie where its consents are.
  consents: 'site',
  session_choices: 'site',
  consent_words: 'site',
  daily_counts: 'site',
  hourly_counts: 'site',
  idempotency_keys: 'site',
  events: 'site',
  deliveries: 'site',
  webhooks: 'site',
  redeliveries: 'site',
  subscription_versions: 'site',
  missed_spans: 'site',
  deleted_webhooks: 'site',
  form_consents: 'site',
  dsar_requests: 'site',
  breaches: 'site',
  bundles: 'site',
  asked_vendors: 'site',
  vendor_lists: 'site',
  settings_versions: 'site',
  settings_parts: 'site',
  retention_holds: 'site',
  audit_events: 'site',
  erasures: 'site',
  ledger_pending: 'site',
  ledger_entries: 'site',
  ledger_tiles: 'site',
  ledger_segments: 'site',
  ledger_heads: 'site',
  ledger_facts: 'site',
  ledger_imported: 'site',
  ledger_erased: 'site',
  ledger_successions: 'site',
  ledger_checkpoints: 'site',
  ledger_cosignatures: 'site',
  ledger_timestamps: 'site',
  ledger_vouchers: 'site',
  ledger_audits: 'site',
};

/** The column that says which site a row belongs to. */
export const SITE_COLUMN = 'environment_id';
/** The table whose shards the others lie beside. */
export const BESIDE = 'consents';
