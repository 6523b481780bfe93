import type { Knex } from 'knex';
import type { BundleFiles } from './bundle/files';
import type { Config } from './config';
import type { BannerProgram } from './domain/bundle/program';
import type { Ingest } from './ingest/ingest';
import type { Sites } from './ingest/sites';
import type { Logger } from './logger';
import type { Metrics } from './metrics';
import type { Policy } from './net/policy';
import type { ScanRunner } from './scan/runner';
import type { Tokens } from './tokens';
import type { Vault } from './vault';
import type { Dispatcher } from './webhooks/dispatcher';

/** What every part of a running service shares. */
export interface Context {
  config: Config;
  log: Logger;
  db: Knex;
  ingest: Ingest;
  sites: Sites;
  tokens: Tokens;
  vault: Vault;
  metrics: Metrics;
  dispatcher: Dispatcher;
  scans: ScanRunner;
  /** What this version of the product brings to every bundle. */
  program: BannerProgram;
  /** Bundles as visitors load them. */
  files: BundleFiles;
  /** Where cookie scans may go. */
  scanPolicy: Policy;
  /** Where webhooks may go. */
  networkPolicy: Policy;
  /** These webhooks have something new to send; call it after the commit. */
  wake(webhookIds: readonly string[]): void;
  /** Where people and scripts reach this server, without a trailing slash. */
  publicUrl(): string;
}
