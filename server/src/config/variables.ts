import { resolve } from 'node:path';
import { FILE_VARIABLES } from './file-variables';
import { MAIL_VARIABLES } from './mail-variables';
import { providerIds } from './providers';
import {
  databaseAddress,
  email,
  integer,
  key,
  nameServers,
  networks,
  oneOf,
  onOff,
  origins,
  type Proxies,
  password,
  program,
  proxies,
  schedule,
  secret,
  severalOf,
  share,
  text,
  webAddress,
} from './readers';
import { REGION_VARIABLES } from './region-variables';
import { TCF_VARIABLES } from './tcf-variables';
import { variable } from './variable';
import { VOUCHER_VARIABLES } from './voucher-variables';

export type Role = 'all' | 'api' | 'worker';
/** Who may start cookie scans. */
export type Scans = 'off' | 'members' | 'public';

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Every variable: its name, reader, default and description (`npm run readme` writes the README's table). */
export const VARIABLES = {
  /** TCP port, 0–65535; 0 takes a free one. */
  port: variable('PORT', integer(0, 65535), 8080, 'TCP port to listen on; 0 takes a free one'),
  host: variable('HOST', text, '0.0.0.0', 'address to listen on'),
  /** Without a trailing slash; unset: made from host and port at start. */
  publicUrl: variable<string | undefined>(
    'PUBLIC_URL',
    webAddress,
    undefined,
    'the URL by which browsers reach it; used in links and by banners',
    { shown: 'http://localhost:PORT' },
  ),
  /** Unset: the embedded PostgreSQL under dataDir. */
  databaseUrl: variable<string | undefined>(
    'DATABASE_URL',
    databaseAddress,
    undefined,
    'PostgreSQL 14+, also `one:5432,two:5432` with `target_session_attrs`; unset: the embedded one',
    { family: 'DATABASE_' },
  ),
  /** Connections for owner endpoints and jobs, for each process. */
  databasePool: variable(
    'DATABASE_POOL',
    integer(2, 200),
    10,
    'connections of each process for owners and jobs; it has up to 6 more for visitors',
    { family: 'DATABASE_' },
  ),
  dataDir: variable<string>(
    'DATA_DIR',
    (path) => resolve(path),
    () => resolve('.data'),
    'embedded database and generated keys',
    { shown: '.data' },
  ),
  jwtSecret: variable<string | undefined>(
    'JWT_SECRET',
    secret,
    undefined,
    'signs bearer tokens; at least 32 characters; required with DATABASE_URL and NODE_ENV=production',
    { shown: 'made in DATA_DIR', family: 'JWT_' },
  ),
  secretsKey: variable<string | undefined>(
    'SECRETS_KEY',
    key,
    undefined,
    'encrypts every stored secret; 32 bytes in base64; required like JWT_SECRET',
    { shown: 'made in DATA_DIR', family: 'SECRETS_' },
  ),
  /** Secrets that are accepted besides the one that signs. */
  jwtSecretOthers: variable<string[]>(
    'JWT_SECRET_OTHERS',
    severalOf(secret),
    () => [],
    'further secrets whose tokens are accepted during a rotation, separated by spaces',
    { family: 'JWT_' },
  ),
  /** Keys that open besides the one that seals. */
  secretsKeyOthers: variable<string[]>(
    'SECRETS_KEY_OTHERS',
    severalOf(key),
    () => [],
    'further keys that can decrypt during a rotation, separated by spaces',
    { family: 'SECRETS_' },
  ),
  adminEmail: variable<string | undefined>(
    'ADMIN_EMAIL',
    email,
    undefined,
    'the first owner; unset: a one-time set-up link is printed',
    { family: 'ADMIN_' },
  ),
  adminPassword: variable<string | undefined>(
    'ADMIN_PASSWORD',
    password,
    undefined,
    "the first owner's password, 12 to 200 characters; set both or neither",
    { family: 'ADMIN_' },
  ),
  /** Off: people log in by a provider; the operator's one-time links still work. */
  passwordLogin: variable<boolean>(
    'PASSWORD_LOGIN',
    onOff,
    true,
    'off refuses log-ins with a password or a passkey alone; needs OIDC_PROVIDERS',
    { family: 'PASSWORD_' },
  ),
  /** The names of those of `providers`. */
  providerIds: variable<string[]>(
    'OIDC_PROVIDERS',
    providerIds,
    () => [],
    'names of OpenID providers, separated by commas; each has variables of its own, `OIDC_<NAME>_ISSUER` and others',
    { family: 'OIDC_' },
  ),
  demo: variable<boolean>('DEMO', onOff, ({ databaseUrl }) => databaseUrl === undefined, 'make a demo site', {
    shown: 'on when embedded',
  }),
  migrate: variable<boolean>('MIGRATE', onOff, true, 'migrate at start'),
  role: variable<Role>('ROLE', oneOf<Role>(['all', 'api', 'worker']), 'all', '`all`, `api` or `worker`'),
  /** Processes on this machine that answer requests. */
  workers: variable(
    'WORKERS',
    integer(1, 256),
    1,
    'processes on this machine that answer requests; one that hangs is replaced',
  ),
  /**
   * Seconds after SIGTERM in which the process answers as before but reports that it is not ready.
   */
  drainSeconds: variable(
    'DRAIN_SECONDS',
    integer(0, 60),
    5,
    'seconds after SIGTERM in which new connections are still answered, 0 to 60',
    { family: 'DRAIN_' },
  ),
  trustProxy: variable<Proxies>(
    'TRUST_PROXY',
    proxies,
    false,
    'number of proxies, the nearest at a private address, or their CIDRs: whose `X-Forwarded-For` is trusted',
    { family: 'TRUST_PROXY' },
  ),
  consoleOrigins: variable<string[]>(
    'CONSOLE_ORIGINS',
    origins,
    () => [],
    'further origins that may call owner endpoints from a browser',
    { family: 'CONSOLE_' },
  ),
  rateLimit: variable<boolean>('RATE_LIMIT', onOff, true, 'limit requests by address and by site', {
    family: 'RATE_LIMIT',
  }),
  /** Days that audit trails are kept. */
  auditRetentionDays: variable(
    'AUDIT_RETENTION_DAYS',
    integer(30, 3650),
    730,
    'days that the audit trails of all sites and accounts are kept',
  ),
  /** Seconds from one sealing of the evidence logs to the next. */
  sealSeconds: variable(
    'SEAL_SECONDS',
    integer(1, 60),
    10,
    'seconds after which records are sealed in the evidence logs of their sites, 1 to 60',
  ),
  /** Sites that one account, with those that its invitations created, may create. */
  sitesPerAccount: variable(
    'SITES_PER_ACCOUNT',
    integer(1, 1_000_000),
    100,
    'sites of an account and of all accounts that its invitations created, together',
    { family: 'SITES_' },
  ),
  /** Webhooks of a site that may ask for events that visitors cause. */
  visitorWebhooksPerSite: variable(
    'VISITOR_WEBHOOKS_PER_SITE',
    integer(1, 100),
    10,
    'webhooks of a site that may ask for events that visitors cause',
  ),
  /** Seconds to wait after the first, second, third and fourth failed attempt of a delivery. */
  webhookRetrySeconds: variable<number[]>(
    'WEBHOOK_RETRY_SECONDS',
    schedule,
    () => [10, 120, 900, 7200],
    'waits after the first four failed attempts of a delivery',
    { family: 'WEBHOOK_' },
  ),
  /** Allow http, not only https. */
  webhookAllowHttp: variable<boolean>('WEBHOOK_ALLOW_HTTP', onOff, false, 'allow `http:` receivers', {
    family: 'WEBHOOK_',
  }),
  /** CIDRs of private networks that webhooks may reach. */
  webhookAllowNetworks: variable<string[]>(
    'WEBHOOK_ALLOW_NETWORKS',
    networks,
    () => [],
    'CIDRs of private networks that webhooks may reach',
    { family: 'WEBHOOK_' },
  ),
  /** Name servers of webhooks and scans; empty: those of the system. */
  dnsServers: variable<string[]>(
    'DNS_SERVERS',
    nameServers,
    () => [],
    'addresses of name servers for webhooks and cookie scans, with `:port` where it is not 53',
    { shown: "the system's" },
  ),
  scans: variable<Scans>(
    'SCANS',
    oneOf<Scans>(['off', 'members', 'public']),
    ({ isProduction }) => (isProduction ? 'members' : 'public'),
    'who may start cookie scans: `public` anyone, `members` anyone with a login, `off` nobody',
    { shown: 'public (production: members)' },
  ),
  /** Off: the browser of scans has no sandbox and runs as the user of this process, even as root. */
  scanSandbox: variable<boolean>(
    'SCAN_SANDBOX',
    onOff,
    true,
    'for tests only: off runs the browser of scans without its sandbox, even as root',
    { family: 'SCAN_' },
  ),
  /** Memory limit of all processes of one browser, in MiB. */
  scanMemoryMb: variable<number>(
    'SCAN_MEMORY_MB',
    integer(256, 65_536),
    1_024,
    'memory limit of the browser of one scan in MiB; beyond it the browser is killed',
    { family: 'SCAN_' },
  ),
  /** The browser of cookie scans; unset: the first that is found on PATH. */
  chromiumPath: variable<string | undefined>(
    'CHROMIUM_PATH',
    program,
    undefined,
    'the browser of cookie scans; without one, headers and page source are read',
    { shown: 'found on PATH' },
  ),
  /** CIDRs of private networks that cookie scans may reach, on any port. */
  scanAllowNetworks: variable<string[]>(
    'SCAN_ALLOW_NETWORKS',
    networks,
    () => [],
    'CIDRs of private networks that cookie scans may reach',
    { family: 'SCAN_' },
  ),
  ...REGION_VARIABLES,
  ...TCF_VARIABLES,
  ...VOUCHER_VARIABLES,
  ...MAIL_VARIABLES,
  ...FILE_VARIABLES,
  metricsPort: variable<number | undefined>(
    'METRICS_PORT',
    integer(0, 65535),
    undefined,
    'serve /metrics on this port instead of the main one',
    { family: 'METRICS_' },
  ),
  metricsHost: variable(
    'METRICS_HOST',
    text,
    '127.0.0.1',
    'address to listen on for METRICS_PORT; another one for a Prometheus elsewhere',
    { family: 'METRICS_' },
  ),
  logLevel: variable<string>(
    'LOG_LEVEL',
    oneOf(LEVELS),
    'info',
    'fatal, error, warn, info, debug, trace or silent',
  ),
  /** Of visitors' requests that succeeded; all others are always logged. */
  logSample: variable<number>(
    'LOG_SAMPLE',
    share,
    1,
    "share of visitors' successful requests that are logged, 0 to 1",
  ),
};
