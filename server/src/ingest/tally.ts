import type { Entry } from './entries';
import type { Site } from './site';

/** A row of the counts by day. */
export interface DailyCount {
  environment_id: string;
  /** By the site's clocks, `YYYY-MM-DD`. */
  day: string;
  metric: string;
  key: string;
  language: string;
  banner_version: number;
  device: string;
  slot: number;
  n: number;
}

/** A row of the counts by hour. */
export interface HourlyCount {
  environment_id: string;
  hour: string;
  metric: string;
  key: string;
  slot: number;
  n: number;
}

/** Rows for the two upserts of counts. */
export interface Tally {
  daily: DailyCount[];
  hourly: HourlyCount[];
}

/**
 * Adds up the counts of a group, so that each database row is touched once. Sorted by key, so that two
 * processes lock the same rows in the same order and never deadlock.
 */
export function tally(entries: readonly Entry[], slot: number): Tally {
  // Decisions of the same kind share their list of counts, and are many.
  const lists = new Map<Entry['counts'], { site: Site; n: number }>();
  for (const { site, counts } of entries) {
    const found = lists.get(counts);
    if (found !== undefined) found.n += 1;
    else lists.set(counts, { site, n: 1 });
  }
  const daily = new Map<string, DailyCount>();
  const hourly = new Map<string, HourlyCount>();
  for (const [counts, { site, n }] of lists) {
    const environment_id = site.id;
    for (const { at, metric, key, language, banner_version, device } of counts) {
      const { day, hour } = site.bucket(at);
      const ofDay = { environment_id, day, metric, key, language, banner_version, device, slot, n };
      add(daily, `${environment_id}|${day}|${metric}|${key}|${language}|${banner_version}|${device}`, ofDay);
      add(hourly, `${environment_id}|${hour}|${metric}|${key}`, {
        environment_id,
        hour,
        metric,
        key,
        slot,
        n,
      });
    }
  }
  return { daily: inOrder(daily), hourly: inOrder(hourly) };
}

function add<Row extends { n: number }>(rows: Map<string, Row>, name: string, row: Row): void {
  const found = rows.get(name);
  if (found === undefined) rows.set(name, row);
  else found.n += row.n;
}

const inOrder = <Row>(rows: ReadonlyMap<string, Row>): Row[] =>
  [...rows.keys()].sort().map((name) => rows.get(name) as Row);
