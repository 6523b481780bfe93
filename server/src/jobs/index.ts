import type { Context } from '../context';
import { deleteAuditBefore } from '../db/audit-events';
import { eraseUnnamedWords } from '../db/consent-words';
import { ensurePartitions } from '../db/partitions';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/time';
import { sweepObjects } from '../files/sweep';
import { auditSamples } from '../ledger/audit/sample';
import { Sealer } from '../ledger/seal';
import { vouchAll, vouchersOf } from '../ledger/vouch';
import { logFailure } from '../observability/failures';
import { eraseDeletedSites } from './deleted-sites';
import { checkDomains } from './domains';
import { tellMembers } from './notices';
import { applyRetention } from './retention';
import { startScheduledScans } from './scan-schedules';
import { countScans } from './scans';
import { type Job, Scheduler } from './scheduler';
import { refreshVendorList } from './vendor-list';

/** How often each job runs, in milliseconds. */
export const EVERY = {
  partitions: 6 * HOUR_MS,
  retention: HOUR_MS,
  deletions: HOUR_MS / 6,
  domains: HOUR_MS / 6,
  words: 6 * HOUR_MS,
  scans: HOUR_MS / 6,
  audit: HOUR_MS,
  samples: HOUR_MS,
  /** By which doctor judges these, which run more often. */
  notices: HOUR_MS / 6,
  schedules: HOUR_MS / 6,
  sealing: HOUR_MS / 6,
};

/** How often members are told what is new. */
const NOTICES = MINUTE_MS;

/** How often objects of files that are gone are deleted, where there is a bucket. */
const FILES = MINUTE_MS;
/** How often pages are looked for whose turn to be scanned it is. */
const SCHEDULES = MINUTE_MS;

/** How often it is looked whether the Global Vendor List is due, where the operator is a CMP. */
const VENDOR_LIST = HOUR_MS;

/** How often undeliverable mails are looked for, where a mailbox is configured. */
const BOUNCES = 2 * MINUTE_MS;

/** How often witnesses and authorities may be asked, where there are any. */
const VOUCHING = MINUTE_MS;

type Wiring = Pick<
  Context,
  | 'config'
  | 'db'
  | 'log'
  | 'proveDomain'
  | 'vault'
  | 'publicUrl'
  | 'metrics'
  | 'mail'
  | 'readBounces'
  | 'program'
  | 'fileStore'
  | 'scanPolicy'
>;

/** The scheduled work of the service. */
export function createJobs({
  config,
  db,
  log,
  proveDomain,
  vault,
  publicUrl,
  metrics,
  mail,
  readBounces,
  program,
  fileStore,
  scanPolicy,
}: Wiring): Scheduler {
  const sealer = new Sealer({ db, log, vault, publicUrl, onSealed: metrics.sealed });
  const jobs: Job[] = [
    { id: 1, name: 'partitions', every: EVERY.partitions, run: (_, now) => ensurePartitions(db, now) },
    {
      id: 2,
      name: 'retention',
      every: EVERY.retention,
      run: (signal, now) => applyRetention(db, log, now, signal),
    },
    {
      id: 3,
      name: 'deletions',
      every: EVERY.deletions,
      run: (signal, now) => eraseDeletedSites(db, log, now, signal),
    },
    {
      id: 4,
      name: 'domains',
      every: EVERY.domains,
      run: (signal, now) => checkDomains(db, log, proveDomain, now, signal),
    },
    {
      id: 5,
      name: 'words',
      every: EVERY.words,
      run: async (signal, now) => {
        const words = 'the words of a site could not be erased; it is tried again';
        const fail = (error: unknown, environment_id: string): void =>
          logFailure(log, 'error', { error, environment_id }, words);
        await eraseUnnamedWords(db, now, { signal, fail });
      },
    },
    { id: 6, name: 'scans', every: EVERY.scans, run: (signal) => countScans(db, log, signal) },
    {
      id: 7,
      name: 'audit',
      every: EVERY.audit,
      run: async (signal, now) => {
        const before = new Date(now.getTime() - config.auditRetentionDays * DAY_MS);
        const rows = await deleteAuditBefore(db, before, signal);
        if (rows > 0) log.info({ table: 'audit_events', rows }, 'retention deleted rows');
      },
    },
    { id: 8, name: 'sealing', every: config.sealSeconds * 1_000, run: (signal) => sealer.run(signal) },
  ];
  jobs.push({
    ...{ id: 11, name: 'notices', every: NOTICES },
    run: (signal, now) => tellMembers({ config, db, log, mail, program }, now, signal),
  });
  const starting = { config, db, log, vault, scanPolicy };
  jobs.push({
    ...{ id: 12, name: 'schedules', every: SCHEDULES },
    run: (signal, now) => startScheduledScans(starting, now, signal),
  });
  const samples = { db, log, metrics: metrics.auditing };
  jobs.push({
    ...{ id: 10, name: 'samples', every: EVERY.samples },
    run: (signal, now) => auditSamples(samples, now, signal),
  });
  if (fileStore.hasBucket)
    jobs.push({
      ...{ id: 13, name: 'files', every: FILES },
      run: async (signal) => {
        const objects = await sweepObjects(db, fileStore, signal);
        if (objects > 0) log.info({ objects }, 'the bucket of files was swept');
      },
    });
  if (readBounces !== undefined) jobs.push({ id: 14, name: 'bounces', every: BOUNCES, run: readBounces });
  if (config.tcfCmpId !== undefined)
    jobs.push({
      ...{ id: 15, name: 'vendor-list', every: VENDOR_LIST },
      run: (signal, now) => refreshVendorList({ config, db, log, program, publicUrl, metrics }, now, signal),
    });
  const vouchers = vouchersOf(config);
  if (vouchers.length > 0) {
    const work = { db, log, vouchers, metrics: metrics.vouching };
    jobs.push({
      ...{ id: 9, name: 'vouching', every: VOUCHING },
      run: (signal, now) => vouchAll(work, now, signal),
    });
  }
  return new Scheduler(db, log, jobs);
}
