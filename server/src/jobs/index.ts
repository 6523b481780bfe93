import type { Context } from '../context';
import { deleteAuditBefore } from '../db/audit-events';
import { eraseUnnamedWords } from '../db/consent-words';
import { ensurePartitions } from '../db/partitions';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/time';
import { auditSamples } from '../ledger/audit/sample';
import { Sealer } from '../ledger/seal';
import { vouchAll, vouchersOf } from '../ledger/vouch';
import { eraseDeletedSites } from './deleted-sites';
import { checkDomains } from './domains';
import { applyRetention } from './retention';
import { countScans } from './scans';
import { type Job, Scheduler } from './scheduler';

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
  /** By which doctor judges it: SEAL_SECONDS says how often it runs. */
  sealing: HOUR_MS / 6,
};

/** How often witnesses and authorities may be asked, where there are any. */
const VOUCHING = MINUTE_MS;

/** The scheduled work of the service. */
export function createJobs({
  config,
  db,
  log,
  proveDomain,
  vault,
  publicUrl,
  metrics,
}: Pick<Context, 'config' | 'db' | 'log' | 'proveDomain' | 'vault' | 'publicUrl' | 'metrics'>): Scheduler {
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
      run: async (signal, now) => void (await eraseUnnamedWords(db, now, signal)),
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
  const samples = { db, log, metrics: metrics.auditing };
  jobs.push({
    ...{ id: 10, name: 'samples', every: EVERY.samples },
    run: (signal, now) => auditSamples(samples, now, signal),
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
