import type { Context } from '../context';
import { ensurePartitions } from '../db/partitions';
import { applyRetention } from './retention';
import { type Job, Scheduler } from './scheduler';

const HOUR = 3_600_000;

/** The scheduled work of the service. */
export function createJobs({ db, log }: Pick<Context, 'db' | 'log'>): Scheduler {
  const jobs: Job[] = [
    { id: 1, name: 'partitions', every: 6 * HOUR, run: () => ensurePartitions(db, new Date()) },
    { id: 2, name: 'retention', every: HOUR, run: (signal) => applyRetention(db, log, new Date(), signal) },
  ];
  return new Scheduler(db, log, jobs);
}
