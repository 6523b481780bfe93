import type { Schemas } from '../../app/data';
import { type Cell, cellText } from './csv-cell';

type Analytics = Schemas['Analytics'];
type Point = Schemas['AnalyticsPoint'];

const COUNTS = [
  'impressions',
  'decisions',
  'accept_all',
  'reject_all',
  'save_preferences',
  'opted_in',
  'opt_in_rate',
  'reject_rate',
  'no_choice',
  'no_choice_rate',
] as const;

/** The time series as rows: one row for each point, or for each group and point. */
export function csvOf({ interval, series, groups, categories }: Analytics): string {
  const keys = categories.map(({ category }) => category);
  const isGrouped = groups.length > 0;
  const titles = [
    ...['start', 'interval', ...(isGrouped ? ['group'] : []), ...COUNTS],
    ...keys.flatMap((key) => [`${key}_granted`, `${key}_refused`, `${key}_opt_in_rate`]),
  ];
  const row = (point: Point, group: string[]): Cell[] => [
    ...[point.start, interval, ...group, ...COUNTS.map((name) => point[name])],
    ...keys.flatMap((key) => {
      const rate = point.categories.find(({ category }) => category === key);
      return [rate?.granted ?? 0, rate?.refused ?? 0, rate?.opt_in_rate ?? null];
    }),
  ];
  const rows = isGrouped
    ? groups.flatMap((group) => group.series.map((point) => row(point, [group.key])))
    : series.map((point) => row(point, []));
  return [titles, ...rows].map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('');
}

/** The time series as a file. */
export function csvFile(data: Analytics, domain: string): Response {
  const name = `analytics-${domain}-${data.from.slice(0, 10)}-${data.to.slice(0, 10)}.csv`;
  return new Response(csvOf(data), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  });
}
