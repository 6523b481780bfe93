import { HOUR_MS } from './time';

/** By name in lower case: a name has thousands of spellings, and each formatter takes some 50 KB. */
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

/**
 * Finds buckets quickly: the zone's offset is looked up once for each quarter of an hour, also where instants are in
 * no order, as a visitor's browser may state them.
 */
export function bucketFinder(zone: string): (at: number) => Bucket {
  let quarter = Number.NaN;
  let bucket: Bucket = { day: '', hour: '' };
  return (at) => {
    const now = Math.floor(at / QUARTER_MS);
    if (now !== quarter) {
      bucket = bucketIn(zone, now);
      quarter = now;
    }
    return bucket;
  };
}

const QUARTER_MS = 900_000;
/** Quarters of an hour that are known of a zone, at most: those of more than two days. */
const MAX_KNOWN = 300;
/** By zone in lower case, since sites share them. */
const known = new Map<string, Map<number, Bucket>>();

function bucketIn(zone: string, quarter: number): Bucket {
  const name = zone.toLowerCase();
  let own = known.get(name);
  if (own === undefined || own.size >= MAX_KNOWN) {
    own = new Map();
    known.set(name, own);
  }
  const found = own.get(quarter) ?? bucketAt(zone, quarter * QUARTER_MS);
  own.set(quarter, found);
  return found;
}

/** Looks one bucket up, without the memory that visitors' instants share. */
export function bucketAt(zone: string, at: number): Bucket {
  const offset = offsetMinutes(zone, at) * 60_000;
  const local = at + offset;
  let hour = Math.floor(local / HOUR_MS) * HOUR_MS - offset;
  // Where clocks change by half an hour (Lord Howe Island), the hour after it begins in its middle.
  while (offsetMinutes(zone, hour) * 60_000 !== offset) hour += QUARTER_MS;
  return { day: new Date(local).toISOString().slice(0, 10), hour: new Date(hour).toISOString() };
}

function formatter(zone: string): Intl.DateTimeFormat {
  const name = zone.toLowerCase();
  let found = formatters.get(name);
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
    formatters.set(name, found);
  }
  return found;
}
