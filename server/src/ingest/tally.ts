import type { Entry } from './entries';

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

/** Everything that a count is told apart by. */
type Kind = Omit<DailyCount, 'slot' | 'n'> & { hour: string };

/**
 * Adds the counts of a group up, so that each row of the database is touched once. Sorted by key: two processes that touch the same
 * rows then lock them in the same order and never wait in a circle.
 */
export function tally(entries: readonly Entry[], slot: number): Tally {
  const kinds = new Map<string, { kind: Kind; n: number }>();
  for (const { site, counts } of entries) {
    for (const { at, metric, key, language, banner_version, device } of counts) {
      const { day, hour } = site.bucket(at);
      const name = `${site.id}|${day}|${metric}|${key}|${language}|${banner_version}|${device}|${hour}`;
      const found = kinds.get(name);
      if (found !== undefined) found.n += 1;
      else {
        const kind = { environment_id: site.id, day, metric, key, language, banner_version, device, hour };
        kinds.set(name, { kind, n: 1 });
      }
    }
  }
  return addUp([...kinds.values()], slot);
}

/** The kinds are few, however many the counts are. */
function addUp(kinds: { kind: Kind; n: number }[], slot: number): Tally {
  const daily = new Map<string, DailyCount>();
  const hourly = new Map<string, HourlyCount>();
  for (const { kind, n } of kinds) {
    const { hour, ...ofDay } = kind;
    const { environment_id, day, metric, key, language, banner_version, device } = ofDay;
    add(daily, [environment_id, day, metric, key, language, banner_version, device], { ...ofDay, slot, n });
    add(hourly, [environment_id, hour, metric, key], { environment_id, hour, metric, key, slot, n });
  }
  return { daily: inOrder(daily), hourly: inOrder(hourly) };
}

function add<Row extends { n: number }>(rows: Map<string, Row>, key: unknown[], row: Row): void {
  const name = key.join('|');
  const found = rows.get(name);
  if (found === undefined) rows.set(name, row);
  else found.n += row.n;
}

const inOrder = <Row>(rows: ReadonlyMap<string, Row>): Row[] =>
  [...rows.keys()].sort().map((name) => rows.get(name) as Row);
