import type { Knex } from 'knex';
import type { Context } from '../context';
import { type EnvironmentRow, ScanRow, ScanScheduleRow, ScheduledPageRow } from '../db/models';
import { clock } from '../domain/clock';
import { FAILURES_WARNED } from '../domain/cookies/scan-turns';
import { scheduledScanWarnings } from '../domain/scan-schedule-warnings';
import type { ScanSchedule, Warning } from '../domain/types';
import { oldestScan } from './evidence';

/** Who set a schedule, and whether their scans are started still. */
interface Setter {
  email: string;
  is_able: boolean;
}

async function setterOf(db: Knex, { environment_id, user_id }: ScanScheduleRow): Promise<Setter | undefined> {
  return db('users AS u')
    .leftJoin('members AS m', (join) =>
      join.on('m.user_id', 'u.id').andOnVal('m.environment_id', environment_id).andOnVal('m.role', 'owner'),
    )
    .where({ 'u.id': user_id })
    .first('u.email', db.raw('(m.user_id IS NOT NULL AND u.disabled_at IS NULL) AS is_able'));
}

/** The schedule of a site as the contract has it. */
export async function scheduleView(
  { config }: Pick<Context, 'config'>,
  db: Knex,
  { id: environment_id, status }: Pick<EnvironmentRow, 'id' | 'status'>,
): Promise<ScanSchedule> {
  const row = await ScanScheduleRow.query(db).findById(environment_id);
  if (row === undefined)
    return { every: 'off', state: 'off', pages: [], set_by: null, set_at: null, version: 0 };
  const setter = await setterOf(db, row);
  const isAble = setter?.is_able === true && status !== 'archived';
  const ofActive = isAble ? 'active' : 'stopped';
  const state = row.every === 'off' ? 'off' : config.scans === 'off' ? 'not_here' : ofActive;
  const pages = await ScheduledPageRow.query(db).where({ environment_id }).orderBy('position');
  const scans = await ScanRow.query(db)
    .whereIn(
      'scan_id',
      pages.flatMap(({ scan_id }) => scan_id ?? []),
    )
    .where('created_at', '>', oldestScan())
    .select('scan_id', 'created_at');
  const startedAt = new Map(scans.map(({ scan_id, created_at }) => [scan_id, created_at.toISOString()]));
  return {
    ...{ every: row.every, state, version: row.version },
    ...{ set_by: setter?.email ?? null, set_at: row.updated_at.toISOString() },
    pages: pages.map(({ url, next_at, scan_id, failures, error }) => {
      const started = scan_id === null ? undefined : startedAt.get(scan_id);
      return {
        ...{ url, failures, error },
        next_at: state === 'active' ? (next_at?.toISOString() ?? null) : null,
        last_scan_id: started === undefined ? null : scan_id,
        last_started_at: started ?? null,
      };
    }),
  };
}

/** What a site's owner should know of its schedule. */
export async function scheduleWarnings(
  { config }: Pick<Context, 'config'>,
  db: Knex,
  { id: environment_id, status }: Pick<EnvironmentRow, 'id' | 'status'>,
): Promise<Warning[]> {
  const row = await ScanScheduleRow.query(db).findById(environment_id);
  if (row === undefined || row.every === 'off' || status === 'archived' || config.scans === 'off') return [];
  const setter = await setterOf(db, row);
  const failing = await ScheduledPageRow.query(db)
    .where({ environment_id })
    .where('failures', '>=', FAILURES_WARNED)
    .orderBy('failed_since');
  return scheduledScanWarnings(
    failing.map((page) => ({ ...page, failed_since: page.failed_since ?? clock.date() })),
    setter?.is_able === true ? undefined : row.updated_at,
  );
}
