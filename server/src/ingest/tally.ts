import type { Entry } from './entries';

/** Rows for the two upserts of counts. */
export interface Tally {
  daily: object[];
  hourly: object[];
}

/**
 * Adds the counts of a group up, so that each row of the database is touched once. Sorted by key: two processes that touch the same
 * rows then lock them in the same order and never wait in a circle.
 */
export function tally(entries: readonly Entry[], slot: number): Tally {
  const daily = new Map<string, { n: number }>();
  const hourly = new Map<string, { n: number }>();
  for (const { site, counts } of entries) {
    const environment_id = site.id;
    for (const { at, metric, key, language, banner_version, device } of counts) {
      const { day, hour } = site.bucket(at);
      const dayKey = `${environment_id}|${day}|${metric}|${key}|${language}|${banner_version}|${device}`;
      const ofDay = daily.get(dayKey);
      if (ofDay !== undefined) ofDay.n += 1;
      else
        daily.set(dayKey, {
          environment_id,
          day,
          metric,
          key,
          language,
          banner_version,
          device,
          slot,
          n: 1,
        } as { n: number });
      const hourKey = `${environment_id}|${hour}|${metric}|${key}`;
      const ofHour = hourly.get(hourKey);
      if (ofHour !== undefined) ofHour.n += 1;
      else hourly.set(hourKey, { environment_id, hour, metric, key, slot, n: 1 } as { n: number });
    }
  }
  return { daily: inOrder(daily), hourly: inOrder(hourly) };
}

function inOrder(rows: Map<string, object>): object[] {
  return [...rows.keys()].sort().map((key) => rows.get(key) as object);
}
