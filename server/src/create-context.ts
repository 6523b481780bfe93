import { join } from 'node:path';
import { Declarations } from './bundles/declarations';
import { BundleFiles } from './bundles/files';
import { loadProgram } from './bundles/load-program';
import { PageSources } from './bundles/page-sources';
import { VendorLists } from './bundles/vendor-lists';
import type { Config } from './config';
import { ROOT } from './config/paths';
import type { Context } from './context';
import { WordStore } from './db/consent-words';
import { Hosts } from './db/hosts';
import { connect, VISITOR_SILENCE, VISITORS } from './db/knex';
import { keyAt } from './db/ledger/group-key';
import { ensurePartitions } from './db/partitions';
import { WriteProbe } from './db/write-probe';
import type { BannerProgram } from './domain/banner/sources';
import { clock } from './domain/clock';
import { MemberTurns } from './domain/fair-turns';
import { KnownMembers } from './domain/known-members';
import { Memory } from './domain/memory';
import { FileStore } from './files/file-store';
import { storageOf } from './files/storage';
import { Ingest } from './ingest/ingest';
import { KeyWatch } from './ingest/key-use';
import { Nodes } from './ingest/nodes';
import { Sites } from './ingest/sites';
import { WordMemory, type WordOptions } from './ingest/words';
import { LogFiles } from './ledger/files';
import { createBounceReader } from './mail/bounces/read-bounces';
import { MailSender } from './mail/mail-sender';
import { createSmtp } from './mail/smtp';
import { inTurn } from './net/lookups';
import { createPolicy, type Lookup } from './net/policy';
import { createResolver } from './net/resolver';
import { createTransport } from './net/transport';
import { watchClock } from './observability/clock-watch';
import { createLogger, type Logger } from './observability/logger';
import { createMetrics } from './observability/metrics';
import { sampler } from './observability/sample';
import type { ScanLimits } from './scan/limits';
import { createProver } from './scan/prove-domain';
import { ScanRunner } from './scan/runner';
import { PORTS } from './scan/target';
import { Challenges } from './security/challenges';
import { PublicTurns } from './security/public-turns';
import { loadSecrets } from './security/secrets';
import { ServerSecrets } from './security/server-secrets';
import { Tokens } from './security/tokens';
import { Vault } from './security/vault';
import { regionDatabaseOf } from './services/regions/database';
import { providersOf } from './services/sign-on/providers';
import { Dispatcher } from './webhooks/dispatcher';

/** The compiled program, even when tests run from source. */
const DRIVER = join(ROOT, 'dist', 'server', 'src', 'scan', 'driver', 'main.js');

/** Connections for sites, files and readiness: several, so that a lock on one table does not block the others. */
const VISITOR_POOL = 3;

/** The share of the owners' connections that the requests of one group of accounts take at once. */
const OF_ONE_GROUP = 0.4;

/** The same in requests; one account leaves one of them to the others of its group. */
function turnsIn(pool: number): { account: number; group: number } {
  const group = Math.max(1, Math.floor(pool * OF_ONE_GROUP));
  return { account: Math.max(1, group - 1), group };
}

/** Sessions of which a process remembers that their use was noted. */
const MOST_SESSIONS = 10_000;

/**
 * Concurrent DNS queries by purpose: public scans, deliveries, and owners who save a webhook never wait for
 * each other.
 */
const QUESTIONS = { deliveries: 64, owners: 32, scans: 32, proofs: 32 };

/** What tests and tools may set of the context besides the configuration. */
export interface ContextOptions {
  log?: Logger;
  /** Visitor entries that may wait, at most. */
  maxWaiting?: number;
  /** When texts that decisions repeat are stored once. */
  words?: WordOptions;
  /** Another visitor script than the built one. */
  program?: BannerProgram;
  /** Of cookie scans: the resolver, smaller limits, and the engine. */
  scan?: { lookup?: Lookup; limits?: Partial<ScanLimits>; engine?: 'http' };
  /** Of mails: a certificate trusted besides the system's, in PEM. */
  mail?: { ca?: string };
}

/** Wires everything; touches neither network nor database. */
export function createContext(config: Config & { databaseUrl: string }, options: ContextOptions): Context {
  const log = options.log ?? createLogger(config.logLevel);
  const hosts = new Hosts(config.databaseUrl);
  const db = connect(hosts, config.databasePool);
  const visitorDb = connect(hosts, VISITOR_POOL, {
    name: 'avow sites',
    limits: VISITORS,
    silenceMs: VISITOR_SILENCE,
    anyNode: true,
  });
  const nodes = new Nodes((all) => hosts.know(all));
  const secrets = loadSecrets(config);
  const metrics = createMetrics(() => ingest.waiting);
  const words = new WordMemory(new WordStore(visitorDb), log, options.words);
  const keys = new KeyWatch(visitorDb, log);
  const ingest = new Ingest({
    hosts,
    nodes,
    log,
    onGroup: metrics.group,
    onEvents: (webhooks) => dispatcher.wake(webhooks),
    onMissingPartition: () => ensurePartitions(db, clock.date()),
    words,
    keys,
    groupKey: () => keyAt(hosts),
    ...(options.maxWaiting === undefined ? {} : { maxWaiting: options.maxWaiting }),
  });
  const vault = new Vault(secrets.secretsKey, secrets.secretsKeyOthers);
  const serverSecrets = new ServerSecrets(visitorDb, vault);
  const resolver = createResolver({ servers: config.dnsServers });
  const webhookRules = {
    allowNetworks: config.webhookAllowNetworks,
    allowHttp: config.webhookAllowHttp,
  };
  const lookupFor = (work: keyof typeof QUESTIONS): Lookup => inTurn(resolver.lookup, QUESTIONS[work]);
  const networkPolicy = createPolicy({ ...webhookRules, lookup: lookupFor('owners') });
  const transport = createTransport(createPolicy({ ...webhookRules, lookup: lookupFor('deliveries') }));
  const dispatcher = new Dispatcher({
    db,
    log,
    vault,
    transport,
    schedule: config.webhookRetrySeconds,
    onDelivery: metrics.delivery,
    onBacklog: metrics.backlog,
  });
  const publicUrl = (): string => config.publicUrl ?? `http://localhost:${config.port}`;
  const mailSecret = (): Promise<Buffer> => serverSecrets.read('mail');
  const mailSender = new MailSender({
    ...{ db, log, vault, smtp: createSmtp(config, options.mail?.ca), schedule: config.webhookRetrySeconds },
    ...{ secret: mailSecret, onMail: metrics.mail.attempt, onBacklog: metrics.mail.backlog },
  });
  const mailbox = config.bouncesUrl;
  const bounces = { db, log, secret: mailSecret, ca: options.mail?.ca, onBounce: metrics.mail.bounce };
  const scanPolicy = createPolicy({
    allowNetworks: config.scanAllowNetworks,
    allowHttp: true,
    ports: PORTS,
    lookup: options.scan?.lookup ?? lookupFor('scans'),
  });
  const scans = new ScanRunner({
    db,
    log,
    policy: scanPolicy,
    chromiumPath: config.chromiumPath,
    driver: DRIVER,
    publicUrl,
    sandbox: config.scanSandbox,
    limits: { memoryMb: config.scanMemoryMb, ...options.scan?.limits },
    engine: options.scan?.engine,
    onScan: metrics.scan,
  });
  const program = options.program ?? loadProgram();
  return {
    program,
    regions: regionDatabaseOf(config, log),
    files: new BundleFiles(visitorDb),
    vendorLists: new VendorLists(visitorDb),
    pageSources: new PageSources(visitorDb),
    declarations: new Declarations(visitorDb, program),
    logFiles: new LogFiles(visitorDb),
    config,
    log,
    db,
    visitorDb,
    turns: new PublicTurns(Math.ceil(config.databasePool / 2)),
    ownTurns: new MemberTurns(turnsIn(config.databasePool)),
    writeProbe: new WriteProbe(visitorDb, hosts),
    ingest,
    words,
    keys,
    knownMembers: new KnownMembers(),
    sites: new Sites(visitorDb, log, watchClock(log), undefined, nodes),
    tokens: new Tokens(secrets.jwtSecret, secrets.jwtSecretOthers),
    providers: providersOf(config),
    challenges: new Challenges(secrets.jwtSecret, secrets.jwtSecretOthers),
    usedSessions: new Memory(MOST_SESSIONS),
    vault,
    fileStore: new FileStore({ db, vault, log, metrics: metrics.files, ...storageOf(config) }),
    serverSecrets,
    dispatcher,
    mail: {
      ...{ db, vault, isConfigured: config.smtpUrl !== undefined, from: config.mailFrom, publicUrl },
      secret: mailSecret,
    },
    mailSender,
    readBounces: mailbox === undefined ? undefined : createBounceReader({ ...bounces, mailbox }),
    networkPolicy,
    scans,
    scanPolicy,
    // With its own limit of queries, so that domain checks, scans and deliveries never wait for each other.
    proveDomain: createProver({
      policy: { ...scanPolicy, lookup: options.scan?.lookup ?? lookupFor('proofs') },
      texts: resolver.texts,
    }),
    wake: (webhooks) => dispatcher.wake(webhooks),
    metrics,
    sampled: sampler(config.logSample),
    publicUrl,
  };
}
