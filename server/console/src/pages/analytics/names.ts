import type { Schemas } from '../../app/data';
import { languageNames } from '../../app/lists';
import { dayAndMonth, words } from '../../ui';
import { zoneName } from '../../ui/zone';
import type { Group, Interval } from './view';

/**
 * The labels below the points of a time series. Each label is unique, also in the hour that clocks repeat
 * when daylight saving ends.
 */
export function labelsOf(points: readonly { start: string }[], interval: Interval, zone: string): string[] {
  const plain = points.map(({ start }) => label(start, interval, zone));
  const seen = new Set<string>();
  return plain.map((text, index) => {
    const start = (points[index] as { start: string }).start;
    const unique = seen.has(text)
      ? `${text} ${zoneName(zone, Date.parse(start))} ${start.slice(0, 4)}`
      : text;
    seen.add(unique);
    return unique;
  });
}

function label(start: string, interval: Interval, zone: string): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options }).format(new Date(start));
  if (interval === 'month') return format({ month: 'short', year: 'numeric' });
  if (interval === 'hour')
    return `${dayAndMonth(start, zone)} ${format({ hour: '2-digit', minute: '2-digit' })}`;
  return dayAndMonth(start, zone);
}

/** The name of a group, for users. */
export function nameOf(
  kind: Group | 'category',
  key: string,
  categories: readonly Schemas['Category'][] = [],
): string {
  if (kind === 'category') return categories.find((one) => one.key === key)?.name ?? words(key);
  if (kind === 'banner_version') return /^\d+$/.test(key) ? `Version ${key}` : words(key);
  if (kind === 'device' && key === 'bot') return 'Bots';
  if (kind !== 'language') return words(key);
  const name = languageNames([key]);
  return name === key ? words(key) : `${name} (${key})`;
}
