import type { Context } from '../context';
import { eraseUnnamedWords } from '../db/consent-words';
import { ensurePartitions } from '../db/partitions';
import { HOUR_MS } from '../domain/time';
import { eraseDeletedSites } from './deleted-sites';
import { checkDomains } from './domains';
import { applyRetention } from './retention';
import { type Job, Scheduler } from './scheduler';

/** How often each job runs, in milliseconds. */
export const EVERY = {
  partitions: 6 * HOUR_MS,
  retention: HOUR_MS,
  deletions: HOUR_MS / 6,
  domains: HOUR_MS / 6,
  words: 6 * HOUR_MS,
};

/** The scheduled work of the service. */
export function createJobs({ db, log, proveDomain }: Pick<Context, 'db' | 'log' | 'proveDomain'>): Scheduler {
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
  ];
  return new Scheduler(db, log, jobs);
}
