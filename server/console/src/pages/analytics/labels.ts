import { dayAndMonth } from '../../ui';
import { zoneName } from '../../ui/zone';
import type { Interval } from './view';

/** What stands below each point of a time series: each label once, also in the hour that the clocks show twice. */
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
