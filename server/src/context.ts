import type { Knex } from 'knex';
import type { Declarations } from './bundles/declarations';
import type { BundleFiles } from './bundles/files';
import type { PageSources } from './bundles/page-sources';
import type { VendorLists } from './bundles/vendor-lists';
import type { Config } from './config';
import type { WebhookKey } from './db/models';
import type { WriteProbe } from './db/write-probe';
import type { BannerProgram } from './domain/banner/sources';
import type { MemberTurns } from './domain/fair-turns';
import type { KnownMembers } from './domain/known-members';
import type { Memory } from './domain/memory';
import type { FileStore } from './files/file-store';
import type { Ingest } from './ingest/ingest';
import type { KeyWatch } from './ingest/key-use';
import type { Sites } from './ingest/sites';
import type { WordMemory } from './ingest/words';
import type { LogFiles } from './ledger/files';
import type { BounceReader } from './mail/bounces/read-bounces';
import type { MailSender } from './mail/mail-sender';
import type { Mailing } from './mail/mailing';
import type { Policy } from './net/policy';
import type { Logger } from './observability/logger';
import type { Metrics } from './observability/metrics';
import type { Prover } from './scan/prove-domain';
import type { ScanRunner } from './scan/runner';
import type { Challenges } from './security/challenges';
import type { PublicTurns } from './security/public-turns';
import type { ServerSecrets } from './security/server-secrets';
import type { Tokens } from './security/tokens';
import type { Vault } from './security/vault';
import type { RegionDatabase } from './services/regions/database';
import type { Providers } from './services/sign-on/providers';
import type { Dispatcher } from './webhooks/dispatcher';

/** What every part of a running service shares. */
export interface Context {
  config: Config;
  log: Logger;
  /** The pool of owners and jobs. */
  db: Knex;
  /** A small pool for visitor requests and readiness: sites, files, probes. */
  visitorDb: Knex;
  /** Limits how many connections of the owners' pool public requests may use at once. */
  turns: PublicTurns;
  /** Limits how many requests of an account and of its group run at once, so that they leave connections for others. */
  ownTurns: MemberTurns;
  writeProbe: WriteProbe;
  ingest: Ingest;
  /** Texts that decisions name instead of holding them. */
  words: WordMemory;
  keys: KeyWatch;
  /** Whose turns logins and API keys take that this process has lately seen. */
  knownMembers: KnownMembers;
  sites: Sites;
  tokens: Tokens;
  /** Who lets people in, besides passwords. */
  providers: Providers;
  /** What a client must send back with the next step of a log-in. */
  challenges: Challenges;
  /** Sessions whose use was noted in this hour, by id. */
  usedSessions: Memory<{ size: number }>;
  vault: Vault;
  /** Keeps files of requests. */
  fileStore: FileStore;
  serverSecrets: ServerSecrets;
  metrics: Metrics;
  /** Whether the line of a visitor's request that went well is written, by LOG_SAMPLE. */
  sampled(): boolean;
  dispatcher: Dispatcher;
  /** What `queueMail` needs. */
  mail: Mailing;
  mailSender: MailSender;
  /** Undefined without a mailbox to read. */
  readBounces: BounceReader | undefined;
  scans: ScanRunner;
  /** Where addresses are, by the operator's own file; undefined without one. */
  regions: RegionDatabase | undefined;
  /** What this version of the product brings to every bundle. */
  program: BannerProgram;
  /** Bundles as visitors load them. */
  files: BundleFiles;
  /** The evidence logs of sites, as they are published. */
  logFiles: LogFiles;
  /** Vendor lists for the public. */
  vendorLists: VendorLists;
  /** What the public pages of sites are made of. */
  pageSources: PageSources;
  /** Cookie declarations in all their forms. */
  declarations: Declarations;
  /** Checks the proof that a domain belongs to a site. */
  proveDomain: Prover;
  /** Where cookie scans may go. */
  scanPolicy: Policy;
  /** Where webhooks may go. */
  networkPolicy: Policy;
  /** These webhooks have something new to send; call it after the commit. */
  wake(webhooks: readonly WebhookKey[]): void;
  /** Where people and scripts reach this server, without a trailing slash. */
  publicUrl(): string;
}
