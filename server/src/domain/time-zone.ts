import { HOUR_MS } from './time';

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Whether the runtime knows this IANA time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    formatter(zone);
    return true;
  } catch {
    return false;
  }
}

/** Minutes that the zone's clocks are ahead of UTC at an instant. */
export function offsetMinutes(zone: string, at: number): number {
  if (zone === 'UTC') return 0;
  const part: Record<string, number> = {};
  for (const { type, value } of formatter(zone).formatToParts(at)) part[type] = Number(value);
  const local = Date.UTC(
    part.year ?? 0,
    (part.month ?? 1) - 1,
    part.day,
    part.hour,
    part.minute,
    part.second,
  );
  return Math.round((local - at) / 60_000);
}

/**
 * The day (`YYYY-MM-DD`) and the start of the hour, both in the time zone, under which an instant is counted.
 */
export interface Bucket {
  day: string;
  hour: string;
}

/** Finds buckets quickly: the zone's offset is looked up once for each quarter of an hour. */
export function bucketFinder(zone: string): (at: number) => Bucket {
  let quarter = Number.NaN;
  let bucket: Bucket = { day: '', hour: '' };
  return (at) => {
    const now = Math.floor(at / 900_000);
    if (now !== quarter) {
      const offset = offsetMinutes(zone, now * 900_000) * 60_000;
      const local = now * 900_000 + offset;
      let hour = Math.floor(local / HOUR_MS) * HOUR_MS - offset;
      // Where clocks change by half an hour (Lord Howe Island), the hour after it begins in its middle.
      while (offsetMinutes(zone, hour) * 60_000 !== offset) hour += 900_000;
      bucket = { day: new Date(local).toISOString().slice(0, 10), hour: new Date(hour).toISOString() };
      quarter = now;
    }
    return bucket;
  };
}

function formatter(zone: string): Intl.DateTimeFormat {
  let found = formatters.get(zone);
  if (found === undefined) {
    found = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formatters.set(zone, found);
  }
  return found;
}
