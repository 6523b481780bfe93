import type { Knex } from 'knex';
import { databaseTime } from '../../src/db/clock';
import { planRetention, type RetainedSite } from '../../src/db/plan-retention';
import { findHold, isAllowed } from '../../src/db/retention-holds';
import { isOverBound, type PlannedKind, recordsOf } from '../../src/domain/retention';
import { type Finding, fine, warning } from './finding';

/** Sites that get a line of their own, at most. */
const MAX_SITES = 20;

const NAMES: Record<PlannedKind['kind'], string> = {
  consents: 'consents',
  form_consents: 'form consents',
  events: 'events',
  requests: 'answered requests',
  erasures: 'records of erasures',
};

type Site = RetainedSite & { domain: string; token: string };
type Planned = { site: Site; plan: PlannedKind[]; records: number; held: boolean };

/** What the next run of retention would delete of each site, most first; held ones before all others. */
export async function checkRetention(db: Knex): Promise<Finding[]> {
  const now = await databaseTime(db);
  const found: Planned[] = [];
  for (const site of (await db('environments').select('id', 'settings', 'domain', 'token')) as Site[]) {
    const plan = await planRetention(db, site, now);
    const records = recordsOf(plan);
    const held = plan.some(isOverBound) && !isAllowed(await findHold(db, site.id), records, now);
    if (records > 0) found.push({ site, plan, records, held });
  }
  if (found.length === 0) return [fine('Retention: the next run deletes nothing')];
  found.sort((a, b) => Number(b.held) - Number(a.held) || b.records - a.records);
  const lines = found.slice(0, MAX_SITES).map(findingOf);
  const rest = found.slice(MAX_SITES);
  if (rest.length === 0) return lines;
  const records = rest.reduce((sum, one) => sum + one.records, 0);
  return [...lines, fine(`Retention: ${records} records of ${rest.length} further sites`)];
}

function findingOf({ site, plan, held }: Planned): Finding {
  const parts = plan
    .filter(({ deleted }) => deleted > 0)
    .map(
      ({ kind, deleted, before }) =>
        `${deleted} ${NAMES[kind]} from before ${before.toISOString().slice(0, 10)}`,
    );
  const what = `Retention: the next run would delete of ${site.domain} (${site.token}) ${parts.join(', ')}`;
  return held
    ? warning(
        `${what}, which is held`,
        'more than a quarter of its kind; an owner allows it in the console under Settings, or the clock is wrong',
      )
    : fine(what);
}
